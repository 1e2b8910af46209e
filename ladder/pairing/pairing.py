"""Pair a round: who sits at one table, and who sits out.  All costs are exact integers."""

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import combinations
from random import Random
from typing import Final, TypeAlias

from ladder.pairing.rounds_to_come import RoundsToCome
from ladder.pairing.table_cuts import EXACT, Cut, CutCosts, list_cuts, search_cuts
from ladder.pairing.table_sizes import Sizes, share_tables
from results.record import PairingRule

Meetings = Mapping[tuple[int, int], int]
"""How often two entrants have sat at one table; the smaller number of the two comes first."""
NEAR = 16
"""How many places in the order of the scores the search for pairs looks up and down, while that pairs all."""
LOTS = 64
"""The bits of the lot that each pair draws.  Equal sums of lots are as good as impossible."""


@dataclass(frozen=True)
class PairedRound:
    """The tables of a round, and the entrants who sit out; each best first."""

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...]


@dataclass(frozen=True)
class UnpairedRound:
    """A round that is to be paired."""

    standing: Sequence[int]
    """The entrants, the best first."""
    scores: Mapping[int, Fraction]
    meetings: Meetings
    authors: Sequence[str]
    """An empty one equals no other."""
    byes: Counter[int]
    """How often each entrant sat out; if somebody must, it is one of those who sat out least."""
    sizes: Collection[int]
    """The table sizes of the game."""
    seats: int
    """The size that is wanted (see `share_tables`)."""
    luck: Random
    """Decides among equal pairings, as in the first round of an event."""
    rounds: int = 0
    """How many come after this one."""


PairRound: TypeAlias = Callable[[UnpairedRound], PairedRound]


def pair_of(one: int, two: int) -> tuple[int, int]:
    """Return two entrants in the order of their numbers."""
    return (one, two) if one < two else (two, one)


def pair_round(asked: UnpairedRound, *, ahead: bool = True) -> PairedRound:
    """Pair the entrants of *asked*.

    Costs are compared in this order: how often those at one table have met before, summed over all pairs of
    them; in how many of the next rounds some must meet again, as far as a bounded search can tell; how many
    pairs have the same author; how low in the standing those are who sit out; the sum over tables of the
    squared spread of scores.

    *ahead*: if not, as older ladders paired, which looked at no later round, let the lowest sit out come what
    may, and searched tables even for a few entrants.
    """
    standing, luck = asked.standing, asked.luck
    shape = share_tables(len(standing), asked.sizes, asked.seats)
    if not shape.tables:
        return PairedRound((), tuple(standing))
    there = standing
    if not ahead:
        lowest = sorted(range(len(standing)), key=lambda at: (asked.byes[standing[at]], -at))
        there = [standing[at] for at in sorted(lowest[shape.byes :])]
    costs = _costs(there, asked, shape)
    if shape.tables[0] == 2:
        cuts = [_match_pairs(costs, luck)]
    elif ahead and len(there) <= EXACT:
        cuts = _sort_cuts(list_cuts(shape.tables, costs), costs, luck)
    else:
        cuts = search_cuts(shape.tables, costs, luck)
    best, to_come = cuts[0], _look_ahead(asked, costs, shape.tables) if ahead else None
    if to_come and not to_come.is_open_after(best):
        cuts = _sort_cuts([*cuts, *to_come.list_fresh()], costs, luck)
        best = cuts[to_come.first_to_follow(cuts)]
    # the tables, and the entrants of each, stand in the order of the standing
    tables = [[there[at] for at in table] for table in sorted(map(sorted, best[: len(shape.tables)]))]
    seated = {entrant for table in tables for entrant in table}
    return PairedRound(
        tuple(map(tuple, tables)), tuple(entrant for entrant in standing if entrant not in seated)
    )


PAIRING_RULES: Final[Mapping[PairingRule, PairRound]] = {
    "before": partial(pair_round, ahead=False),
    "ahead": pair_round,
}
"""How rounds are paired, by the name of the rule."""


