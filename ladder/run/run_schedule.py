"""The schedule of a run for ratings: which bots meet, in which seats.

It depends only on the run's keys and its ratings.  The first two epochs are round robin, except in a link of
a chain, which begins with the ratings of the runs before it.  In a gauntlet the first bot of the run has a
seat at every table, and the others take turns beside it.

A plain round robin depends on no results: its epochs can be handed out at any time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby, islice

import msgspec

from ladder.contest.blocks import PlannedBlock
from ladder.contest.keys import Keys
from ladder.run.adaptive import NO_ORDER, adaptive_tables
from ladder.run.fair_order import order_fairly, seat_tables
from ladder.run.round_robin import round_robins
from ladder.run.schedule import NOTHING, Epoch, KnownResults, Schedule
from results.record import Contest
from results.words import ScheduleKind

GAUNTLET = 0
"""The bot of a run that has a seat at every table of a gauntlet."""
FLOOR = 50
"""The minimum number of matches of each bot in a run, or half the mean share if that is less."""
CAP = 2.0
"""The maximum share of a bot, as a multiple of the mean share, once every bot has reached its floor."""


class RunSchedule(Schedule):
    """The blocks of a run for ratings: every contest has a part of each epoch."""

    def __init__(
        self,
        contests: Sequence[Contest],
        keys: Keys,
        kind: ScheduleKind,
        totals: Sequence[int] | None,
        epochs: Sequence[int],
        shard: range | None = None,
        owed: Sequence[Sequence[tuple[int, int]]] | None = None,
    ) -> None:
        """Start before the first epoch.

        *totals*: the number of blocks of each contest; None for a run with a time limit.  *epochs*: the
        number of blocks of each contest in an epoch.  *shard*: the block numbers to return; None for all.

        *owed*: of a run that goes on where others have ended, for each contest the bots that lack their
        minimum, with the number of blocks that they lack; the others need none.
        """
        super().__init__(contests)
        self._keys = keys
        self._kind = kind
        self._totals = totals
        self._epochs = tuple(epochs)
        first = [min(numbers) for numbers in zip(epochs, totals or epochs, strict=True)]
        self._gauntlet = GAUNTLET if kind == "gauntlet" else None
        self._round_robins = round_robins(self.contests, first, self._gauntlet)
        self._shard = shard
        self._owed = None if owed is None else [dict(lacking) for lacking in owed]
        self._wanted = 0
        """The number of planned matches that belong to the shard, or to the run."""
        self._of_bot: list[Counter[int]] = [Counter() for _ in self.contests]

    def count_planned(self) -> int | None:
        """Return the number of matches that the run will have; None if the clock ends it.

        For a shard it is an estimate until its blocks are planned.
        """
        if self._totals is None:
            return None
        left = [self._left(i) or 0 for i in range(len(self.contests))]
        ahead = sum(blocks * contest.seats for blocks, contest in zip(left, self.contests, strict=True))
        # A shard is a range of block numbers; which contest a number has is known only once it is planned,
        # so the matches to come are those of a mean block.
        if self._shard is None or not ahead:
            return self._wanted + ahead
        wanted = range(max(self._shard.start, *self.ends[-1:], 0), self._shard.stop)
        return self._wanted + round(ahead * len(wanted) / sum(left))

    def plan(self, known: KnownResults = NOTHING) -> Epoch:
        """Return the plan of the next epoch, to be added.  A contest with fewer bots than seats is closed."""
        counts = self._next_blocks()
        tables = [self._tables(index, count, known) for index, count in enumerate(counts)]
        rows = groupby(order_fairly(tables, self._blocks))
        return Epoch(
            tuple((contest, bots, len(list(row))) for (contest, bots), row in rows),
            tuple(round_robin.taken for round_robin in self._round_robins),
            tuple(index for index, count in enumerate(counts) if len(tables[index]) < count),
        )

    def add(self, epoch: Epoch) -> list[PlannedBlock]:
        """Add *epoch*, and return its blocks, of a shard only its own."""
        blocks = super().add(epoch)
        for index, bots, times in epoch.rows:
            self._of_bot[index].update(dict.fromkeys(bots, times))
        for round_robin, taken in zip(self._round_robins, epoch.taken, strict=True):
            round_robin.go_to(taken)
        if self._shard is not None:
            blocks = [block for block in blocks if block.number in self._shard]
        self._wanted += sum(len(block.bots) for block in blocks)
        return blocks

    def _left(self, index: int) -> int | None:
        """Return the number of blocks of a contest that are not planned yet; None if the clock ends it."""
        if index in self._closed:
            return 0
        return self._totals[index] - self._blocks[index] if self._totals else None

    def _next_blocks(self) -> list[int]:
        left = [self._left(index) for index in range(len(self.contests))]
        pairs = zip(left, self._epochs, strict=True)
        return [epoch if blocks is None else min(blocks, epoch) for blocks, epoch in pairs]

    def _without(self, index: int, known: KnownResults) -> Contest:
        """Return a contest without the suspended bots, and those on probation that have played enough."""
        contest, played = self.contests[index], self._of_bot[index]
        floors = self._floors(index)
        bots = [
            bot
            for bot in contest.bots
            if bot not in known.suspended
            and (bot not in known.on_probation or played[bot] < floors[bot] or bot == self._gauntlet)
        ]
        # a gauntlet without its bot has nothing to play
        if self._gauntlet is not None and self._gauntlet not in bots:
            bots = []
        return msgspec.structs.replace(contest, bots=tuple(bots))

    def _floors(self, index: int) -> dict[int, float]:
        """Return the minimum number of blocks of each bot in a contest."""
        contest = self.contests[index]
        if self._owed is not None:
            return {bot: self._owed[index].get(bot, 0) for bot in contest.bots}
        blocks = self._totals[index] if self._totals else self._blocks[index] + self._epochs[index]
        share = blocks / len(contest.bots)
        floor = min(FLOOR, share * contest.seats**2 / 2) / contest.seats
        return dict.fromkeys(contest.bots, floor)

    def _tables(self, index: int, count: int, known: KnownResults) -> list[tuple[int, ...]]:
        """Return *count* tables of a contest, or none if there are too few bots left."""
        contest = self._without(index, known)
        if len(contest.bots) < contest.seats:
            return []
        # The round robin goes on where it was, over all bots: tables with a bot that is out are passed over,
        # so that the others meet as they would have met, whenever it was suspended.
        left = set(contest.bots)
        round_robin = (table for table in self._round_robins[index] if left.issuperset(table))
        if self._kind != "adaptive" or (self._owed is None and len(self.ends) < 2):
            tables = list(islice(round_robin, count))
        else:
            tables = adaptive_tables(
                contest.bots,
                contest.seats,
                count,
                self._of_bot[index],
                self._floors(index),
                CAP * (self._blocks[index] + count) * contest.seats / len(contest.bots),
                known.orders.get(index, NO_ORDER),
                round_robin,
            )
        # a generator of its own for each epoch: a resumed run need not repeat what earlier ones drew
        rng = self._keys.schedule(contest.name, len(self.ends))
        return seat_tables(tables, rng)
