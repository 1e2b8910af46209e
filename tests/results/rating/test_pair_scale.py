"""How sure the ratings of bots are that met in pairs, and whether one scale fits them."""

from itertools import combinations
from math import erfc
from random import Random
from statistics import fmean, stdev

import pytest
from support.full import gate_or_full
from support.pair_ratings import rate_each_other

from results.rating.reference_score import BETA, margins_of, misfit_a_pair

RATINGS = {"a": 12.0, "b": 20.0, "c": 25.0, "d": 27.0, "e": 33.0}


def draw(rng, number, ratings=RATINGS):
    """Return *number* results of each pair."""
    found = {}
    for one, other in combinations(ratings, 2):
        chance = erfc((ratings[other] - ratings[one]) / (2 * BETA)) / 2
        wins = sum(rng.random() < chance for _ in range(number))
        found[one, other] = (wins, 0, number - wins)
    return found


def test_margins_are_what_ratings_vary_by():
    rng = Random(1)
    drawn = [rate_each_other(draw(rng, 100), "c") for _ in range(gate_or_full(60, 1000))]
    told = margins_of(draw(rng, 100), RATINGS, "c")
    assert [*told] == ["a", "b", "d", "e"]
    for bot, margin in told.items():
        assert margin == pytest.approx(1.96 * stdev(each[bot] for each in drawn), rel=0.3)


def test_four_times_the_meetings_halve_a_margin():
    pairs = draw(Random(2), 200)
    more = {pair: tuple(4 * each for each in counts) for pair, counts in pairs.items()}
    few, many = (margins_of(each, RATINGS, "c") for each in (pairs, more))
    assert few == pytest.approx({bot: 2 * margin for bot, margin in many.items()}, rel=0.01)


def test_chi_squared_a_pair_is_about_1_on_one_scale_and_far_above_it_in_a_cycle():
    rng = Random(3)
    assert 1.0 == pytest.approx(
        fmean(misfit_a_pair(draw(rng, 100), RATINGS) for _ in range(gate_or_full(100, 1000))), abs=0.2
    )
    cycle = {("a", "b"): (80, 0, 20), ("b", "c"): (80, 0, 20), ("a", "c"): (20, 0, 80)}
    assert 36.0 == pytest.approx(misfit_a_pair(cycle, dict.fromkeys("abc", 25.0)))


def test_a_pair_of_which_too_little_is_expected_says_nothing():
    assert 0.0 == misfit_a_pair({("a", "e"): (3, 0, 97)}, RATINGS)
