"""Pair entrants at tables of two, by minimum-weight perfect matching in exact integers."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

NEAR = 16
"""How many places in the order of the scores a search looks up and down, while that pairs all."""
LOTS = 64
"""The bits of the lot that each pair draws.  Equal sums of lots are as good as impossible."""


def match_pairs(scores: Sequence[int], apart: Sequence[Sequence[int]], luck: Random) -> list[tuple[int, int]]:
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
    found = _search({(a, b) for a, b in near if not apart[a][b]}, scores, apart, lots)
    return found if 2 * len(found) == n else _search(set(lots), scores, apart, lots)


def _search(
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
