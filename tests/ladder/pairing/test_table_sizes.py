"""Sizes of tables: all entrants have a seat if the game has tables for them."""
# the expected value stands on the left, in every test

from itertools import combinations_with_replacement

import pytest

from ladder.pairing.table_sizes import share_tables


@pytest.mark.parametrize(
    ("entrants", "sizes", "seats", "tables", "byes"),
    [
        (24, (2, 3, 4), 4, (4,) * 6, 0),
        (5, (2, 3, 4), 4, (3, 2), 0),
        (6, (2, 3, 4), 4, (3, 3), 0),
        (9, (2, 3, 4), 4, (3, 3, 3), 0),
        (10, range(2, 7), 4, (4, 3, 3), 0),
        (7, (3, 4, 5), 3, (4, 3), 0),
        (5, (3, 4, 5), 4, (5,), 0),
        (33, range(2, 7), 6, (6, 6, 6, 5, 5, 5), 0),
        (6, (4,), 4, (4,), 2),
        (7, (2, 3, 4), 2, (2, 2, 2), 1),
        (3, (4,), 4, (), 3),
    ],
)
def test_tables_are_shared(entrants, sizes, seats, tables, byes):
    assert (tables, byes) == share_tables(entrants, sizes, seats)[:2]


@pytest.mark.parametrize("sizes", [(2, 3), (2, 3, 4), (4,), (3, 5), (2, 3, 4, 5, 6), (6,)])
def test_no_other_sizes_are_better(sizes):
    seats = max(sizes)
    for entrants in range(1, 21):
        choices = [
            (entrants - sum(tables), sum(seats - size for size in tables), sum(size**2 for size in tables))
            for count in range(1 + entrants // min(sizes))
            for tables in combinations_with_replacement(sizes, count)
            if sum(tables) <= entrants
        ]
        found = share_tables(entrants, sizes, seats)
        cost = (found.byes, sum(seats - size for size in found.tables), sum(s**2 for s in found.tables))
        assert min(choices) == cost
        assert entrants == sum(found.tables) + found.byes
