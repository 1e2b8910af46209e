"""The schedule and the end of a duel: pure functions of its results."""

from collections import Counter
from random import Random
from types import SimpleNamespace

import msgspec
import pytest
from support.records import a_run

from ladder.contest.blocks import matches_of
from ladder.run.planner import Planner
from ladder.run.run_plan import plan_run
from ladder.run.until.rule import RatedBlocks
from results.rating.duel_question import FaultyTally, Verdict
from results.record import Contest, DuelTerms, RunSettings
from results.storage.finishes import Finish

BOTS = [(name, "v") for name in ("new", "old", "c", "d", "e", "f")]
STELLAR = Contest("stellar", 2, {}, (0, 1))
STELLA = Contest("stella", 4, {}, (0, 1, 2, 3, 4, 5))


class Duel:
    """A duel without processes, planned as a run plans it: an epoch when the one before the last is over."""

    def __init__(self, *contests, totals=None, margin=None, faults="agree", secret="6b" * 16):
        totals = totals or [1_000] * len(contests)
        terms = DuelTerms(alpha=0.05, margin=margin, faults=faults)
        settings = RunSettings(contests=contests, blocks=tuple(totals), duel=terms)
        bots = [{"name": name, "version": version} for name, version in BOTS]
        run = a_run(settings=settings, bots=bots, secret=secret, ratings={})
        versions = [SimpleNamespace(bot=name, version=version) for name, version in BOTS]
        setup = SimpleNamespace(contests=contests, secret=bytes.fromhex(secret), bots=versions)
        plan = plan_run(run, setup)
        nothing = SimpleNamespace(before={}, tally=None)
        self.planner = Planner(SimpleNamespace(plan=lambda run: []), run, setup, nothing, plan)
        self.duel, self.schedule, self.rated = plan.duel, plan.schedule, 0
        self.results = self.duel.results

    @property
    def end(self):
        return self.planner.run_end

    def plan(self):
        """Return the blocks that can be planned now."""
        return self.planner.extend(self.rated)

    def hear(self, rows):
        """Take the results of the next block."""
        self.rated += 1
        endings = [(row.bot, row.fault) for row in rows]
        self.planner.rate(RatedBlocks(self.rated, len(rows), endings, lambda: rows))


def planned(duel):
    """Return all blocks of *duel* if it hears none of their results before."""
    blocks = []
    while not duel.schedule.over:
        blocks += duel.schedule.next_epoch()
    return blocks


def finishes(block, contest, rank):
    """Return how *block* ends if *rank* says how each bot of each match does: the lowest is first."""
    found = []
    for match in matches_of(block, contest):
        order = sorted(match.bots, key=lambda bot: rank(match, bot))
        ranks = [(order.index(bot) + 1, BOTS[bot]) for bot in match.bots]
        found += [Finish(block.number, match.match, contest.game, bot, r, None) for r, bot in sorted(ranks)]
    return found


def play(duel, contests, rank):
    """Play *duel* to its end, and return the blocks that were played."""
    waiting, played = [], []
    while duel.end is None:
        waiting += duel.plan()
        block, *waiting = waiting
        played.append(block)
        duel.hear(finishes(block, contests[block.contest], rank))
    return played


def new_wins(match, bot):
    return bot


def a_coin(match, bot):
    return Random(7 * match.match + 1_000_003 * bot).random()


def test_two_bots_play_every_deal_from_both_seats():
    blocks = planned(Duel(STELLAR, totals=[40]))
    assert [*range(40)] == [block.number for block in blocks]
    assert [*range(0, 80, 2)] == [block.first_match for block in blocks]
    assert {(0, 1)} == {block.bots for block in blocks}


def test_every_bot_of_the_field_plays_equally_often_and_no_bot_twice_at_a_table():
    blocks = planned(Duel(STELLA, totals=[80]))
    assert {4} == {len(set(block.bots)) for block in blocks}
    for start in range(0, 80, 4):  # as many blocks as the field has bots
        count = Counter(bot for block in blocks[start : start + 4] for bot in block.bots)
        assert {0: 4, 1: 4, 2: 2, 3: 2, 4: 2, 5: 2} == count
    neighbours = Counter(tuple(sorted(block.bots)) for block in blocks)
    assert 6 == len(neighbours)  # all pairs of the field
    assert len({block.bots for block in blocks}) > 20  # orders of seats


def test_the_tables_follow_from_the_secret():
    def tables(secret):
        return [block.bots for block in planned(Duel(STELLA, totals=[50], secret=secret))]

    assert tables("aa" * 16) == tables("aa" * 16)
    assert tables("aa" * 16) != tables("bb" * 16)


