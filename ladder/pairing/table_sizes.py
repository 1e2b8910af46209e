"""Choose the sizes of the tables of a round, so that as few entrants as possible sit out."""

from collections.abc import Collection
from functools import lru_cache
from typing import NamedTuple


class Sizes(NamedTuple):
    """The sizes of the tables of one round, larger ones first."""

    tables: tuple[int, ...]
    byes: int
    """How many entrants sit out."""

    misfit: tuple[int, int]
    """How many tables are larger than wanted, and how many seats, in sum, are more or fewer than wanted."""


def share_tables(entrants: int, sizes: Collection[int], seats: int) -> Sizes:
    """Return the table sizes for a round of *entrants*; *sizes* are those of the game, *seats* is wanted.

    Wanted tables of two seats stay tables of two: with an odd number, one sits out.  Otherwise sizes are
    compared in this order: fewest sit out; fewest tables larger than wanted; fewest seats, in sum, more or
    less than wanted; as equal as possible.
    """
    usable = (2,) if seats == 2 else tuple(sorted(sizes))
    found = _best(entrants, usable, seats)
    byes = next((byes for byes in range(entrants) if found[entrants - byes] is not None), entrants)
    (over, apart, _), tables = found[entrants - byes] or ((0, 0, 0), ())
    return Sizes(tuple(sorted(tables, reverse=True)), byes, (over, apart))


@lru_cache(maxsize=64)
def _best(
    entrants: int, sizes: tuple[int, ...], seats: int
) -> tuple[tuple[tuple[int, int, int], tuple[int, ...]] | None, ...]:
    """Return, for each number of entrants, the cost and the sizes of tables without a bye, if possible."""
    best: list[tuple[tuple[int, int, int], tuple[int, ...]] | None] = [((0, 0, 0), ())]
    for number in range(1, entrants + 1):
        choices = []
        for size in sizes:
            if size <= number and (rest := best[number - size]) is not None:
                over, apart, squares = rest[0]
                cost = (over + (size > seats), apart + abs(size - seats), squares + size * size)
                choices.append((cost, (*rest[1], size)))
        best.append(min(choices, default=None))
    return tuple(best)
