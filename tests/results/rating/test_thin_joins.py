"""Parts of a field that hardly met are found, in any order, and nothing is in a field that mixed."""

import random

import pytest
from support.counted import add_block

from results.rating.fit import fit
from results.rating.outcomes import Counts, FinishOrder
from results.rating.parameters import Parameters
from results.rating.thin_joins import ThinJoin, find_thin_joins


def field(parts, blocks, across, seats=2, seed=1):
    """Return tables of *parts*, sets of bots with *blocks* inside each, and the joins *across* them."""
    rng, tables = random.Random(seed), {}
    drawn = [rng.sample(part, seats) for part in parts for _ in range(blocks)]
    drawn += [
        [rng.choice(parts[one]), rng.choice(parts[other])] for one, other, n in across for _ in range(n)
    ]
    for table in drawn:
        bots = tuple(sorted(table))
        tables[bots] = tables.get(bots, 0) + 1
    return tables


@pytest.mark.parametrize("across", [1, 2, 10, 40])
@pytest.mark.parametrize("seats", [2, 4])
def test_two_parts_that_met_in_few_blocks_are_found(across, seats):
    bots = random.Random(across).sample(range(38), 38)
    one, other = sorted([sorted(bots[:20]), sorted(bots[20:])])
    tables = field([one, other], 1000, [(0, 1, across)], seats)
    assert (ThinJoin(tuple(one), tuple(other), across),) == find_thin_joins([range(38)], tables)


def test_large_parts_in_which_most_bots_never_met_are_found():
    one, other = [*range(0, 300, 2)], [*range(1, 300, 2)]
    tables = field([one, other], 900, [(0, 1, 3)])
    assert (ThinJoin(tuple(one), tuple(other), 3),) == find_thin_joins([range(300)], tables)


def test_of_three_parts_each_join_is_told():
    parts = [[0, 1, 2, 3], [4, 5, 6, 7, 8], [9, 10, 11, 12, 13]]
    found = find_thin_joins([range(14)], field(parts, 500, [(0, 1, 2), (1, 2, 7)]))
    assert [2, 7] == [join.blocks for join in found]


@pytest.mark.parametrize("seed", range(20))
def test_a_field_that_mixed_has_none_however_few_its_blocks(seed):
    for size, blocks in ((20, 60), (20, 1000), (100, 400), (6, 200)):
        assert () == find_thin_joins([range(size)], field([[*range(size)]], blocks, [], seed=seed))


def test_a_newcomer_is_no_part_and_parts_that_never_met_are_groups():
    settled = field([[*range(8)]], 1000, [])
    assert () == find_thin_joins([range(9)], {**settled, (3, 8): 1})
    two = field([[0, 1, 2, 3], [4, 5, 6, 7]], 100, [])
    assert () == find_thin_joins([[0, 1, 2, 3], [4, 5, 6, 7]], two)


def test_a_fit_knows_them_in_any_order():
    rng, counts, again = random.Random(2), Counts(), Counts()
    bots = [[(f"{part}{i}", "1") for i in range(6)] for part in "ab"]
    tables = [rng.sample(part, 2) for part in bots for _ in range(300)] + [[bots[0][0], bots[1][0]]] * 2
    blocks = [[FinishOrder(tuple(rng.sample(table, 2)), (False,)) for _ in (1, 2)] for table in tables]
    for block in blocks:
        add_block(counts, block)
    for block in reversed(blocks):
        add_block(again, block)
    found = fit(counts, Parameters())
    assert (ThinJoin(tuple(range(6)), tuple(range(6, 12)), 2),) == found.thin_joins
    assert found == fit(again, Parameters())
