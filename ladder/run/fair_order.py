"""The order of the tables of an epoch.  Every prefix is as fair as the whole: a run may end anywhere."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from random import Random
from typing import NamedTuple

AHEAD = 16
"""The number of rows of a contest among which the next one is chosen."""


def order_fairly(
    epoch: Sequence[Sequence[tuple[int, ...]]], before: Sequence[int]
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield the tables of all contests with their contest, so that every prefix is as fair as the whole.

    A run that ends early has then played an equal part of every contest, and every bot an equal part of its
    matches: the next table of a contest is the one whose bots have played the smallest part so far.
    *before*: the number of blocks of each contest in earlier epochs.
    """
    rows = [_rows(tables, blocks) for tables, blocks in zip(epoch, before, strict=True)]
    matches: Counter[int] = Counter()
    for row in chain.from_iterable(rows):
        matches.update(dict.fromkeys(row.bots, row.matches))
    had = dict.fromkeys(matches, 0)

    def due(row: _Row) -> tuple[int, float, float]:
        parts = [(had[bot] + row.matches / 2) / matches[bot] for bot in row.bots]
        return row.turn, max(parts), math.fsum(parts)

    coming = [iter(of) for of in rows]
    waiting = [list(islice(of, AHEAD)) for of in coming]
    done = [0] * len(epoch)
    while left := [index for index, of in enumerate(waiting) if of]:
        index = min(left, key=lambda index: (2 * done[index] + 1) / len(epoch[index]))
        row = min(waiting[index], key=due)
        waiting[index].remove(row)
        waiting[index] += islice(coming[index], 1)
        done[index] += row.blocks
        for bot in row.bots:
            had[bot] += row.matches
        yield from ((index, row.bots) for _ in range(row.blocks))


class _Row(NamedTuple):
    """Consecutive blocks of one table."""

    bots: tuple[int, ...]
    blocks: int
    turn: int
    """The number of earlier rows of this table in the epoch; a row of each other table lies between them."""

    @property
    def matches(self) -> int:
        """How many matches each of its bots plays in it."""
        return self.blocks * len(self.bots)


def _rows(tables: Sequence[tuple[int, ...]], before: int) -> list[_Row]:
    """Return *tables*, of one contest, in rows of equal ones.

    The first row of a table is as long as its share of the *before* blocks of earlier epochs, and each next
    row is twice as long.  With a single long row, a short run would play little else of its contest.
    """
    left = Counter(tables)
    length = max(1, math.ceil(before / max(1, len(left))))
    rows: list[_Row] = []
    turn = 0
    while left:
        rows += (_Row(bots, min(length, blocks), turn) for bots, blocks in left.items())
        left = Counter({bots: blocks - length for bots, blocks in left.items() if blocks > length})
        length, turn = 2 * length, turn + 1
    return rows


def seat_tables(tables: Sequence[tuple[int, ...]], rng: Random) -> list[tuple[int, ...]]:
    """Return *tables* with the bots of each in random order, the same order for equal tables.

    A block rotates its bots, so each keeps its neighbours; random orders mix them.  Two seats need no mixing.
    """
    seated = {}
    for table in dict.fromkeys(tables):
        place = {bot: rng.random() for bot in table} if len(table) > 2 else {}
        seated[table] = tuple(sorted(table, key=place.__getitem__)) if place else table
    return [seated[table] for table in tables]