@pytest.mark.parametrize(("verdict", "wins"), [(Verdict.BETTER, 1), (Verdict.WORSE, -1)])
def test_a_duel_ends_at_the_look_that_decides_it(verdict, wins):
    duel = Duel(STELLAR)
    played = play(duel, [STELLAR], lambda match, bot: wins * bot)
    assert (16, 16) == (duel.end, len(played))
    (result,) = duel.results()
    assert (verdict, 16, wins) == (result.verdict, result.tally.blocks, result.tally.mean)
    assert 0 < min(wins * result.interval.low, wins * result.interval.high)


def test_a_duel_between_equals_ends_undecided_at_its_last_deal():
    duel = Duel(STELLAR, totals=[40])
    play(duel, [STELLAR], a_coin)
    (result,) = duel.results()
    assert (40, 40, Verdict.UNDECIDED) == (duel.end, result.tally.blocks, result.verdict)
    assert result.interval.low < 0 < result.interval.high


def test_with_a_margin_equals_are_told_to_be_no_more_than_that_better():
    duel = Duel(STELLAR, totals=[3_000], margin=0.2)
    play(duel, [STELLAR], a_coin)
    (result,) = duel.results()
    assert Verdict.NOT_BETTER is result.verdict
    assert result.interval.high < 0.2
    assert 0 == duel.end % 16


def test_each_contest_has_its_share_of_alpha_and_is_decided_by_itself():
    contests = [STELLAR, STELLA]
    duel = Duel(*contests, totals=[1_000, 320])
    played = play(duel, contests, lambda m, bot: bot if m.contest.seats == 2 else a_coin(m, bot))
    stellar, stella = duel.results()
    assert (0.025, 0.025) == (stellar.alpha, stella.alpha)
    assert (Verdict.BETTER, 16) == (stellar.verdict, stellar.tally.blocks)
    assert (Verdict.UNDECIDED, 320) == (stella.verdict, stella.tally.blocks)
    assert {0: 32, 1: 320} == Counter(block.contest for block in played)  # 16 of them do not count
    assert [*range(352)] == [block.number for block in played]


def test_what_is_planned_does_not_depend_on_when_it_is_asked():
    """Results beyond the part before the last must not steer the next one."""
    contests = [STELLAR, STELLA]
    late, early = Duel(*contests), Duel(*contests)
    plan = late.plan()
    assert plan == early.plan()
    ends = early.schedule.ends
    assert 2 == len(ends)
    for block in plan:
        first = block.number < ends[0]
        rank = a_coin if first and block.contest == 1 else new_wins
        late.hear(finishes(block, contests[block.contest], rank))
        if first:
            early.hear(finishes(block, contests[block.contest], rank))
    assert ({0}, {0, 1}) == (early.duel.decided, late.duel.decided)
    third = early.planner.extend(ends[0])
    assert third == late.planner.extend(ends[0])
    assert {1} == {block.contest for block in third}, "the other one was decided by then"


def test_faults_are_counted_for_each_bot():
    (result,) = hear_with_faults(Duel(STELLAR, totals=[16]), STELLAR, new_wins, (1,), 1)
    assert ({}, {"time": 32}) == result.faults


def test_a_block_with_a_void_match_does_not_count():
    duel = Duel(STELLAR, totals=[16])
    for block in planned(duel):
        rows = finishes(block, STELLAR, new_wins)
        duel.hear(rows[:2] if block.number < 6 else rows)
    (result,) = duel.results()
    assert (16, 10) == (duel.end, result.tally.blocks)


# -- faults of the two


def fail(rows, *who):
    """Return *rows* of a match with faults of those bots, who are then behind all others."""
    return [row._replace(fault="time", rank=9) if row.bot in [BOTS[i] for i in who] else row for row in rows]


def hear_with_faults(duel, contest, rank, who, one_in):
    """Let *duel* end; in one of so many blocks, the bots *who* fail in every match of it."""
    for block in planned(duel):
        rows = finishes(block, contest, rank)
        duel.hear(fail(rows, *who) if block.number % one_in == 0 else rows)
    return duel.results()


def test_faults_on_one_side_alone_decide_nothing_and_the_duel_plays_to_its_last_deal():
    """The old bot fails in half of the deals; in the others nobody is better."""
    duel = Duel(STELLAR, totals=[320])
    (result,) = hear_with_faults(duel, STELLAR, a_coin, (1,), 2)
    assert (320, Verdict.UNDECIDED, 320) == (duel.end, result.verdict, result.tally.blocks)
    assert result.interval.low > 0
    assert result.without.interval.low < 0 < result.without.interval.high
    assert (160, 320) == (result.without.tally.blocks, result.faulted)


def test_by_the_rule_of_before_the_same_duel_is_decided():
    duel = Duel(STELLAR, totals=[320], faults="count")
    (result,) = hear_with_faults(duel, STELLAR, a_coin, (1,), 2)
    assert (Verdict.BETTER, None) == (result.verdict, result.without)
    assert duel.end < 320
    assert "count" == msgspec.json.decode(b'{"alpha": 0.05}', type=DuelTerms).faults


