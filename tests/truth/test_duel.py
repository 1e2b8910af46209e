"""Are the verdicts of duels true?  Blocks are drawn from real ones, tilted to a known effect, and looked at.

Real blocks are those of the house bots, see tests/support/house_play.py.  Their sides are exchanged, so that
the effect is 0, and then tilted exponentially to the effect that is asked for.  Full size is 500 to 2,000
duels for each game: `LADDER_TRUTH=full pytest -m slow tests/truth/test_duel.py`.
"""

import math
import re
from random import Random
from statistics import fmean, stdev
from typing import NamedTuple

import pytest
from support.house_play import CONTESTS, recorded_tally, tally_of
from support.tilted_blocks import source_of
from support.worlds import FULL, halve_count, scale_count

from ladder.api.duels import EXIT_CODES
from results.rating.betting import LOOK_BLOCKS, Interval, find_interval, log_wealth
from results.rating.duel_question import BEFORE, DuelQuestion, Verdict, judge
from results.rating.duel_tally import Tally
from results.rating.stop_lean import estimate_mean
from results.reports.document import BotRef
from results.reports.duel_document import DuelSubject, duel_document
from results.reports.duel_report import ContestResult
from results.reports.values_as_text import say

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]  # full size takes minutes a test

ALPHA = 0.05
GOAL = math.log(2 / ALPHA)
MOST_BLOCKS = 20_000


APART = DuelQuestion("apart", 0.03)
"""The question of a duel that is asked for nothing else: within 48.5 to 51.5 wins of 100."""


NO_WORSE = DuelQuestion("not much worse", 0.04)
"""The question of `--no-worse 2`."""


class End(NamedTuple):
    """Where a duel ended, and what its verdict was."""

    verdict: Verdict
    blocks: int
    tally: Tally
    interval: Interval | None = None


def looks(source, rng):
    """Yield the same tally, with more blocks each time, at every look."""
    tally = Tally(source.seats, dict.fromkeys(source.results, 0))
    while tally.blocks < MOST_BLOCKS:
        for result in rng.choices(source.results, cum_weights=source.up_to, k=LOOK_BLOCKS):
            tally.counts[result] += 1
        yield tally


def is_over(tally, question):
    """Return whether a duel ends, by the wealth at the means that it asks about.

    That says the same as the interval and is found sooner; this is checked where a duel ends.
    """
    if log_wealth(tally, question.passes_above) > GOAL:
        return True
    if log_wealth(tally, question.fails_below, above=False) > GOAL:
        return True
    near = question.apart
    return near is not None and (
        log_wealth(tally, near, above=False) > GOAL and log_wealth(tally, -near) > GOAL
    )


def duel(source, rng, question=BEFORE):
    """Play a duel to its end."""
    for tally in looks(source, rng):
        if is_over(tally, question):
            interval = find_interval(tally, ALPHA)
            verdict = judge(interval, question)
            assert verdict != Verdict.UNDECIDED
            return End(verdict, tally.blocks, tally, interval)
    interval = find_interval(tally, ALPHA)
    assert Verdict.UNDECIDED == judge(interval, question)
    return End(Verdict.UNDECIDED, tally.blocks, tally, interval)


def duels(contest, effect, count, question=BEFORE):
    source = source_of(contest, effect)
    return [duel(source, Random(f"{contest}/{effect}/{number}"), question) for number in range(count)]


def chance_of_at_most(most, of, p):
    """Return how likely at most *most* of *of* events happen, each with probability *p*."""
    return math.fsum(math.comb(of, k) * p**k * (1 - p) ** (of - k) for k in range(most + 1))


