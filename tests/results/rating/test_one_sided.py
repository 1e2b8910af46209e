"""Bots that won all or lost all: what the matches say is one end of the interval, and that must be right."""

import math

import pytest
from support.skill_worlds import BETA, blocks_of, bots_named, count_blocks

from results.rating.fit import fit, fit_pairs
from results.rating.one_sided import Z_95
from results.rating.outcomes import Counts, FinishOrder
from results.rating.pairs import count_pairs
from results.rating.parameters import Draws, Parameters

OF = Parameters(BETA, Draws.of(1e-9))
A, B, C, D = (("a", "1"), ("b", "1"), ("c", "1"), ("d", "1"))


def wins(*results):
    return Counts({FinishOrder((winner, loser), (False,)): count for winner, loser, count in results})


def test_so_many_wins_without_a_loss_are_as_rare_at_the_end_as_1_in_40():
    for count in (6, 60, 1000):
        found = fit(wins((A, B, count)), OF)
        d, se = found.difference(0, 1)
        chance = 0.5 * math.erfc(-(d - Z_95 * se) / (math.sqrt(2) * BETA) / math.sqrt(2))
        assert 0.025 == pytest.approx(chance**count, rel=1e-3)


@pytest.mark.parametrize(
    ("count", "told_apart"), [(1, False), (5, False), (6, True), (60, True), (5000, True)]
)
def test_six_wins_of_six_tell_two_bots_apart(count, told_apart):
    """As the sign test does: 1 in 64 is below 1 in 40, 1 in 32 is not.  More wins are never less sure."""
    found = fit(wins((A, B, count)), OF)
    assert told_apart == found.surely_above(0, 1)
    assert told_apart == (found.p_above(0, 1) > 0.975)
    assert (1, -1) == (found.lean(0).side, found.lean(1).side)


def test_only_the_end_that_matches_set_is_told():
    found = fit(wins((A, B, 50), (B, C, 30), (C, B, 31), (C, D, 40)), OF)
    low, high = found.interval(0)
    assert (None, True) == (high, low < found.mu[0])
    assert found.interval(3)[0] is None
    assert None not in (*found.interval(1), *found.interval(2))
    assert [1, None, None, -1] == [lean and lean.side for lean in map(found.lean, range(4))]


def test_bots_that_won_all_matches_except_against_each_other_have_no_limit_together():
    found = fit(wins((A, B, 9), (B, A, 7), (A, C, 50), (B, D, 50), (C, D, 400), (D, C, 380)), OF)
    assert [1, 1] == [lean.side for lean in found.leans[:2]]
    assert found.surely_above(0, 2)
    assert found.surely_above(1, 3)
    assert not found.surely_above(0, 1)
    plain = found.covariance
    expected = plain[0][0] + plain[1][1] - 2 * plain[0][1]
    assert math.sqrt(expected) == pytest.approx(found.difference(0, 1)[1])


def test_two_that_won_all_and_never_met_are_not_told_apart():
    main = ((C, D, 400), (D, C, 380))
    found = fit(wins((A, C, 500), (B, C, 7), *main), OF)
    assert not found.surely_above(0, 1)
    assert not found.surely_above(1, 0)
    found = fit(wins((A, C, 50), (B, C, 50), (A, B, 20), *main), OF)
    assert found.surely_above(0, 1)


def test_a_draw_or_a_loss_sets_a_limit():
    draw = wins((A, B, 50))
    draw.outcomes[FinishOrder((A, B), (True,))] = 1
    assert (None, None) == (fit(draw, OF).lean(0), fit(draw, OF).lean(1))
    assert () == fit(wins((A, B, 50), (B, A, 1)), OF).leans


@pytest.mark.parametrize("seats", [3, 4])
def test_larger_tables_are_read_by_their_pairs(seats):
    skills = [60.0, *[25.0] * 6]
    counts = count_blocks(blocks_of(skills, seats, 120))
    best = bots_named(7)[0]
    for found in (fit(counts, OF), fit_pairs(count_pairs(counts.outcomes), counts.blocks, OF)):
        assert 1 == found.lean(found.bots.index(best)).side
        assert [(1, 1)] == found.places(range(7))[:1]
        assert 1 == sum(map(bool, found.leans))


def test_what_earlier_matches_said_is_kept_and_a_loss_ends_it():
    early = wins((A, B, 400), (B, C, 60), (C, B, 70))
    before = fit(early, OF)
    later = fit(wins((A, C, 40), (B, C, 5), (C, B, 4)), OF, before.quadratic().marginal([A, B, C]))
    assert 1 == later.lean(0).side
    assert later.surely_above(0, 1)
    beaten = fit(wins((B, A, 1)), OF, before.quadratic())
    assert () == beaten.leans
    alone = fit(Counts(), OF, before.quadratic())
    assert before.difference(0, 1) == pytest.approx(alone.difference(0, 1))
    part = before.quadratic().marginal([A, C])
    assert [1, None] == [lean and lean.side for lean in part.leans]


def test_leans_are_the_same_in_any_order():
    blocks = blocks_of([70.0, 66.0, *[25.0] * 5, -20.0], 3, 60)
    found = fit(count_blocks(blocks), OF)
    assert found.leans
    assert found == fit(count_blocks(blocks[::-1]), OF)