def test_a_verdict_that_holds_with_and_without_faults_ends_the_duel_at_the_look_where_both_do():
    """At the first look, eight deals are without a fault, too few to be sure by themselves."""
    duel = Duel(STELLAR, totals=[320])
    (result,) = hear_with_faults(duel, STELLAR, new_wins, (0,), 4)
    assert Verdict.BETTER is result.verdict
    assert 0 < result.interval.low
    assert 0 < result.without.interval.low
    assert 0 == duel.end % 16
    quick = Duel(STELLAR, totals=[320])
    (first,) = hear_with_faults(quick, STELLAR, new_wins, (1,), 2)
    assert (Verdict.BETTER, 32, 16) == (first.verdict, quick.end, first.without.tally.blocks)


def test_opposite_verdicts_decide_nothing():
    """The new bot wins two of three deals in which it does not fail."""

    def rank(match, bot):
        return bot if match.block % 3 else -bot

    duel = Duel(STELLAR, totals=[640])
    (result,) = hear_with_faults(duel, STELLAR, rank, (0,), 2)
    assert result.interval.high < 0 < result.without.interval.low
    assert (640, Verdict.UNDECIDED) == (duel.end, result.verdict)


def test_up_to_five_percent_of_the_matches_faults_are_results_like_others():
    """One match of 20 is exactly 5 %."""
    tally = FaultyTally(2)
    won, failed = ((1, None), (2, None)), ((2, "time"), (1, None))
    tally.add([failed, won])
    for _ in range(9):
        tally.add([won, won])
    assert (1, 20, None) == (tally.faulted, 2 * tally.every.blocks, tally.find_intervals(0.05).clean)
    tally.add([failed, failed])
    assert tally.find_intervals(0.05).clean


def test_a_match_in_which_both_fail_is_one_match():
    tally = FaultyTally(2)
    tally.add([((1, "time"), (1, "crash")), ((1, None), (2, None))])
    assert (1, {"time": 1}, {"crash": 1}) == (tally.faulted, *tally.faults)
    assert (1, 0) == (tally.every.blocks, tally.clean.blocks)


def test_faults_of_the_field_do_not_count():
    duel = Duel(STELLA, totals=[64])
    (result,) = hear_with_faults(duel, STELLA, new_wins, (2, 3, 4, 5), 1)
    assert (Verdict.BETTER, 16, 0, None) == (result.verdict, duel.end, result.faulted, result.without)
    duel = Duel(STELLA, totals=[64])
    (result,) = hear_with_faults(duel, STELLA, new_wins, (1,), 1)
    assert (Verdict.UNDECIDED, 64, 256) == (result.verdict, duel.end, result.faulted)


def test_of_several_contests_each_is_judged_by_its_own_faults():
    contests = [STELLAR, STELLA]
    duel = Duel(*contests, totals=[64, 64])
    for block in planned(duel):
        rows = finishes(block, contests[block.contest], new_wins)
        duel.hear(fail(rows, 1) if block.contest else rows)
    stellar, stella = duel.results()
    assert (Verdict.BETTER, Verdict.UNDECIDED) == (stellar.verdict, stella.verdict)
    assert (16, 64) == (stellar.tally.blocks, stella.tally.blocks)


def test_with_a_margin_both_must_say_that_it_is_no_more_than_that_better():
    duel = Duel(STELLAR, totals=[3_000], margin=0.2)
    (result,) = hear_with_faults(duel, STELLAR, a_coin, (1,), 3)
    assert (3_000, Verdict.UNDECIDED) == (duel.end, result.verdict)
    assert result.interval.low > 0
    assert result.without.interval.high < 0.2
    duel = Duel(STELLAR, totals=[6_000], margin=0.2)
    for block in planned(duel):  # both fail by turns, so they are equal
        rows = finishes(block, STELLAR, a_coin)
        duel.hear(fail(rows, block.number // 10 % 2) if block.number % 10 == 0 else rows)
        if duel.end is not None:
            break
    (result,) = duel.results()
    assert Verdict.NOT_BETTER is result.verdict
    assert result.without.interval.high < 0.2


def test_an_adjusted_duel_leaves_the_luck_of_blocks_with_faults_out_with_them():
    tally = FaultyTally(2, most_luck=15)
    won, failed = ((1, None), (2, None)), ((2, "time"), (1, None))
    tally.add([won, won], luck=4)
    tally.add([failed, failed], luck=-6)
    assert [(0.8, 1)] == tally.clean.by_score()
    assert [(-0.7, 1), (0.8, 1)] == tally.every.by_score()
    assert tally.find_intervals(0.05).clean
