"""Cut the entrants of a round into tables: what a cut costs, all cuts of a few, good ones of many.

Entrants are numbered by the standing, 0 the best.  Those who sit out are one table more, the last of a cut.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from random import Random
from typing import TypeAlias

from ladder.pairing.rounds_to_come import NodeLimit, list_bits, split_field

Cut: TypeAlias = list[list[int]]
"""The tables of a round; last, where some must sit out, those who do."""
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


def list_cuts(sizes: Sequence[int], costs: CutCosts) -> list[Cut]:
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


def search_cuts(sizes: Sequence[int], costs: CutCosts, luck: Random) -> list[Cut]:
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
