"""Which ends intervals have: by chains of results, inside a part of a field both, between two at most one."""

import math
from dataclasses import replace

import pytest

from results.rating.fit import fit, zero_point
from results.rating.one_sided import Z_95
from results.rating.outcomes import Counts, FinishOrder
from results.rating.parameters import Draws, Parameters

BETA = 25 / 6
OF = Parameters(BETA, Draws.of(1e-9))
A, B, C, D, E = ((name, "1") for name in "abcde")
CHAIN = ((A, B, 50), (B, C, 30), (C, B, 31), (C, D, 40))
"""a never lost, d never won, b and c are even."""


def of(*results, parameters=OF, before=None):
    counts = Counts()
    for winner, loser, count in results:
        counts.outcomes[FinishOrder((winner, loser), (False,))] = count
    return fit(counts, parameters, before)


def which(ends):
    """Return which ends there are, as a text."""
    return "".join(name if end is not None else "-" for name, end in zip("<>", ends, strict=True))


def test_a_difference_has_the_ends_to_which_chains_of_results_lead():
    found = of(*CHAIN)
    told = [which(found.interval_of_difference(i, j)) for i in range(4) for j in range(i + 1, 4)]
    assert ["<-", "<-", "<-", "<>", "<-", "<-"] == told
    assert "->" == which(found.interval_of_difference(3, 0))
    assert ["<-", "<>", "<>", "->"] == [which(found.interval(i)) for i in range(4)]
    for i, j in ((0, 1), (3, 2), (0, 3)):
        there, back = found.interval_of_difference(i, j), found.interval_of_difference(j, i)
        assert there == tuple(None if end is None else -end for end in reversed(back))
        assert 1.0 == pytest.approx(found.p_above(i, j) + found.p_above(j, i))


@pytest.mark.parametrize("wins", [1, 5, 6, 60, 1000])
def test_so_many_wins_without_a_loss_are_as_rare_at_the_end_as_1_in_40(wins):
    low, high = of((A, B, wins)).interval_of_difference(0, 1)
    chance = 0.5 * math.erfc(-low / (math.sqrt(2) * BETA) / math.sqrt(2))
    assert (0.025, None) == (pytest.approx(chance**wins, rel=1e-3), high)
    assert (wins >= 6) == of((A, B, wins)).surely_above(0, 1)


def test_a_tie_leads_both_ways():
    counts = Counts({FinishOrder((A, B), (False,)): 50, FinishOrder((A, B), (True,)): 1})
    found = fit(counts, OF)
    assert ["<>", "<>"] == [which(found.interval(i)) for i in range(2)]
    assert "<>" == which(found.interval_of_difference(0, 1))


def test_over_two_gaps_an_end_is_farther_than_over_one():
    found = of(*CHAIN)
    over_one, over_both = (found.difference(0, j)[1] for j in (1, 3))
    assert over_both > math.hypot(found.difference(2, 3)[1], over_one) * 0.9
    assert over_both < found.difference(2, 3)[1] + over_one


def test_bots_that_only_others_connect_are_not_compared():
    found = of((A, B, 40), (A, C, 40), (B, D, 30), (D, B, 30), (B, E, 20))
    c = found.bots.index(C)
    assert (None, None) == found.interval(c) == found.interval_of_difference(c, found.bots.index(D))
    assert 0.5 == found.p_above(c, found.bots.index(D))
    assert not found.surely_above(found.bots.index(D), c)
    assert 0.0 == found.lead(found.bots.index(D), c)
    assert "<-" == which(found.interval_of_difference(0, c))


# -- the core


def test_the_interval_of_a_rating_is_that_of_the_distance_to_the_core():
    found = of(*CHAIN)
    weights = zero_point(found.precision)
    share = weights[1] / (weights[1] + weights[2])
    v = found.covariance
    spread = (1 - share) ** 2 * (v[1][1] + v[2][2] - 2 * v[1][2])
    low, high = found.interval(1)
    assert [found.mu[1]] * 2 == pytest.approx(
        [low + Z_95 * math.sqrt(spread), high - Z_95 * math.sqrt(spread)]
    )


def test_where_all_reach_each_other_it_is_what_it_was():
    found = of((A, B, 30), (B, A, 20), (B, C, 30), (C, A, 9))
    assert [found.sigma(i) for i in range(3)] == [each.error for each in found.own]


def test_of_equal_parts_the_higher_rated_is_the_core():
    found = of((A, B, 40))
    assert (found.mu[0], found.mu[0]) == found.interval(0)
    assert [0, 0] == [each.core for each in found.own]
    low, high = found.interval(1)
    assert (None, found.mu[1] + Z_95 * found.difference(0, 1)[1]) == (low, pytest.approx(high))


def test_an_anchor_takes_the_place_of_the_core_in_its_group():
    tied = replace(OF, anchor=A, anchor_rating=30.0)
    found = of(*CHAIN, (E, ("f", "1"), 9), (("f", "1"), E, 9), parameters=tied)
    assert (30.0, 30.0) == found.interval(0)
    for i in (1, 2, 3):
        ends = found.interval_of_difference(i, 0)
        assert (None, pytest.approx(30.0 + ends[1])) == found.interval(i)
    assert ["<>", "<>"] == [which(found.interval(i)) for i in (4, 5)]
    away = of(*CHAIN, parameters=replace(OF, anchor=("away", "1")))
    assert away.own == of(*CHAIN).own


def test_in_groups_that_never_met_intervals_are_as_if_each_were_alone():
    even = [(A, B, 300), (B, A, 290)]
    together = of(*even, (C, D, 20), (D, C, 25))
    for i in (0, 1):
        assert of(*even).own[i].error == pytest.approx(together.own[i].error, rel=0.01)
    assert (None, None) == together.interval_of_difference(0, 2)
    assert together.covariance[0][0] > 100 * together.own[0].error ** 2


def test_a_bot_alone_has_no_interval():
    alone = of(before=of((A, B, 5)).quadratic().marginal([A]))
    assert ((25.0,), (None, None)) == (alone.mu, alone.interval(0))


# -- earlier matches


def test_what_earlier_matches_said_is_kept_and_a_loss_ends_it():
    first = of(*CHAIN)
    before = first.quadratic()
    again = of(before=before)
    for i in range(4):
        assert first.interval(i) == pytest.approx(again.interval(i))
        assert first.interval_of_difference(0, i) == pytest.approx(again.interval_of_difference(0, i))
    few = of((A, D, 40), before=before.marginal([A, D]))
    assert ("<-", True) == (which(few.interval_of_difference(0, 1)), few.surely_above(0, 1))
    later = of((A, B, 40), before=before)
    assert later.difference(0, 1)[1] < first.difference(0, 1)[1]
    beaten = of((B, A, 1), before=before)
    assert ["<>", "<>", "<>", "->"] == [which(beaten.interval(i)) for i in range(4)]