@pytest.mark.parametrize("contest", CONTESTS)
def test_equal_bots_are_told_apart_in_at_most_five_of_a_hundred_duels(contest):
    """Looked at every 16 blocks; "better" and "worse" come in at most 2.5 % of the duels each."""
    count = halve_count(40, 500)
    ends = duels(contest, 0.0, count)
    better, worse = ([end.verdict for end in ends].count(v) for v in (Verdict.BETTER, Verdict.WORSE))
    print(f"{contest}: better {better / count:.1%}, worse {worse / count:.1%} of {count} duels of equals")
    slack = 2 * math.sqrt(0.025 * 0.975 / count)  # the Monte Carlo error: 1.4 % in 500 duels
    assert better / count <= 0.025 + slack
    assert worse / count <= 0.025 + slack
    assert (better + worse) / count <= 0.05 + slack


@pytest.mark.parametrize("contest", CONTESTS)
@pytest.mark.parametrize("effect", [0.02, 0.10])
def test_the_interval_holds_the_true_effect_at_all_looks(contest, effect):
    """At effect 0 the test of equal bots says it already: the interval lost 0 where there was a verdict."""
    count = halve_count(12, 500)
    source = source_of(contest, effect)
    held = sum(
        all(
            max(log_wealth(tally, effect), log_wealth(tally, effect, above=False)) < GOAL
            for tally in looks(source, Random(f"{contest}/held/{effect}/{number}"))
        )
        for number in range(count)
    )
    print(f"{contest}: the interval holds {effect} at all looks in {held / count:.1%} of {count} duels")
    assert chance_of_at_most(held, count, 0.95) > 0.01


@pytest.mark.parametrize(("effect", "most", "gate"), [(0.20, 160, 200), (0.10, 560, 80), (0.05, 2400, 40)])
def test_at_stellar_a_duel_takes_about_as_many_deals_as_the_readme_says(effect, most, gate):
    count = scale_count(gate, 2000)
    ends = duels("stellar-2", effect, count)
    mean = fmean(end.blocks for end in ends)
    print(f"stellar-2: {effect:.0%} takes {mean:,.0f} deals on average")
    assert mean <= most
    assert [end.verdict for end in ends].count(Verdict.WORSE) <= 0.025 * count
    assert [end.verdict for end in ends].count(Verdict.BETTER) >= 0.97 * count


def test_at_stellar_two_percent_is_told_in_twenty_thousand_deals():
    count = halve_count(40, 500)
    ends = duels("stellar-2", 0.02, count)
    decided = [end.verdict for end in ends].count(Verdict.BETTER)
    print(f"stellar-2: 2 % decided in {decided / count:.0%}, {fmean(e.blocks for e in ends):,.0f} deals")
    if FULL:
        assert decided / count >= 0.8
    else:
        assert chance_of_at_most(decided, count, 0.8) > 0.01


def test_at_stellar_a_margin_of_two_percent_ends_most_duels_of_equals():
    count = halve_count(40, 500)
    verdicts = [end.verdict for end in duels("stellar-2", 0.0, count, DuelQuestion("before", 0.02))]
    print(f"stellar-2: --margin 2 at effect 0 ends {1 - verdicts.count(Verdict.UNDECIDED) / count:.0%}")
    assert verdicts.count(Verdict.NOT_BETTER) / count >= 0.7


def test_equals_are_told_to_be_no_more_than_three_wins_of_100_apart_before_the_last_deal():
    """And at the bound of that, they are told so in at most 2.5 of 100 duels."""
    count = halve_count(16, 1000)
    equal = [end.verdict for end in duels("stellar-2", 0.0, count, APART)]
    bound = [end.verdict for end in duels("stellar-2", 0.03, count, APART)]
    print(f"not apart: {equal.count(Verdict.NOT_APART)} of equals, {bound.count(Verdict.NOT_APART)} at 51.5")
    assert equal.count(Verdict.NOT_APART) >= 0.85 * count
    assert bound.count(Verdict.NOT_APART) <= 0.025 * count + 2 * math.sqrt(0.025 * 0.975 * count)