def _costs(standing: Sequence[int], asked: UnpairedRound, shape: Sizes) -> CutCosts:
    """Return what tables of *standing* cost: meetings weigh more than all equal authors."""
    n, scores, authors = len(standing), asked.scores, asked.authors
    scale = math.lcm(*(scores[entrant].denominator for entrant in standing))
    apart = [[0] * n for _ in standing]
    for a, b in combinations(range(n), 2):
        one, two = standing[a], standing[b]
        same = authors[one] != "" and authors[one] == authors[two]
        apart[a][b] = apart[b][a] = asked.meetings.get(pair_of(one, two), 0) * n * n + same
    return CutCosts(
        [int(scores[entrant] * scale) for entrant in standing],
        apart,
        [asked.byes[entrant] for entrant in standing],
        len(shape.tables),
        n - sum(shape.tables),
    )


def _look_ahead(asked: UnpairedRound, costs: CutCosts, sizes: Sequence[int]) -> RoundsToCome | None:
    """Return the rounds to come, with this one; None where they are not looked at.

    At tables of two, to sit out is to meet one entrant more, who has met those that may not sit out.
    """
    if costs.out and sizes[0] > 2:
        return None
    standing, n = asked.standing, len(asked.standing)
    fresh = [
        sum(1 << b for b in range(n) if b != a and pair_of(one, standing[b]) not in asked.meetings)
        for a, one in enumerate(standing)
    ]
    if costs.out:
        least = min(costs.byes)
        may_rest = sum(1 << a for a in range(n) if costs.byes[a] == least)
        fresh = [met | (may_rest >> a & 1) << n for a, met in enumerate(fresh)] + [may_rest]
    to_come = RoundsToCome(n, fresh, [*sizes, *([2] if costs.out else [])], asked.rounds)
    return None if to_come.is_sure else to_come


def _sort_cuts(cuts: Iterable[Cut], costs: CutCosts, luck: Random) -> list[Cut]:
    """Return *cuts*, the cheapest first; chance decides between equal ones."""
    keyed = [(costs.of_cut(cut), luck.getrandbits(LOTS), cut) for cut in cuts]
    return [cut for _, _, cut in sorted(keyed)]


# -- tables of two: minimum-weight perfect matching


def _match_pairs(costs: CutCosts, luck: Random) -> Cut:
    """Return the cheapest pairs.  Next to their costs come lots.

    By the lots the best pairing is unique, so it does not depend on how a version of the library finds it.
    With an odd number, who is paired with one entrant more sits out.

    With many entrants, only those at most NEAR places apart come into question, and the first who may sit
    out, as long as all can be paired so with nothing that should be apart; else all pairs do.  With 200
    entrants that takes a twentieth of the time, and in measured rounds the sum of squares was the same.
    """
    n, scores = len(costs.scores), costs.scores
    lots = {(a, b): luck.getrandbits(LOTS) for a in range(n) for b in range(a + 1, n)}
    first = [luck.getrandbits(LOTS) for _ in scores]
    order = sorted(range(n), key=lambda entrant: (-scores[entrant], first[entrant]))
    near = {
        (min(entrant, other), max(entrant, other))
        for index, entrant in enumerate(order)
        for other in order[index + 1 : index + 1 + NEAR]
    }
    free = {(a, b) for a, b in near if not costs.apart[a][b]}
    found = _find_cheapest(free | {(a, n) for a in costs.first_out()}, costs, lots)
    if 2 * len(found) < n + costs.out:
        found = _find_cheapest(set(lots) | {(a, n) for a in range(n) if costs.out}, costs, lots)
    resting = [[a] for a, b in found if b == n]
    return [[a, b] for a, b in found if b < n] + resting


def _find_cheapest(
    pairs: set[tuple[int, int]], costs: CutCosts, lots: dict[tuple[int, int], int]
) -> list[tuple[int, int]]:
    """Return the cheapest of the largest matchings among *pairs*: cost and lot are one large integer."""
    from networkx import Graph, max_weight_matching  # 0.3 s

    n = len(costs.scores)
    lot = (n + 1) << LOTS  # more than all lots of a matching
    graph = Graph()
    for a, b in sorted(pairs):
        cost = costs.of_resting([a]) if b == n else costs.of_seated([a, b])
        graph.add_edge(a, b, weight=-(cost * lot + lots.get((a, b), 0)))
    found = max_weight_matching(graph, maxcardinality=True)
    return sorted((min(pair), max(pair)) for pair in found)
