"""The schedule of a run for ratings: which bots meet, in which seats.

It depends only on the run's keys and its ratings.  The first two epochs are round robin, except in a link of
a chain, which begins with the ratings of the runs before it.  In a gauntlet the first bot of the run has a
seat at every table, and the others take turns beside it.

A plain round robin depends on no results: its epochs can be handed out at any time.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, combinations, groupby, islice
from random import Random
from typing import NamedTuple

import msgspec

from ladder.contest.blocks import PlannedBlock
from ladder.contest.keys import Keys
from ladder.run.adaptive import NO_ORDER, NO_PERSONS, Persons, adaptive_tables
from ladder.run.schedule import NOTHING, Epoch, KnownResults, Schedule
from results.record import Contest
from results.words import ScheduleKind

GAUNTLET = 0
"""The bot of a run that has a seat at every table of a gauntlet."""
FLOOR = 50
"""The minimum number of matches of each bot in a run, or half the mean share if that is less."""
CAP = 2.0
"""The maximum share of a bot, as a multiple of the mean share, once every bot has reached its floor."""
AHEAD = 16
"""The number of rows of a contest among which the next one is chosen."""


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
        persons: Persons = NO_PERSONS,
    ) -> None:
        """Start before the first epoch.

        *totals*: the number of blocks of each contest; None for a run with a time limit.  *epochs*: the
        number of blocks of each contest in an epoch.  *shard*: the block numbers to return; None for all.

        *owed*: of a run that goes on where others have ended, for each contest the bots that lack their
        minimum, with the number of blocks that they lack; the others need none.  No two bots of one of
        *persons* meet.
        """
        super().__init__(contests)
        self._keys = keys
        self._kind = kind
        self._totals = totals
        self._epochs = tuple(epochs)
        first = [min(numbers) for numbers in zip(epochs, totals or epochs, strict=True)]
        self._gauntlet = GAUNTLET if kind == "gauntlet" else None
        self._round_robins = _round_robins(self.contests, first, self._gauntlet, persons)
        self._persons = persons
        self._shard = shard
        self._owed = None if owed is None else [dict(lacking) for lacking in owed]
        self._wanted = 0
        """The number of planned matches that belong to the shard, or to the run."""
        self._of_bot: list[Counter[int]] = [Counter() for _ in self.contests]

    def count_planned(self) -> int | None:
        """Return how many matches the run will have; None if the clock ends it; of a shard an estimate."""
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
        rows = groupby(_order_fairly(tables, self._blocks))
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
            while round_robin.taken < taken:
                next(round_robin)
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
        """Return *count* tables of a contest, or none if too few bots are left, or persons."""
        contest = self._without(index, known)
        if self._persons.count(contest.bots) < contest.seats:
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
                self._persons,
            )
        # a generator of its own for each epoch: a resumed run need not repeat what earlier ones drew
        rng = self._keys.schedule(contest.name, len(self.ends))
        return _seat_tables(tables, rng)


# -- the order of the tables of an epoch: a run may end anywhere


def _order_fairly(
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


def _seat_tables(tables: Sequence[tuple[int, ...]], rng: Random) -> list[tuple[int, ...]]:
    """Return *tables* with the bots of each in random order, the same order for equal tables.

    A block rotates its bots, so each keeps its neighbours; random orders mix them.  Two seats need no mixing.
    """
    seated = {}
    for table in dict.fromkeys(tables):
        place = {bot: rng.random() for bot in table} if len(table) > 2 else {}
        seated[table] = tuple(sorted(table, key=place.__getitem__)) if place else table
    return [seated[table] for table in tables]


class _RoundRobin:
    """An endless round robin that can be continued where it was."""

    def __init__(self, tables: Iterator[tuple[int, ...]]) -> None:
        self.taken = 0
        """The number of tables taken so far."""
        self._tables = tables

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return self

    def __next__(self) -> tuple[int, ...]:
        self.taken += 1
        return next(self._tables)


def _round_robins(
    contests: Sequence[Contest], blocks: Sequence[int], gauntlet: int | None, persons: Persons
) -> list[_RoundRobin]:
    """Return a round robin for each contest; it begins with the bots that have the fewest matches so far.

    Tables with two bots of one of *persons* are passed over.
    *blocks*: the number of blocks of each contest in the first epoch.  Otherwise, in a run with one or two
    blocks a contest, the same few bots would play all of them.
    """
    matches: Counter[int] = Counter()
    robins = []
    for contest, count in zip(contests, blocks, strict=True):
        ring = sorted(contest.bots, key=lambda bot: matches[bot])
        first, whole = (_tables_of(ring, contest.seats, gauntlet) for _ in range(2))
        for bots in islice(filter(persons.may_meet, first), count):
            matches.update(dict.fromkeys(bots, contest.seats))
        robins.append(_RoundRobin(filter(persons.may_meet, whole)))
    return robins


def _tables_of(ring: Sequence[int], seats: int, gauntlet: int | None) -> Iterator[tuple[int, ...]]:
    """Return a round robin of *ring*; with *gauntlet*, one of all others, with that bot at every table."""
    if gauntlet is None:
        return _round_robin(ring, seats)
    others = _round_robin([bot for bot in ring if bot != gauntlet], seats - 1)
    return (tuple(sorted((gauntlet, *table))) for table in others)


def _round_robin(bots: Sequence[int], seats: int) -> Iterator[tuple[int, ...]]:
    """Yield tables without end; at any time, two tables differ by at most one in their number of uses.

    Every prefix seats all bots about equally often, and the first of *bots* come first.
    """
    while True:
        yield from _pairs(_face(bots)) if seats == 2 else _orbits(bots, seats)


def _face(bots: Sequence[int]) -> list[int]:
    """Return *bots* in the ring of _pairs that lets the first two play first, then the next two."""
    *waits, odd = bots if len(bots) % 2 else (*bots, None)
    ring = [*waits[::2], *reversed(waits[1::2])]
    return ring if odd is None else [odd, *ring]


def _pairs(bots: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield all pairs in rounds; each bot plays once in a round (the circle method)."""
    ring: list[int | None] = [*bots, *([None] if len(bots) % 2 else [])]
    for _ in range(len(ring) - 1):
        for i in range(len(ring) // 2):
            a, b = ring[i], ring[-1 - i]
            if a is not None and b is not None:
                yield (min(a, b), max(a, b))
        ring.insert(1, ring.pop())


def _orbits(bots: Sequence[int], seats: int) -> Iterator[tuple[int, ...]]:
    """Yield tables, each with all members moved up by 1, 2, 3...: an orbit seats all bots equally often."""
    n = len(bots)
    turns = sorted(range(n), key=lambda turn: (turn % seats, turn))
    for others in combinations(range(1, n), seats - 1):
        first = (0, *others)
        orbit = dict.fromkeys(tuple(sorted((place + turn) % n for place in first)) for turn in turns)
        if first == min(orbit):  # else it has come already
            yield from (tuple(sorted(bots[place] for place in places)) for places in orbit)
