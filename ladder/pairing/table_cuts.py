"""Seat entrants at tables of three and more: cut the standing into tables, then swap while that helps."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

STARTS = 50
"""How many times the search begins: from the standing, then from orders that are shuffled more and more."""


def cut_tables(
    scores: Sequence[int], apart: Sequence[Sequence[int]], sizes: Sequence[int], luck: Random
) -> list[list[int]]:
    """Return tables of *sizes*, of entrants in the order of *scores*, the best table first.

    *apart*[a][b] is what it costs, above all, that a and b sit at one table; next in the order comes the sum,
    over the tables, of the squared spread of their scores (highest - lowest).  Among equal entrants, chance
    decides.  The search is deterministic for one *luck*; it may miss the best spread, but not by much.
    """
    search = _Search(scores, apart, len(sizes))
    width = max(scores) - min(scores)
    best: list[list[int]] = []
    least = -1
    for start in range(STARTS):
        noise = [luck.getrandbits(32) * width * start // STARTS >> 32 for _ in scores]
        lots = [luck.getrandbits(32) for _ in scores]
        order = sorted(range(len(scores)), key=lambda e: (noise[e] - scores[e], lots[e]))
        tables = []
        for size in sizes:
            tables.append(order[:size])
            order = order[size:]
        cost = search.improve(tables)
        if least < 0 or cost < least:
            best, least = tables, cost
        if least == 0:
            break
    for table in best:
        table.sort(key=lambda e: (-scores[e], e))
    return sorted(best, key=lambda table: [(-scores[e], e) for e in table])


class _Search:
    """The costs of tables, as one integer each, and the swaps that lower them."""

    def __init__(self, scores: Sequence[int], apart: Sequence[Sequence[int]], tables: int) -> None:
        self._scores = scores
        self._apart = apart
        self._spread = 1 + tables * (max(scores) - min(scores)) ** 2

    def improve(self, tables: list[list[int]]) -> int:
        """Swap entrants between two of *tables*, in place, until no swap lowers the cost; return the cost."""
        costs = [self._cost(table) for table in tables]
        waiting = {(a, b): None for a in range(len(tables)) for b in range(a + 1, len(tables))}
        while waiting:
            a, b = next(iter(waiting))
            del waiting[a, b]
            if self._swap_best(tables, costs, a, b):
                for other in range(len(tables)):
                    for changed in {a, b} - {other}:
                        waiting[min(changed, other), max(changed, other)] = None
        return sum(costs)

    def _swap_best(self, tables: list[list[int]], costs: list[int], a: int, b: int) -> bool:
        """Make the swap between two tables that lowers the cost most, if one does."""
        one, two = tables[a], tables[b]
        if costs[a] < self._spread and costs[b] < self._spread and self._are_ordered(one, two):
            return False  # nothing to keep apart, and all of one are above all of the other
        before = costs[a] + costs[b]
        found = None
        for i in range(len(one)):
            for j in range(len(two)):
                one[i], two[j] = two[j], one[i]
                first, second = self._cost(one), self._cost(two)
                if first + second < before:
                    before, found = first + second, (i, j, first, second)
                one[i], two[j] = two[j], one[i]
        if found is None:
            return False
        i, j, costs[a], costs[b] = found
        one[i], two[j] = two[j], one[i]
        return True

    def _are_ordered(self, one: list[int], two: list[int]) -> bool:
        high = [self._scores[e] for e in one]
        low = [self._scores[e] for e in two]
        return min(high) >= max(low) or min(low) >= max(high)

    def _cost(self, table: list[int]) -> int:
        """Return the cost of a table: what should be apart, times more than any spread, plus the spread."""
        apart = 0
        for index, a in enumerate(table):
            row = self._apart[a]
            for b in table[:index]:
                apart += row[b]
        scores = [self._scores[e] for e in table]
        return apart * self._spread + (max(scores) - min(scores)) ** 2
