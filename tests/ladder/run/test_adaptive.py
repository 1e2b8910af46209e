"""What an adaptive epoch plays: the weight of a pair, shares by largest remainders, floor, cap and fill."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, cycle
from math import exp, inf, pi, sqrt
from statistics import NormalDist

import pytest

from ladder.run.adaptive import adaptive_tables, openness

BETA = 25 / 6


def symmetric(weights):
    """Return *weights* of pairs as those of bots."""
    bots = {bot for pair in weights for bot in pair}
    return {
        i: {j: weights[min(i, j), max(i, j)] for j in bots if (min(i, j), max(i, j)) in weights} for i in bots
    }


def tables_of(bots, seats, count, weights, played=None, floor=0.0, cap=inf):
    round_robin = cycle(combinations(range(bots), seats))
    return adaptive_tables(
        range(bots), seats, count, played or {}, floor, min(cap, 10**9), symmetric(weights), round_robin
    )


def by_weight(bots, seats, count, weights, **limits):
    """Return the second half of an epoch, which goes by weight."""
    return tables_of(bots, seats, 2 * count, weights, **limits)[count:]


# -- the weight of a pair


@pytest.mark.parametrize(("difference", "error"), [(0.0, 1.0), (1.0, 0.5), (-3.0, 4.0), (12.0, 9.0), (30, 8)])
def test_a_weight_is_the_chance_of_the_other_order_times_what_a_match_tells(difference, error):
    """Specification R8: Phi(-|d| / se) * phi(y)^2 / (Phi(y) Phi(-y)), y = d / (sqrt(2) beta)."""
    normal = NormalDist()
    y = difference / (sqrt(2) * BETA)
    told = (exp(-y * y / 2) / sqrt(2 * pi)) ** 2 / (normal.cdf(y) * normal.cdf(-y))
    expected = normal.cdf(-abs(difference) / error) * told
    assert expected == pytest.approx(openness(difference, error, BETA), rel=1e-9)


def test_a_weight_falls_with_the_difference_and_rises_with_the_error():
    assert openness(0, 1, BETA) > openness(1, 1, BETA) > openness(2, 1, BETA) > openness(20, 1, BETA) > 0
    assert openness(1, 2, BETA) > openness(1, 1, BETA) > openness(1, 0.2, BETA)
    assert openness(1, 2, BETA) == openness(-1, 2, BETA)


@pytest.mark.parametrize("difference", [200.0, 1e4, 1e9])
def test_of_bots_that_are_hopelessly_apart_nothing_is_open(difference):
    assert 0.0 == openness(difference, 0.1, BETA) == openness(-difference, 0.1, BETA)


# -- shares


def test_pairs_have_shares_by_weight_and_the_rest_goes_to_the_largest_remainders():
    found = by_weight(3, 2, 10, {(0, 1): 5.0, (0, 2): 3.3, (1, 2): 1.7})
    assert {(0, 1): 5, (0, 2): 3, (1, 2): 2} == Counter(found)


def test_of_equal_remainders_the_pair_of_the_first_bots_has_one_more():
    found = by_weight(3, 2, 10, {(0, 1): 1.0, (0, 2): 1.0, (1, 2): 1.0})
    assert {(0, 1): 4, (0, 2): 3, (1, 2): 3} == Counter(found)


def test_shares_do_not_depend_on_the_scale_of_the_weights():
    weights = {(0, 1): 5.0, (0, 2): 3.3, (1, 2): 1.7}
    for scale in (1e-300, 1e-9, 1e9):
        scaled = {pair: weight * scale for pair, weight in weights.items()}
        assert by_weight(3, 2, 100, weights) == by_weight(3, 2, 100, scaled)


@pytest.mark.parametrize("weights", [{}, {(0, 1): 0.0}])
def test_without_any_weight_the_round_robin_goes_on(weights):
    assert list(combinations(range(4), 2)) * 2 == tables_of(4, 2, 12, weights)


def test_an_odd_table_more_is_round_robin():
    assert [(0, 1), (0, 2), (1, 3)] == tables_of(4, 2, 3, {(1, 3): 1.0})


# -- floor and cap


def test_bots_below_the_floor_play_first_against_each_other_as_long_as_there_are_two():
    weights = {(0, 1): 1.0, (1, 2): 0.5, (3, 4): 0.1}
    found = tables_of(5, 2, 6, weights, played={0: 9, 1: 9, 2: 4, 3: 5, 4: 9}, floor=7)
    assert [(2, 3), (2, 3), (1, 2)] == found[:3]
    assert [(0, 1), (0, 2)] == found[3:5], "half of what is left, rounded up, is a round robin"
    assert [(0, 1)] == found[5:], "the other half goes by weight"


def test_what_a_bot_at_the_cap_cannot_play_is_divided_again_by_weight():
    weights = {(0, 1): 6.0, (0, 2): 2.0, (1, 2): 1.0, (2, 3): 1.0}
    found = by_weight(4, 2, 10, weights, cap=12)  # the round robin before has given bot 0 six blocks
    assert {(0, 1): 6, (1, 2): 1, (2, 3): 3} == Counter(found)


def test_if_all_are_at_the_cap_those_with_the_fewest_blocks_play():
    found = by_weight(3, 2, 1, {(0, 1): 1.0, (1, 2): 1.0}, played={0: 9, 1: 7, 2: 8}, cap=3)
    assert [(1, 2)] == found


# -- larger tables


def test_a_table_is_filled_with_the_bots_whose_matches_with_those_seated_have_the_most_weight():
    weights = {(0, 1): 9.0, (0, 2): 0.1, (1, 2): 0.1, (0, 3): 0.15, (1, 3): 0.0, (2, 4): 0.3, (3, 4): 0.0}
    found = by_weight(5, 3, 9, weights)
    assert 9 == found.count((0, 1, 2)), "0.2 for bot 2, 0.15 for bot 3, 0 for bot 4"
    assert (0, 1, 2, 4) in by_weight(5, 4, 9, weights), "with 2 at the table, 4 has more than 3"


def test_of_bots_with_equal_weight_the_one_with_the_fewest_blocks_fills_a_table():
    found = by_weight(5, 3, 1, {(0, 1): 1.0}, played={2: 3, 3: 1, 4: 2})
    assert [(0, 1, 3)] == found


@pytest.mark.parametrize(("bots", "seats"), [(3, 3), (5, 3), (9, 4), (7, 6)])
def test_every_table_is_full_and_the_number_of_tables_is_right_whatever_the_cap(bots, seats):
    weights = {(i, j): 1 / (1 + abs(i - j)) for i, j in combinations(range(bots), 2)}
    for cap in (1, 7, 30, inf):
        found = tables_of(bots, seats, 40, weights, floor=3, cap=cap)
        assert 40 == len(found)
        assert all(seats == len(set(table)) and list(table) == sorted(table) for table in found)
