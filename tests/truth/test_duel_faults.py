"""Are the verdicts of duels true where faults end matches that their bots would have played on?

Blocks are drawn as in test_duel.py.  Then a bot fails in some matches, at random, whatever it does in them:
that is what a machine does that is too busy, or a network that breaks.  Full size: `LADDER_TRUTH=full`.
"""

import math
from random import Random

import pytest
from support.tilted_blocks import source_of
from support.worlds import halve_count

from results.rating.betting import LOOK_BLOCKS, log_wealth
from results.rating.duel_question import FaultyTally, Verdict

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]

ALPHA = 0.05
GOAL = math.log(2 / ALPHA)
MOST_BLOCKS = 1_600
RATES = [(0.2, 0.0), (0.0, 0.2), (0.4, 0.1), (0.3, 0.3), (0.08, 0.0), (0.9, 0.0)]
"""How often the first and the second bot fail in a match."""


def ends_of(result, rates, rng):
    """Return how the matches of a block with this *result* end if the two fail at these *rates*."""
    ranks = [(1, 2)] * result.wins + [(1, 1)] * result.draws + [(2, 1)] * result.losses
    ends = []
    for first, second in ranks:
        failed = [rng.random() < rate for rate in rates]
        if any(failed):
            first, second = (2 if fails and not all(failed) else 1 for fails in failed)
        ends.append(((first, "time" if failed[0] else None), (second, "time" if failed[1] else None)))
    return ends


def duel(source, rates, rng, rule="agree"):
    """Play a duel to its end.  The wealth says sooner than the intervals that there is no verdict."""
    tally = FaultyTally(source.seats, rule=rule)
    while tally.every.blocks < MOST_BLOCKS:
        for result in rng.choices(source.results, cum_weights=source.up_to, k=LOOK_BLOCKS):
            tally.add(ends_of(result, rates, rng))
        if max(log_wealth(tally.every, 0.0), log_wealth(tally.every, 0.0, above=False)) > GOAL:
            verdict = tally.find_intervals(ALPHA).judge()
            if verdict is not Verdict.UNDECIDED:
                return verdict
    assert Verdict.UNDECIDED is tally.find_intervals(ALPHA).judge()
    return Verdict.UNDECIDED


def verdicts(effect, rates, count, rule="agree"):
    """Return the verdicts of duels at Stellar between bots that are *effect* apart when they do not fail."""
    source = source_of("stellar-2", effect)
    return [duel(source, rates, Random(f"{effect}/{rates}/{n}"), rule) for n in range(count)]


@pytest.mark.parametrize("rates", RATES)
def test_faults_at_random_make_no_bot_better_or_worse_than_its_equal(rates):
    """In at most 5 of 100 duels, as without faults."""
    count = halve_count(8, 1000)
    found = verdicts(0.0, rates, count)
    sure = count - found.count(Verdict.UNDECIDED)
    print(f"{rates}: {sure} of {count} duels of equals are decided")
    assert sure <= ALPHA * count + 2 * math.sqrt(ALPHA * (1 - ALPHA) * count)


@pytest.mark.parametrize("rates", [*RATES, (0.04, 0.0), (0.0, 0.04)])
@pytest.mark.parametrize("effect", [0.3, -0.3])
def test_faults_at_random_never_turn_a_verdict_round(effect, rates):
    count = halve_count(6, 500)
    false = Verdict.WORSE if effect > 0 else Verdict.BETTER
    assert 0 == verdicts(effect, rates, count).count(false)


def test_by_the_rule_of_before_they_did():
    """The test of the test: what the rule guards against is there."""
    assert [Verdict.WORSE] * 10 == verdicts(0.0, (0.4, 0.1), 10, rule="count")
    assert [Verdict.WORSE] * 10 == verdicts(0.3, (0.9, 0.0), 10, rule="count")


@pytest.mark.parametrize("rates", [(0.1, 0.0), (0.1, 0.1), (0.04, 0.0)])
def test_a_bot_that_is_worse_is_told_to_be_worse_with_faults_too(rates):
    assert [Verdict.WORSE] * 10 == verdicts(-0.4, rates, 10)


def test_a_bot_that_fails_when_it_loses_is_not_better():
    """Without the deals with faults it is ahead; with them it is its equal."""
    source, count = source_of("stellar-2", 0.0), halve_count(10, 500)
    better = 0
    for number in range(count):
        rng, tally = Random(f"when losing/{number}"), FaultyTally(source.seats)
        verdict = Verdict.UNDECIDED
        while tally.every.blocks < MOST_BLOCKS and verdict is Verdict.UNDECIDED:
            for result in rng.choices(source.results, cum_weights=source.up_to, k=LOOK_BLOCKS):
                tally.add([fail_when_losing(*match, rng) for match in ends_of(result, (0.0, 0.0), rng)])
            verdict = tally.find_intervals(ALPHA).judge()
        assert tally.find_intervals(ALPHA).clean.low > 0
        better += verdict is Verdict.BETTER
    assert better <= ALPHA / 2 * count + 2 * math.sqrt(ALPHA / 2 * count)


def fail_when_losing(first, second, rng):
    """Return how a match ends for both, in half of which the first one fails if it loses."""
    fails = first[0] > second[0] and rng.random() < 0.5
    return (first[0], "crash" if fails else None), second
