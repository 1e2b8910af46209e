"""The draw probabilities that are chosen are those with which the matches were played."""

import random
from itertools import pairwise

import pytest
from support.skill_worlds import BETA, blocks_of, count_blocks

from results.rating.draw_probability import GRID, choose_draws, measure_draws
from results.rating.fit import fit, fit_pairs
from results.rating.outcomes import Counts, FinishOrder
from results.rating.pairs import count_pairs
from results.rating.parameters import Draws, Parameters

SKILLS = [*map(random.Random(4).gauss, [25] * 8, [4] * 8)]


def chosen(counts):
    known = fit(counts, Parameters(BETA, Draws.of(0.02)))
    return {seats: choose_draws(same, known, BETA) for seats, same in count_pairs(counts.outcomes).items()}


def test_the_grid_goes_in_steps_of_a_tenth_from_0_0005_to_0_9():
    assert (0.0005, 0.00055, 0.9) == (*GRID[:2], GRID[-1])
    assert sorted(GRID) == [*GRID]
    assert all(1.05 < more / less < 1.12 for less, more in pairwise(GRID))


@pytest.mark.parametrize("draws", [0.01, 0.05, 0.3])
def test_two_seats_show_how_often_they_tie(draws):
    assert chosen(count_blocks(blocks_of(SKILLS, 2, 1500, draws=draws)))[2] == pytest.approx(draws, rel=0.2)


def test_each_table_size_has_its_own():
    both = count_blocks(blocks_of(SKILLS, 2, 1500, draws=0.03), blocks_of(SKILLS, 4, 300, draws=0.15, seed=3))
    found = chosen(both)
    assert [2, 4] == list(found)
    assert found[2] == pytest.approx(0.03, rel=0.2)
    assert found[4] == pytest.approx(0.15, rel=0.25)


def test_without_a_tie_it_is_the_smallest_and_with_ties_alone_the_largest():
    a, b = ("a", "1"), ("b", "1")
    assert {2: GRID[0]} == chosen(
        Counts({FinishOrder((a, b), (False,)): 5, FinishOrder((b, a), (False,)): 5})
    )
    assert {2: GRID[-1]} == chosen(Counts({FinishOrder((a, b), (True,)): 50}))
    assert {} == chosen(Counts())


def test_draws_are_measured_from_200_matches_on_and_each_size_by_itself():
    two, four = blocks_of(SKILLS, 2, 1500, draws=0.2), blocks_of(SKILLS, 4, 49, draws=0.15, seed=3)
    more = blocks_of(SKILLS, 4, 50, draws=0.15, seed=3)
    alone = measure_draws(count_blocks(two), BETA)
    assert alone == {2: pytest.approx(0.2, rel=0.15)}
    assert alone == measure_draws(count_blocks(two, four), BETA)
    assert alone[2] == measure_draws(count_blocks(two, more), BETA)[2]
    assert [2, 4] == [*measure_draws(count_blocks(two, more), BETA)]
    assert {} == measure_draws(Counts(), BETA)
    assert {2: GRID[0]} == measure_draws(count_blocks(blocks_of(SKILLS, 2, 100, draws=1e-9)), BETA)


def test_what_is_measured_is_chosen_again_by_skills_that_rest_on_it():
    counts = count_blocks(blocks_of(SKILLS, 3, 300, draws=0.3))
    measured = measure_draws(counts, BETA)
    of, pairs = Parameters(BETA, Draws.of(measured[3])), count_pairs(counts.outcomes)
    assert {3: choose_draws(pairs[3], fit_pairs(pairs, {}, of), BETA)} == measured
