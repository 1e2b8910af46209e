"""The estimate of a duel's difference, without the lean of the stop."""

import math

import pytest

from results.rating.betting import LOOK_BLOCKS, find_interval, log_wealth
from results.rating.duel_question import BEFORE, DuelQuestion
from results.rating.duel_tally import BlockResult, Tally
from results.rating.stop_lean import estimate_mean

WON, LOST, SPLIT = BlockResult(2, 0, 0), BlockResult(0, 0, 2), BlockResult(1, 0, 1)


@pytest.mark.parametrize("question", [BEFORE, DuelQuestion("apart", 0.03)])
def test_a_duel_that_ended_because_it_looked_large_is_smaller(question):
    tally = Tally(2, {WON: 64, LOST: 28, SPLIT: 68})
    assert tally.mean == pytest.approx(0.225)
    assert find_interval(tally, 0.05).low > 0
    estimate = estimate_mean(tally, question, 0.05, 20_000)
    assert estimate is not None
    assert 0.10 < estimate < 0.21


def test_the_other_bot_has_the_same_difference_with_the_other_sign():
    tallies = [Tally(2, {WON: won, LOST: lost, SPLIT: 70}) for won, lost in ((60, 30), (30, 60))]
    for question in (BEFORE, DuelQuestion("apart", 0.03)):
        one, other = (estimate_mean(each, question, 0.05, 20_000) for each in tallies)
        assert one is not None
        assert other == pytest.approx(-one, abs=1e-4)


def test_a_duel_of_one_look_ends_there_whatever_it_finds_so_nothing_leans():
    tally = Tally(2, {WON: 7, LOST: 4, SPLIT: 5})
    assert tally.mean == pytest.approx(estimate_mean(tally, BEFORE, 0.05, LOOK_BLOCKS), abs=0.002)


def test_a_difference_near_nothing_hardly_leans():
    tally = Tally(2, {WON: 1010, LOST: 990, SPLIT: 2000})
    assert tally.mean == pytest.approx(estimate_mean(tally, BEFORE, 0.05, 4_000), abs=0.01)


def test_without_blocks_or_without_variance_there_is_nothing_to_correct():
    assert estimate_mean(Tally(2), BEFORE, 0.05, 100) is None
    assert 1.0 == estimate_mean(Tally(2, {WON: 16}), BEFORE, 0.05, 20_000)


def test_a_coin_that_decides_at_the_first_two_looks_is_corrected_as_all_its_ends_say():
    """All ends of a duel of two looks, where 13 wins of 16 are just enough at the first, are counted."""
    alpha = 2 * math.exp(-log_wealth(Tally(1, {BlockResult(1, 0, 0): 13, BlockResult(0, 0, 1): 3}), 0.0))
    won = 13
    tally = Tally(1, {BlockResult(1, 0, 0): won, BlockResult(0, 0, 1): 16 - won})

    def mean_at_end(p):
        """Return the mean at the end if a match is won with the probability *p*."""
        first = [math.comb(16, k) * p**k * (1 - p) ** (16 - k) for k in range(17)]
        found = 0.0
        for k, chance in enumerate(first):
            if k >= 13 or k <= 3:
                found += chance * (2 * k - 16) / 16
            else:
                found += chance * (2 * k - 16 + 16 * (2 * p - 1)) / 32
        return found

    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if mean_at_end(middle) < tally.mean else (low, middle)  # type: ignore[operator]  # there are blocks
    estimate = estimate_mean(tally, BEFORE, alpha, 32)
    assert 2 * low - 1 == pytest.approx(estimate, abs=0.03)
