"""Whether one rating a bot is the wrong picture: misfit, cycles, and orders that depend on the size."""

import random

import pytest
from support.counted import add_block
from support.skill_worlds import BETA, blocks_of, bots_named, count_blocks

from results.rating.calibration import calibrate
from results.rating.fit import fit
from results.rating.misfit import find_misfit, find_size_gaps
from results.rating.outcomes import Counts, FinishOrder
from results.rating.parameters import Draws, Parameters

OF = Parameters(BETA, Draws.of(0.05))
A, B, C, D = bots_named(4)


def wins(counts, winner, loser, won, lost):
    for first, second, times in ((winner, loser, won), (loser, winner, lost)):
        for _ in range(times):
            add_block(counts, [FinishOrder((first, second), (False,))])


def test_the_misfit_is_that_of_calibration_and_needs_no_other_fit():
    counts = count_blocks(blocks_of([25, 28, 31, 22], 2, 300))
    wins(counts, A, C, 90, 10)
    known, whole = fit(counts, OF), calibrate(counts, Counts(), OF)
    found = find_misfit(known, counts, {}, OF)
    assert (whole.misfit, whole.misfit_z, whole.is_wrong) == (found.misfit, found.misfit_z, found.is_wrong)
    assert (True, whole.pairs[0]) == (found.is_large, found.worst)


def test_the_surest_cycle_is_one_of_those_of_calibration():
    counts = Counts()
    wins(counts, A, B, 70, 30)
    wins(counts, B, C, 75, 25)
    wins(counts, C, A, 80, 20)
    wins(counts, C, D, 75, 25)
    wins(counts, D, B, 90, 10)
    wins(counts, D, A, 51, 49)
    wins(counts, B, C, 60, 20)
    whole, found = calibrate(counts, Counts(), OF), find_misfit(fit(counts, OF), counts, {}, OF)
    assert 2 == len(whole.cycles)
    assert found.cycle in whole.cycles
    assert {B, C, D} == set(found.cycle.bots)


def test_ratings_that_fit_have_no_cycle_and_no_large_misfit():
    counts = count_blocks(blocks_of([25, 28, 31, 22], 2, 600))
    found = find_misfit(fit(counts, OF), counts, {}, OF)
    assert (None, False, False) == (found.cycle, found.is_large, found.is_wrong)
    assert not find_misfit(fit(Counts(), OF), Counts(), {}, OF).is_wrong


@pytest.mark.parametrize("seed", range(5))
def test_equal_skills_at_all_sizes_turn_no_pair(seed):
    skills = [*map(random.Random(seed).gauss, [25] * 8, [3] * 8)]
    parts = [blocks_of(skills, seats, 1600 // seats**2, 100 + seed) for seats in (2, 3, 4)]
    assert () == find_size_gaps({i: fit(count_blocks(part), OF) for i, part in enumerate(parts, 2)})


def test_bots_whose_order_depends_on_the_size_are_found_and_the_surest_is_named():
    two = fit(count_blocks(blocks_of([20.0, 23.0, 25.0, 27.0, 30.0], 2, 800)), OF)
    four = fit(count_blocks(blocks_of([20.0, 27.0, 25.0, 23.0, 30.0], 4, 200, seed=2)), OF)
    found, bots = find_size_gaps({2: two, 4: four}), bots_named(5)
    surest = found[0]
    assert (bots[3], bots[1]) == (surest.above, surest.below)
    assert (2, 4) == (surest.seats, surest.other)
    assert surest.difference == pytest.approx(4, abs=1.5)
    assert surest.reverse == pytest.approx(4, abs=1.5)
    assert 1 <= len(found) <= 3
    assert surest.z == max(gap.z for gap in found)
    assert () == find_size_gaps({2: two})


def test_more_luck_at_larger_tables_is_no_other_order():
    narrow = fit(count_blocks(blocks_of([24.0, 25.0, 26.0, 27.0], 4, 300)), OF)
    wide = fit(count_blocks(blocks_of([19.0, 24.0, 29.0, 34.0], 2, 900)), OF)
    assert () == find_size_gaps({2: wide, 4: narrow})


def test_bots_that_never_met_at_a_size_are_not_compared_there():
    apart, met = Counts(), Counts()
    wins(apart, A, B, 90, 10)
    wins(apart, C, D, 90, 10)
    wins(met, D, A, 90, 10)
    assert () == find_size_gaps({2: fit(apart, OF), 3: fit(met, OF)})
    wins(apart, B, C, 90, 10)
    gap = find_size_gaps({2: fit(apart, OF), 3: fit(met, OF)})[0]
    assert (A, D) == (gap.above, gap.below)


def test_two_orders_at_two_sizes_are_no_cycle_and_no_misfit():
    """A before B before C at two seats, where A and C never meet, and B before C before A at three."""
    two = [block for block in blocks_of([31, 27, 23], 2, 1200) if {A, C} != {*block[0].bots}]
    counts = count_blocks(two, blocks_of([21, 29, 25], 3, 200))
    known, by_size = fit(counts, OF), {seats: fit(counts.at_tables_of(seats), OF) for seats in (2, 3)}
    found = find_misfit(known, counts, by_size, OF)
    assert (None, False) == (found.cycle, found.is_large)
    assert find_misfit(known, counts, {}, OF).misfit > 0.05
