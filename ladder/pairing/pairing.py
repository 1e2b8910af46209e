"""Pair a round: who sits at one table, and who sits out.  All costs are exact integers."""

import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import TypeAlias

from ladder.pairing.table_sizes import share_tables

Meetings = Mapping[tuple[int, int], int]
"""How often two entrants have sat at one table; the smaller number of the two comes first."""
NEAR = 16
"""How many places in the order of the scores the search for pairs looks up and down, while that pairs all."""
LOTS = 64
"""The bits of the lot that each pair draws.  Equal sums of lots are as good as impossible."""
STARTS = 50
"""How many times the search for tables begins: from the standing, then from orders shuffled ever more."""


@dataclass(frozen=True)
class PairedRound:
    """The tables of a round, and the entrants who sit out; each best first."""

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...]


PairRound: TypeAlias = Callable[..., PairedRound]
"""A way to pair a round, with the parameters of `pair_round`."""


def pair_of(one: int, two: int) -> tuple[int, int]:
    """Return two entrants in the order of their numbers."""
    return (one, two) if one < two else (two, one)


def pair_round(
    standing: Sequence[int],
    scores: Mapping[int, Fraction],
    *,
    meetings: Meetings,
    authors: Sequence[str],
    byes: Counter[int],
    sizes: Collection[int],
    seats: int,
    luck: Random,
) -> PairedRound:
    """Pair the entrants of *standing*, which has the best first.

    Costs are compared in this order: how often those at one table have met before, summed over all pairs of
    them; how many pairs have the same author (an empty author equals no other); the sum over tables of the
    squared spread of scores.  Among equal pairings, *luck* decides, as in the first round of an event.

    *byes* counts how often each entrant sat out.  If somebody must, it is the lowest of those who sat out
    least.  *sizes* are the table sizes of the game, *seats* is the one that is wanted (see `share_tables`).
    """
    shape = share_tables(len(standing), sizes, seats)
    height = {entrant: -index for index, entrant in enumerate(standing)}
    out = set(sorted(standing, key=lambda entrant: (byes[entrant], height[entrant]))[: shape.byes])
    seated = [entrant for entrant in standing if entrant not in out]
    tables: list[list[int]] = []
    if seated:
        scale = math.lcm(*(scores[entrant].denominator for entrant in seated))
        whole = [int(scores[entrant] * scale) for entrant in seated]
        apart = _apart(seated, meetings, authors)
        if shape.tables[0] == 2:
            tables = [list(pair) for pair in _match_pairs(whole, apart, luck)]
        else:
            tables = _cut_tables(whole, apart, shape.tables, luck)
    return PairedRound(
        tuple(tuple(seated[index] for index in table) for table in tables),
        tuple(entrant for entrant in standing if entrant in out),
    )


def _apart(seated: Sequence[int], meetings: Meetings, authors: Sequence[str]) -> list[list[int]]:
    """Return the first two costs of each pair as one number: meetings weigh more than all equal authors."""
    n = len(seated)
    apart = [[0] * n for _ in seated]
    for a, b in combinations(range(n), 2):
        one, two = seated[a], seated[b]
        same = authors[one] != "" and authors[one] == authors[two]
        cost = meetings.get(pair_of(one, two), 0) * n * n + same
        apart[a][b] = apart[b][a] = cost
    return apart


# -- tables of two: minimum-weight perfect matching


def _match_pairs(
    scores: Sequence[int], apart: Sequence[Sequence[int]], luck: Random
) -> list[tuple[int, int]]:
    """Return the pairs of an even number of entrants, in the order of their first members.

    *apart*[a][b] is what it costs, above all, that a and b meet; next in the order comes the sum of the
    squared differences of scores; next, lots.  By the lots the best pairing is unique, so it does not depend
    on how a version of the library finds it.

    With many entrants, only those at most NEAR places apart come into question, as long as all can be paired
    so without *apart*; else all pairs do.  With 200 entrants that takes a twentieth of the time, and in
    measured rounds the sum of squares was the same.
    """
    n = len(scores)
    lots = {(a, b): luck.getrandbits(LOTS) for a in range(n) for b in range(a + 1, n)}
    first = [luck.getrandbits(LOTS) for _ in scores]
    order = sorted(range(n), key=lambda entrant: (-scores[entrant], first[entrant]))
    near = {
        (min(entrant, other), max(entrant, other))
        for index, entrant in enumerate(order)
        for other in order[index + 1 : index + 1 + NEAR]
    }
    found = _find_cheapest({(a, b) for a, b in near if not apart[a][b]}, scores, apart, lots)
    return found if 2 * len(found) == n else _find_cheapest(set(lots), scores, apart, lots)


def _find_cheapest(
    pairs: set[tuple[int, int]],
    scores: Sequence[int],
    apart: Sequence[Sequence[int]],
    lots: dict[tuple[int, int], int],
) -> list[tuple[int, int]]:
    """Return the cheapest of the largest matchings among *pairs*: the three costs are one large integer."""
    from networkx import Graph, max_weight_matching  # 0.3 s

    n = len(scores)
    lot = n << LOTS  # more than all lots of a matching
    spread = 1 + n * (max(scores) - min(scores)) ** 2
    graph = Graph()
    for a, b in sorted(pairs):
        cost = (apart[a][b] * spread + (scores[a] - scores[b]) ** 2) * lot + lots[a, b]
        graph.add_edge(a, b, weight=-cost)
    found = max_weight_matching(graph, maxcardinality=True)
    return sorted((min(pair), max(pair)) for pair in found)


# -- tables of three and more: cut the standing into tables, then swap while that helps


def _cut_tables(
    scores: Sequence[int], apart: Sequence[Sequence[int]], sizes: Sequence[int], luck: Random
) -> list[list[int]]:
    """Return tables of *sizes*, of entrants in the order of *scores*, the best table first.

    *apart*[a][b] is what it costs, above all, that a and b sit at one table; next in the order comes the sum,
    over the tables, of the squared spread of their scores (highest - lowest).  Among equal entrants, chance
    decides.  The search is deterministic for one *luck*; it may miss the best spread, but not by much.
    """
    swaps = _Swaps(scores, apart, len(sizes))
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
        cost = swaps.improve(tables)
        if least < 0 or cost < least:
            best, least = tables, cost
        if least == 0:
            break
    for table in best:
        table.sort(key=lambda e: (-scores[e], e))
    return sorted(best, key=lambda table: [(-scores[e], e) for e in table])


class _Swaps:
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