@pytest.mark.parametrize(
    ("effect", "question", "false"),
    [
        (0.0, APART, (Verdict.BETTER, Verdict.WORSE)),
        (0.05, DuelQuestion("margin", 0.05), (Verdict.BETTER,)),
        (-0.04, NO_WORSE, (Verdict.NO_WORSE, Verdict.WORSE)),
    ],
)
def test_false_verdicts_come_in_at_most_five_of_a_hundred_duels_whatever_is_asked(effect, question, false):
    """At the means where they are likeliest."""
    count = halve_count(16, 1000)
    wrong = sum(end.verdict in false for end in duels("stella-quest-4", effect, count, question))
    print(f"{question.rule} at {effect}: {wrong} of {count} are false")
    assert chance_of_at_most(wrong - 1, count, 0.05 if len(false) > 1 else 0.025) < 0.99


@pytest.mark.parametrize(("contest", "effect"), [("stellar-2", 0.10), ("stella-4", 0.20)])
def test_the_estimate_is_right_on_average_where_the_mean_at_the_stop_leans(contest, effect):
    """To within a tenth of the effect."""
    count = halve_count(50, 1000)
    tallies = [end.tally for end in duels(contest, effect, count, APART)]
    means = [tally.mean for tally in tallies]
    found = [estimate_mean(tally, APART, ALPHA, MOST_BLOCKS) for tally in tallies]
    noise = stdev(found) / math.sqrt(count)
    print(f"{contest} {effect}: mean {fmean(means):.4f}, estimate {fmean(found):.4f} +- {noise:.4f}")
    assert fmean(means) > 1.1 * effect - 2 * noise
    assert abs(fmean(found) - effect) < 0.1 * effect + (0 if FULL else 2 * noise)


# -- --no-worse 2 at a known truth


@pytest.mark.parametrize(
    ("wins", "code", "gate", "share"),
    [(49.5, 0, 8, 0.95), (49.0, 0, 8, 0.7), (48.5, 6, 6, 0.5), (47.0, 5, 8, 0.7)],
)
def test_no_worse_answers_what_was_asked(wins, code, gate, share):
    """Between 48 and 50 a bot is worse, and passes; below 48 it fails; half a win from 48 few duels tell."""
    count = scale_count(gate, 400)
    ends = duels("stellar-2", wins / 50 - 1, count, NO_WORSE)
    codes = [EXIT_CODES[end.verdict] for end in ends]
    print(f"--no-worse 2 at {wins}: exit codes {[(each, codes.count(each)) for each in (0, 5, 6)]}")
    false = 0 if wins < 48 else 5
    assert chance_of_at_most(codes.count(false) - 1, count, ALPHA / 2) < 0.99
    assert codes.count(code) >= share * count - 2 * math.sqrt(share * (1 - share) * count)
    for end in ends:
        says_so = "mine is worse, and whether by more than 2 is not known" in line_of(end, NO_WORSE)
        is_between = end.interval.high < 0 and end.verdict is Verdict.UNDECIDED
        assert says_so == is_between


def test_by_the_rule_up_to_0_6_no_worse_failed_bots_that_it_asked_to_pass():
    """The test of the test: that 48.5 of 100 is less than 50 is found first."""
    count = scale_count(8, 400)
    verdicts = [end.verdict for end in duels("stellar-2", -0.03, count, DuelQuestion("no worse", 0.04))]
    print(f"by the rule up to 0.6: {verdicts.count(Verdict.WORSE)} of {count} are worse at 48.5")
    assert verdicts.count(Verdict.WORSE) >= count / 2


# -- what is printed


def line_of(end, question):
    """Return the line that tells people how a duel ended."""
    result = ContestResult(
        "stellar", end.tally, end.interval, end.verdict, ALPHA, ({}, {}), question=question, total=MOST_BLOCKS
    )
    bots = BotRef("mine"), BotRef("old")
    (lines,) = duel_document(DuelSubject(bots, [result]), "public").parts
    return say(lines.lines[0], {})


def numbers_of(line):
    """Return the wins of 100 that a line tells, and the ends of their interval."""
    return [float(each) for each in re.search(r"wins (\S+) of 100 \((\S+) to (\S+)\)", line).groups()]


