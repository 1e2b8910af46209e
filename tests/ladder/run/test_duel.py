"""The plan and the end of a duel: pure functions of its results."""

from __future__ import annotations

from collections import Counter
from random import Random

from ladder.contest.blocks import Contest, matches_of
from ladder.contest.keys import Keys
from ladder.run.duel import Duel
from ladder.run.schedule import Known
from results.rating.betting import Verdict
from results.record import DuelTerms
from results.storage.finishes import Finish

BOTS = [(name, "v") for name in ("new", "old", "c", "d", "e", "f")]
STELLAR = Contest("stellar", 2, {}, (0, 1))
STELLA = Contest("stella", 4, {}, (0, 1, 2, 3, 4, 5))


def a_duel(*contests, totals=None, margin=None):
    terms = DuelTerms(alpha=0.05, margin=margin)
    return Duel(contests, BOTS, Keys(b"k" * 16), terms, totals or [1_000] * len(contests))


def planned(duel):
    blocks = []
    while not duel.over:
        blocks += duel.next_epoch(Known())
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
    """Play *duel* as a Coordinator does: an epoch is planned when the one before the last is over."""
    waiting, played = [], []
    while not duel.over and duel.end is None:
        while not duel.over and (len(duel.ends) < 2 or len(played) >= duel.ends[-2]):
            waiting += duel.next_epoch(Known())
        block, *waiting = waiting
        played.append(block)
        duel.hear(finishes(block, contests[block.contest], rank))
    while duel.end is None:
        block, *waiting = waiting
        played.append(block)
        duel.hear(finishes(block, contests[block.contest], rank))
    return played


def new_wins(match, bot):
    return bot


def a_coin(match, bot):
    return Random(7 * match.match + 1_000_003 * bot).random()


def test_two_bots_play_every_deal_from_both_seats():
    blocks = planned(a_duel(STELLAR, totals=[40]))
    assert [*range(40)] == [block.number for block in blocks]
    assert [*range(0, 80, 2)] == [block.first_match for block in blocks]
    assert {(0, 1)} == {block.bots for block in blocks}


def test_every_bot_of_the_field_plays_equally_often_and_no_bot_twice_at_a_table():
    blocks = planned(a_duel(STELLA, totals=[80]))
    assert {4} == {len(set(block.bots)) for block in blocks}
    for start in range(0, 80, 4):  # as many blocks as the field has bots
        count = Counter(bot for block in blocks[start : start + 4] for bot in block.bots)
        assert {0: 4, 1: 4, 2: 2, 3: 2, 4: 2, 5: 2} == count
    neighbours = Counter(tuple(sorted(block.bots)) for block in blocks)
    assert 6 == len(neighbours)  # all pairs of the field
    assert len({block.bots for block in blocks}) > 20  # orders of seats


def test_the_tables_follow_from_the_secret():
    def tables(secret):
        terms = DuelTerms(alpha=0.05)
        return [b.bots for b in planned(Duel([STELLA], BOTS, Keys(secret), terms, [50]))]

    assert tables(b"a" * 16) == tables(b"a" * 16)
    assert tables(b"a" * 16) != tables(b"b" * 16)


def test_a_duel_ends_at_the_look_that_decides_it():
    duel = a_duel(STELLAR)
    played = play(duel, [STELLAR], new_wins)
    assert (16, 16) == (duel.end, len(played))
    (result,) = duel.results()
    assert (Verdict.BETTER, 16, 1.0) == (result.verdict, result.tally.blocks, result.tally.mean)
    assert result.interval.low > 0


def test_the_worse_bot_is_told_too():
    duel = a_duel(STELLAR)
    play(duel, [STELLAR], lambda match, bot: -bot)
    assert Verdict.WORSE is duel.results()[0].verdict


def test_a_duel_between_equals_ends_undecided_at_its_last_deal():
    duel = a_duel(STELLAR, totals=[40])
    play(duel, [STELLAR], a_coin)
    (result,) = duel.results()
    assert (40, 40, Verdict.UNDECIDED) == (duel.end, result.tally.blocks, result.verdict)
    assert result.interval.low < 0 < result.interval.high


def test_with_a_margin_equals_are_told_to_be_no_more_than_that_better():
    duel = a_duel(STELLAR, totals=[3_000], margin=0.2)
    play(duel, [STELLAR], a_coin)
    (result,) = duel.results()
    assert Verdict.NOT_BETTER is result.verdict
    assert result.interval.high < 0.2
    assert 0 == duel.end % 16


def test_each_contest_has_its_share_of_alpha_and_is_decided_by_itself():
    contests = [STELLAR, STELLA]
    duel = a_duel(*contests, totals=[1_000, 320])
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
    late, early = a_duel(*contests), a_duel(*contests)
    plan = [late.next_epoch(Known()), late.next_epoch(Known())]
    assert plan == [early.next_epoch(Known()), early.next_epoch(Known())]
    for block in [*plan[0], *plan[1]]:
        first = block.number < early.ends[0]
        rank = a_coin if first and block.contest == 1 else new_wins
        late.hear(finishes(block, contests[block.contest], rank))
        if first:
            early.hear(finishes(block, contests[block.contest], rank))
    assert [True, False] == [contest.decided is not None for contest in early._contests]
    assert [True, True] == [contest.decided is not None for contest in late._contests]
    assert late.next_epoch(Known()) == early.next_epoch(Known())


def test_faults_are_counted_for_each_bot():
    duel = a_duel(STELLAR, totals=[16])
    for block in planned(duel):
        rows = finishes(block, STELLAR, new_wins)
        duel.hear([row._replace(fault="time" if row.bot == BOTS[1] else None) for row in rows])
    assert ({}, {"time": 32}) == duel.results()[0].faults


def test_a_block_with_a_void_match_does_not_count():
    duel = a_duel(STELLAR, totals=[16])
    for block in planned(duel):
        rows = finishes(block, STELLAR, new_wins)
        duel.hear(rows[:2] if block.number < 6 else rows)
    (result,) = duel.results()
    assert (16, 10) == (duel.end, result.tally.blocks)
