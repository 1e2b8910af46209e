"""The draw probabilities that are chosen are those with which the matches were played."""

import random

import pytest
from support.skill_worlds import BETA, blocks_of, counted

from results.rating.draws import GRID, choose_draws
from results.rating.fit import fit
from results.rating.outcomes import Counts, Outcome
from results.rating.parameters import Draws, Parameters

SKILLS = [random.Random(4).gauss(25, 4) for _ in range(8)]
OF = Parameters(BETA, Draws.of(0.02))


def chosen(counts):
    return choose_draws(counts, fit(counts, OF), BETA)


def test_the_grid_doubles_from_0_0005_to_0_9():
    assert (0.0005, 0.001, 0.512, 0.9) == (*GRID[:2], *GRID[-2:])
    assert 12 == len(GRID)


@pytest.mark.parametrize("draws", [GRID[0], GRID[5], GRID[9]])
def test_two_seats_show_how_often_they_tie(draws):
    assert {2: draws} == chosen(counted(blocks_of(SKILLS, 2, 1500, draws=draws)))


def test_each_table_size_has_its_own():
    both = counted(
        blocks_of(SKILLS, 2, 1500, draws=GRID[3]), blocks_of(SKILLS, 4, 300, draws=GRID[8], seed=3)
    )
    found = chosen(both)
    assert [2, 4] == list(found)
    assert GRID[3] == found[2]
    assert found[4] in GRID[7:10]


def test_without_a_tie_it_is_the_smallest_and_with_ties_alone_the_largest():
    a, b = ("a", "1"), ("b", "1")
    assert {2: GRID[0]} == chosen(Counts({Outcome((a, b), (False,)): 5, Outcome((b, a), (False,)): 5}))
    assert {2: GRID[-1]} == chosen(Counts({Outcome((a, b), (True,)): 50}))
    assert {} == chosen(Counts())


def test_the_order_of_matches_does_not_matter():
    blocks = blocks_of(SKILLS, 3, 200)
    assert chosen(counted(blocks)) == chosen(counted(blocks[::-1]))
