"""Spread seeds: the order of a bracket, and the tables of a round.  Seed 0 is the best."""

from collections.abc import Sequence
from itertools import cycle
from typing import TypeVar

T = TypeVar("T")


def bracket_order(slots: int) -> list[int]:
    """Return the seeds of a bracket from top to bottom, such as 0 7 3 4 1 6 2 5; *slots* is a power of two.

    If the better seed always wins, seeds k and 2^r - 1 - k meet where 2^r are left.
    """
    order = [0]
    while len(order) < slots:
        size = 2 * len(order)
        order = [seed for best in order for seed in (best, size - 1 - best)]
    return order


def spread(entrants: Sequence[T], sizes: Sequence[int]) -> list[list[T]]:
    """Deal *entrants*, best first, to tables of *sizes*: forwards, then backwards, and so on.

    So the best are at different tables, and the best of them meets the weakest of the next.
    """
    tables: list[list[T]] = [[] for _ in sizes]
    turns = cycle([*range(len(sizes)), *reversed(range(len(sizes)))])
    for entrant in entrants:
        tables[next(index for index in turns if len(tables[index]) < sizes[index])].append(entrant)
    return tables
