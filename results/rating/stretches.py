"""The results of pairs of bots in parts, stretches of time or machines: a bot that changes is seen there."""

from collections.abc import Sequence
from typing import TypeAlias

from results.rating.outcomes import Bot

STRETCHES = tuple(int(32 * 2 ** (half / 2)) for half in range(64))
"""The first block of each stretch of a run, except the first one, which begins with block 0.  Each is as long
as 0.4 of all before it.  So the half of a run is near the end of a stretch, and there are few, however long
it is.  They follow from the numbers of blocks alone, so the counts of segments, shards and journals add up to
the same."""
MOST_RUNS = 16
"""With more runs, each is one stretch: there would be too many."""
MOST_BOTS = 64
"""With more bots, nothing is kept: there would be too many pairs."""
MOST_MACHINES = 64
"""With more machines, nothing is kept of them."""

Stretch: TypeAlias = dict[tuple[Bot, Bot, int], list[int]]
"""The results of a stretch: by pair, the first by name before the other, and table size, the numbers of wins,
draws and losses of the first."""


class Stretches:
    """The results of pairs of a game, by run and stretch.  They may be added in any order, in any parts."""

    def __init__(self) -> None:
        """Begin without a match."""
        self._bots: set[Bot] = set()
        self._runs: set[int] = set()
        self._found: dict[tuple[int, int], Stretch] = {}

    def add(self, run: int, seats: int, bots: Sequence[Bot], flat: Sequence[int]) -> None:
        """Add the results of *run* at tables of *seats* that `Counted.stretches` has, in which *bots* met."""
        self._bots.update(bots)
        self._runs.add(run)
        if len(self._bots) > MOST_BOTS:
            self._found.clear()
            return
        for stretch, a, b, *results in zip(*[iter(flat)] * 6, strict=True):
            self._add(run, stretch, (bots[a], bots[b], seats), results)
        if len(self._runs) > MOST_RUNS and any(stretch for _, stretch in self._found):
            apart, self._found = self._found, {}
            for (of_run, _), pairs in apart.items():
                for at, results in pairs.items():
                    self._add(of_run, 0, at, results)

    def _add(self, run: int, stretch: int, at: tuple[Bot, Bot, int], results: Sequence[int]) -> None:
        number = stretch if len(self._runs) <= MOST_RUNS else 0
        _count(self._found.setdefault((run, number), {}), at, results)

    def in_order(self, seats: int = 0) -> list[Stretch]:
        """Return the stretches in the order of their matches; with *seats*, of tables of this size only."""
        return [same for _, pairs in sorted(self._found.items()) if (same := _at_tables_of(seats, pairs))]


class Machines:
    """The results of pairs of a game by machine.  They may be added in any order, in any parts."""

    def __init__(self) -> None:
        """Begin without a match."""
        self._bots: set[Bot] = set()
        self._machines: set[str] = set()
        self._found: dict[str, Stretch] = {}

    def add(self, seats: int, bots: Sequence[Bot], parts: Sequence[tuple[str, Sequence[int]]]) -> None:
        """Add the results at tables of *seats* that `Counted.machines` has, in which *bots* met."""
        self._bots.update(bots)
        self._machines.update(machine for machine, _ in parts)
        if len(self._bots) > MOST_BOTS or len(self._machines) > MOST_MACHINES:
            self._found.clear()
            return
        for machine, flat in parts:
            found = self._found.setdefault(machine, {})
            for a, b, *results in zip(*[iter(flat)] * 5, strict=True):
                _count(found, (bots[a], bots[b], seats), results)

    def by_name(self, seats: int = 0) -> dict[str, Stretch]:
        """Return the results on each machine, by its name; with *seats*, at tables of this size only."""
        return {
            machine: same
            for machine, pairs in sorted(self._found.items())
            if (same := _at_tables_of(seats, pairs))
        }


def _count(into: Stretch, at: tuple[Bot, Bot, int], results: Sequence[int]) -> None:
    """Add the wins, draws and losses of a pair to those of *into*."""
    counts = into.setdefault(at, [0, 0, 0])
    for i, count in enumerate(results):
        counts[i] += count


def _at_tables_of(seats: int, pairs: Stretch) -> Stretch:
    """Return the results of *pairs* at tables of *seats*, or with 0 at all tables, in sorted order."""
    return {at: pairs[at] for at in sorted(pairs) if not seats or at[2] == seats}
