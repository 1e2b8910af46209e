"""The schedule of a duel: pairs of matches of two bots from every seat, the same deals for both.

Each block seats the new bot, the old one and, at larger tables, others of the field.  With several contests,
each gets an equal number of blocks at a time until it is closed, because it is decided.

A duel that is undecided can be extended: its first part stays as it was planned, and another part follows.
A duel of one contest then has the same blocks as one that was asked for that many from the start.
"""

import math
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import ClassVar

from ladder.contest.blocks import PlannedBlock
from ladder.contest.keys import Keys
from ladder.run.schedule import NOTHING, Epoch, KnownResults, Schedule
from results.rating.betting import LOOK_BLOCKS
from results.record import Contest, DuelPart

GROWTH = 8
"""An epoch has one 16 of blocks of each contest, and one more for each 8 that were planned before.

Many workers then have enough to do, and few blocks are played that do not count.
"""


class DuelSchedule(Schedule):
    """The blocks of a duel.  It seats its bots whatever they do: it looks at no ratings and no faults."""

    is_whole: ClassVar[bool] = True

    def __init__(
        self,
        contests: Sequence[Contest],
        keys: Keys,
        totals: Sequence[int],
        parts: Sequence[DuelPart] = (),
        gone: Mapping[int, int] | None = None,
    ) -> None:
        """Start before the first block.

        *totals* is the most blocks of each contest, *parts* are the parts before the last one.  *gone* has
        the bots of the field that are left out, and the first block that is planned without each.
        """
        super().__init__(contests)
        self._totals = totals
        self._parts = [*parts]
        self._tables = [_Tables(contest, keys, gone or {}) for contest in contests]

    def count_planned(self) -> int:
        """Return the most matches that the duel can have."""
        left = self._left(self._totals)
        return self._matches + sum(n * contest.seats for n, contest in zip(left, self.contests, strict=True))

    def plan(self, known: KnownResults = NOTHING) -> Epoch:
        """Return the plan of the next epoch, the contests one after another."""
        number = self.ends[-1] if self.ends else 0
        end = self._parts[0].end if self._parts else math.inf
        seated: list[tuple[int, tuple[int, ...]]] = []
        for index, count in enumerate(self._next_blocks()):
            for _ in range(count):
                if number < end:
                    seated.append((index, self._tables[index].seat(number)))
                    number += 1
        rows = tuple((index, bots, len([*row])) for (index, bots), row in groupby(seated))
        return Epoch(rows, (), ())

    def add(self, epoch: Epoch) -> list[PlannedBlock]:
        """Add *epoch*, which may be the last of a part, and return its blocks."""
        blocks = super().add(epoch)
        if self._parts and self.ends[-1] == self._parts[0].end:
            self._parts.pop(0)
        return blocks

    def _next_blocks(self) -> list[int]:
        left = self._left(self._parts[0].totals if self._parts else self._totals)
        if sum(map(bool, left)) <= 1:  # the plan of the last contest that is open depends on nothing
            return left
        most = max(blocks for blocks, more in zip(self._blocks, left, strict=True) if more)
        rounds = 1 + most // (LOOK_BLOCKS * GROWTH)
        return [min(more, rounds * LOOK_BLOCKS) for more in left]

    def _left(self, totals: Sequence[int]) -> list[int]:
        """Return how many blocks each contest may still have, of *totals*."""
        return [
            0 if index in self._closed else max(0, total - blocks)
            for index, (total, blocks) in enumerate(zip(totals, self._blocks, strict=True))
        ]


class _Tables:
    """The tables of a contest, block after block."""

    def __init__(self, contest: Contest, keys: Keys, gone: Mapping[int, int]) -> None:
        self._contest = contest
        self._keys = keys
        self._gone = gone
        self._field: list[int] = []
        self._order: list[int] = []
        self._rounds = 0
        """How often the field was brought into an order..."""
        self._turn = 0
        """...and the blocks planned since then."""

    def seat(self, number: int) -> tuple[int, ...]:
        """Return the bots of the next block, which has this *number*.

        At two seats the order is that of the rotations anyway.  In as many blocks as the field has bots, each
        of them plays equally often.
        """
        new, old, *field = self._contest.bots
        others = self._contest.seats - 2
        if not others:
            return (new, old)
        field = [bot for bot in field if number < self._gone.get(bot, math.inf)]
        if field != self._field or self._turn == len(field):
            rng = self._keys.schedule(self._contest.name, self._rounds)
            self._order = sorted(field, key=lambda bot: (rng.random(), bot))
            self._field, self._turn, self._rounds = field, 0, self._rounds + 1
        first = self._turn * others
        self._turn += 1
        table = [new, old, *(self._order[(first + i) % len(field)] for i in range(others))]
        rng = self._keys.duel(number)
        return tuple(sorted(table, key=lambda bot: rng.random()))