@pytest.mark.parametrize("contest", ["stellar-2", "stella-4"])
@pytest.mark.parametrize(("wins", "most"), [(1, 1.3), (3, 3.6), (8, 9.3), (85, 85.9)])
def test_a_lopsided_duel_prints_what_it_counted(contest, wins, most):
    """Up to 0.6 it printed 1.8, 4.2, 10.1 and 83.4."""
    count = scale_count(25, 2000)
    ends = duels(contest, wins / 50 - 1, count, APART)
    printed = [numbers_of(line_of(end, APART))[0] for end in ends]
    noise = stdev(printed) / math.sqrt(count)
    print(f"{contest}: true {wins}, printed {fmean(printed):.2f} +- {noise:.2f}")
    assert 2 * wins - most - 2 * noise < fmean(printed) < most + (0 if FULL else 2 * noise)


@pytest.mark.parametrize(
    ("question", "effects"),
    [
        (APART, (-0.1, 0.0, 0.3)),
        (DuelQuestion("margin", 0.05), (-0.05, 0.0, 0.2)),
        (DuelQuestion("margin", 0.04, 0.0), (0.1, -0.03)),
        (NO_WORSE, (0.05, -0.15)),
    ],
)
def test_an_end_that_decides_is_never_printed_on_what_it_excludes(question, effects):
    """And none is printed a digit away from where it is, or beyond the estimate."""
    for effect in effects:
        for end in duels("stellar-2", effect, scale_count(3, 100), question):
            wins, low, high = numbers_of(line_of(end, question))
            assert low <= wins <= high
            assert [50 + 50 * each for each in end.interval] == pytest.approx([low, high], abs=0.5)
            printed = Interval(low / 50 - 1, high / 50 - 1)
            assert judge(printed, question) is end.verdict, line_of(end, question)


def guessing(source, rng, expect):
    """Play a duel that ends with better, worse or not apart, and expects a mean score."""
    tally = Tally(source.seats, guess=APART.guess(expect))
    while tally.blocks < MOST_BLOCKS:
        for won, drawn, lost in rng.choices(source.results, cum_weights=source.up_to, k=LOOK_BLOCKS):
            tally.add([(1, 2)] * won + [(1, 1)] * drawn + [(2, 1)] * lost)
        tally.terms = tally.next_terms()
        if is_over(tally, APART):
            break
    return End(judge(find_interval(tally, ALPHA), APART), tally.blocks, tally)


@pytest.mark.parametrize("contest", ["stellar-2", "stella-4"])
def test_a_right_guess_saves_a_sixth_of_the_deals_or_more(contest):
    count, source = halve_count(50, 1000), source_of(contest, 0.20)
    right, none = (
        fmean(guessing(source, Random(f"guess/{n}"), expect).blocks for n in range(count))
        for expect in (0.20, None)
    )
    print(f"{contest}: {right:,.0f} deals where 60 of 100 are expected, {none:,.0f} without")
    assert right < (0.85 if FULL else 0.95) * none


@pytest.mark.parametrize("expect", [0.10, 0.0, -0.10])
def test_a_wrong_guess_makes_no_verdict_false(expect):
    """Of equals, which no guess of these expects but one."""
    count, source = halve_count(12, 1000), source_of("stella-quest-4", 0.0)
    verdicts = [guessing(source, Random(f"wrong/{n}"), expect).verdict for n in range(count)]
    wrong = verdicts.count(Verdict.BETTER) + verdicts.count(Verdict.WORSE)
    print(f"{wrong} of {count} duels of equals are decided where {expect} is expected")
    assert chance_of_at_most(wrong - 1, count, 0.05) < 0.99


@pytest.mark.parametrize("contest", CONTESTS)
def test_recorded_blocks_are_such_as_the_house_bots_play(contest):
    """A few blocks are played again: each has a result that was recorded, and always the same one."""
    played = tally_of(CONTESTS[contest], 3)
    assert played.counts == tally_of(CONTESTS[contest], 3).counts
    assert played.counts.keys() <= recorded_tally(contest).counts.keys()
    assert CONTESTS[contest].blocks == recorded_tally(contest).blocks
