"""A series ends exactly when no way of playing on changes who goes on."""
# the expected value stands on the left, in every test

from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement, product
from random import Random

import pytest

from ladder.pairing.event_table import count_must_play, is_decided, score_match


@lru_cache
def blocks_of(size):
    """Return all distinct results of a block: the scores, as a block has as many matches as seats."""
    matches = {
        tuple(score_match([1 + sum(other < mine for other in keys) for mine in keys]))
        for keys in product(range(size), repeat=size)
    }
    return {
        tuple(sum(scores, Fraction()) / size for scores in zip(*chosen, strict=True))
        for chosen in combinations_with_replacement(sorted(matches), size)
    }


def play_on(totals, blocks):
    """Return all totals after *blocks* more."""
    found = {tuple(totals)}
    for _ in range(blocks):
        found = {
            tuple(total + score for total, score in zip(totals, block, strict=True))
            for totals in found
            for block in blocks_of(len(next(iter(found))))
        }
    return found


def who_goes_on(totals, go_on):
    """Return who goes on by *totals*; None if a tie leaves it open."""
    order = sorted(range(len(totals)), key=lambda index: -totals[index])
    if totals[order[go_on - 1]] == totals[order[go_on]]:
        return None
    return frozenset(order[:go_on])


def brute_decided(totals, go_on, left):
    found = {who_goes_on(totals, go_on) for totals in play_on(totals, left)}
    return len(found) == 1 and None not in found


def brute_must_play(totals, go_on, left):
    for blocks in range(left + 1):
        if any(brute_decided(after, go_on, left - blocks) for after in play_on(totals, blocks)):
            return blocks
    return max(1, left)


@pytest.mark.parametrize("left", [0, 1, 2, 3])
def test_two_are_decided_exactly(left):
    for quarters in product(range(0, 13, 1), repeat=2):
        totals = [Fraction(quarter, 4) for quarter in quarters]
        assert brute_decided(totals, 1, left) == is_decided(totals, 1, left)
        if quarters[0] >= quarters[1]:
            assert (0 if brute_decided(totals, 1, left) else brute_must_play(totals, 1, left)) == (
                count_must_play(totals, 1, left, 2)
            )


@pytest.mark.parametrize("go_on", [1, 2])
@pytest.mark.parametrize("left", [0, 1])
def test_three_are_decided_exactly(go_on, left):
    luck = Random(f"{go_on}/{left}")
    for _ in range(25):
        totals = [Fraction(luck.randrange(25), 12) for _ in range(3)]
        assert brute_decided(totals, go_on, left) == is_decided(totals, go_on, left)
        if not is_decided(totals, go_on, left):
            assert 1 == count_must_play(totals, go_on, left, 3)


@pytest.mark.parametrize("go_on", [1, 2])
def test_three_must_play_as_few_blocks_as_can_decide(go_on):
    """One of two blocks is enough exactly if some result of it leaves the last one without a say."""
    luck = Random(go_on)
    found = set()
    for _ in range(60):
        totals = [Fraction(luck.randrange(25), 12) for _ in range(3)]
        if is_decided(totals, go_on, 2):
            continue
        is_enough = any(is_decided(after, go_on, 1) for after in play_on(totals, 1))
        assert (1 if is_enough else 2) == count_must_play(totals, go_on, 2, 3)
        found.add(is_enough)
    assert {True, False} == found


@pytest.mark.parametrize(("size", "go_on"), [(2, 1), (3, 2), (4, 2), (6, 3), (5, 1)])
def test_blocks_that_must_be_played_are_never_wasted(size, go_on):
    """However they are played, the series is not over before they are; and one more way leads on."""
    luck = Random(f"{size}/{go_on}")
    for _ in range(30):
        totals, left = [Fraction()] * size, 12
        while must := count_must_play(totals, go_on, left, size):
            for block in range(must):
                assert not is_decided(totals, go_on, max(0, left - block))
                for _ in range(size):
                    keys = [luck.gauss(-entrant, 1) for entrant in range(size)]
                    scores = score_match([1 + sum(other > key for other in keys) for key in keys])
                    totals = [total + score / size for total, score in zip(totals, scores, strict=True)]
            left = max(0, left - must)
        assert is_decided(totals, go_on, left)


def test_the_better_half_can_be_sure_early():
    assert 7 == count_must_play([Fraction()] * 2, 1, 12, 2)
    assert is_decided([Fraction(4), Fraction(0)], 1, 3)
    assert not is_decided([Fraction(3), Fraction(0)], 1, 3)
    assert 1 == count_must_play([Fraction(3), Fraction(3)], 1, 0, 2)
