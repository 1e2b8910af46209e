"""Pair a round: who sits at one table, and who sits out.  All costs are exact integers."""

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from itertools import combinations
from random import Random
from typing import Final, TypeAlias

from ladder.pairing.rounds_to_come import NodeLimit, RoundsToCome, list_bits, split_field
from ladder.pairing.table_sizes import Sizes, share_tables
from results.record import PairingRule

Cut: TypeAlias = list[list[int]]
"""The tables of a round, entrants by the standing from 0 on; last, where some must sit out, those who do."""
EXACT = 9
"""The most entrants of whom all cuts are compared: 280 at most, and more only where some sit out."""
STARTS = 50
"""How many times the search for tables begins: from the standing, then from orders shuffled ever more."""


@dataclass(frozen=True)
class CutCosts:
    """What tables cost, as integers: each cost weighs more than the largest sum of those after it.

    In this order: how often those who sit out did so before; what should be apart and sits at one table;
    the places from the end of the standing of those who sit out; the squared spread of the scores.
    """

    scores: Sequence[int]
    apart: Sequence[Sequence[int]]
    """What it costs that two sit at one table."""
    byes: Sequence[int]
    """How often each sat out before."""
    tables: int
    out: int = 0
    """How many must sit out."""

    @cached_property
    def _place(self) -> int:
        return 1 + self.tables * (max(self.scores) - min(self.scores)) ** 2

    @cached_property
    def together(self) -> int:
        """The weight of what should be apart: a cut that costs less has nothing of it."""
        return self._place * (1 + len(self.scores) * self.out)

    @cached_property
    def _turn(self) -> int:
        return self.together * (1 + sum(map(sum, self.apart)))

    def of_cut(self, cut: Cut) -> int:
        return sum(self.of_table(cut, index) for index in range(len(cut)))

    def of_table(self, cut: Cut, index: int) -> int:
        """Return the cost of a table of *cut*, or of those who sit out."""
        return self.of_resting(cut[index]) if index == self.tables else self.of_seated(cut[index])

    def of_resting(self, out: Sequence[int]) -> int:
        """Return what it costs that these sit out."""
        last = len(self.scores) - 1
        return sum(self.byes[e] * self._turn + (last - e) * self._place for e in out)

    def of_seated(self, table: Sequence[int]) -> int:
        """Return what it costs that these sit at one table."""
        apart = 0
        for at, a in enumerate(table):
            row = self.apart[a]
            for b in table[:at]:
                apart += row[b]
        scores = [self.scores[e] for e in table]
        return apart * self.together + (max(scores) - min(scores)) ** 2

    def first_out(self) -> list[int]:
        """Return the lowest of those who sat out least: as many as must sit out."""
        return sorted(range(len(self.byes)), key=lambda e: (self.byes[e], -e))[: self.out]


def _list_cuts(sizes: Sequence[int], costs: CutCosts) -> list[Cut]:
    """Return all cuts of a few entrants into tables of *sizes*."""
    field = range(len(costs.scores))
    everyone = (1 << len(field)) - 1
    return [
        [*map(list_bits, tables), *([list(out)] if out else [])]
        for out in combinations(field, costs.out)
        for tables in split_field(
            everyone - sum(1 << e for e in out), sizes, [everyone] * len(field), NodeLimit()
        )
    ]


def _search_cuts(sizes: Sequence[int], costs: CutCosts, luck: Random) -> list[Cut]:
    """Return cuts that no swap between two tables makes cheaper, the cheapest first.

    Among equal entrants, *luck* decides.  The search ends with a cut that costs nothing; it may miss the
    cheapest one, but not by much.
    """
    scores, out = costs.scores, costs.first_out()
    width, found = max(scores) - min(scores), []
    for start in range(STARTS):
        # 32 bits of noise: from nothing to all of the scores' width, so that later starts are further apart
        noise = [luck.getrandbits(32) * width * start // STARTS >> 32 for _ in scores]
        lots = [luck.getrandbits(32) for _ in scores]
        order = sorted(range(len(scores)), key=lambda e: (noise[e] - scores[e], lots[e]))
        seated = iter([e for e in order if e not in out])
        cut = [[next(seated) for _ in range(size)] for size in sizes] + ([out[:]] if out else [])
        found.append((_improve(cut, costs), start, cut))
        if not found[-1][0]:
            break
    return [cut for _, _, cut in sorted(found)]


def _improve(cut: Cut, costs: CutCosts) -> int:
    """Swap entrants between two tables of *cut*, in place, until no swap lowers the cost; return it."""
    found = [costs.of_table(cut, index) for index in range(len(cut))]
    waiting = {(a, b): None for a in range(len(cut)) for b in range(a + 1, len(cut))}
    while waiting:
        a, b = next(iter(waiting))
        del waiting[a, b]
        if _swap_best(cut, costs, found, a, b):
            for other in range(len(cut)):
                for changed in {a, b} - {other}:
                    waiting[min(changed, other), max(changed, other)] = None
    return sum(found)


def _swap_best(cut: Cut, costs: CutCosts, found: list[int], a: int, b: int) -> bool:
    """Make the swap between two tables that lowers the cost most, if one does; *found* is by table."""
    if _is_settled(cut, costs, found, a, b):
        return False
    one, two, before = cut[a], cut[b], found[a] + found[b]
    best = None
    for i in range(len(one)):
        for j in range(len(two)):
            one[i], two[j] = two[j], one[i]
            first, second = costs.of_table(cut, a), costs.of_table(cut, b)
            if first + second < before:
                before, best = first + second, (i, j, first, second)
            one[i], two[j] = two[j], one[i]
    if best is None:
        return False
    # the costs of other tables have not changed, so that only these two are summed again
    i, j, found[a], found[b] = best
    one[i], two[j] = two[j], one[i]
    return True


def _is_settled(cut: Cut, costs: CutCosts, found: list[int], a: int, b: int) -> bool:
    """Return whether two tables have nothing to keep apart, and all of one are above all of the other."""
    if max(a, b) == costs.tables or max(found[a], found[b]) >= costs.together:
        return False
    high, low = ([costs.scores[e] for e in cut[index]] for index in (a, b))
    return min(high) >= max(low) or min(low) >= max(high)


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
        cuts = _sort_cuts(_list_cuts(shape.tables, costs), costs, luck)
    else:
        cuts = _search_cuts(shape.tables, costs, luck)
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
