"""The plan of blocks: which bots meet, in which seats.  It depends only on the run's keys and ratings.

A contest is played in epochs of E blocks.  Epoch k depends on the ratings at the end of epoch k-2, so it can
be handed out while epoch k-1 is still played.  The first two epochs are round robin.  In a gauntlet the
first bot of the run has a seat at every table, and the others take turns beside it.

A plain round robin depends on no results: its epochs can be handed out at any time.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, combinations, groupby, islice
from random import Random
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from ladder.contest.blocks import Block, Contest
from ladder.contest.keys import Keys
from ladder.run.adaptive import Openness, adaptive_tables
from results.words import ScheduleKind

__all__ = [
    "BY_THE_CLOCK",
    "FREE_PLAN",
    "GAUNTLET",
    "PLAN",
    "PLANS",
    "Epoch",
    "Known",
    "Schedule",
    "epoch_blocks",
    "epoch_sizes",
    "equal_shares",
]

PLAN = 4
"""The version of this plan, which a new run has."""
PLANS = (3, PLAN)
"""The versions by which a run can be continued.  By version 3, a round robin waits for results, too."""
FREE_PLAN = 4
"""From this version of the plan on, a plain round robin waits for no results."""
TOGETHER = 64
"""The fewest blocks of all contests in an epoch, or all of a shorter run: they fill a machine's tables."""
ADAPTING = 32
"""The same for a run that follows its ratings, which loses by long epochs.

Two epochs are in hand, and tables may play the matches of a block side by side: 128 matches for two.
"""
ADAPTED = 4
"""The fewest epochs of a run that follows its ratings, unless epoch_blocks says that they are too short."""
GAUNTLET = 0
"""The bot of a run that has a seat at every table of a gauntlet."""
AHEAD = 16
"""The number of rows of a contest among which the next one is chosen."""
FLOOR = 50
"""The minimum number of matches of each bot in a run, or half the mean share if that is less."""
CAP = 2.0
"""The maximum share of a bot, as a multiple of the mean share, once every bot has reached its floor."""
BY_THE_CLOCK = 512
"""The matches of every game in an epoch of a run with a time limit: 256 blocks at two seats."""


class Known(NamedTuple):
    """The basis of an epoch: what was known at the end of the epoch before the last one."""

    weights: Mapping[int, Openness] = MappingProxyType({})
    """Per contest: how much a match of two bots would tell of their order."""
    suspended: Collection[int] = ()
    """Bots that are drawn no longer."""
    on_probation: Collection[int] = ()
    """Bots that are drawn only until they have the floor."""


NOTHING = Known()


class Epoch(msgspec.Struct, frozen=True, array_like=True):
    """The plan of an epoch: what a resumed run must know of it."""

    rows: tuple[tuple[int, tuple[int, ...], int], ...]
    """Consecutive blocks: the contest, the bots in their order, and the number of blocks."""
    taken: tuple[int, ...]
    """For each contest, how many tables of its round robin are taken then."""
    closed: tuple[int, ...]
    """The contests that are over because too few bots are left."""


def epoch_blocks(blocks: int) -> int:
    """Return the fewest blocks in an epoch of a contest that has *blocks* blocks in all."""
    return min(max(math.ceil(blocks / 20), 16), 4096)


def epoch_sizes(totals: Sequence[int], *, adapts: bool) -> tuple[int, ...]:
    """Return how many blocks of each contest an epoch has, in a run with these *totals* of blocks.

    An epoch of all contests together has TOGETHER blocks, or all of a shorter run.  In a run that *adapts* to
    its ratings these are ADAPTING blocks, and no more than a part of 1 / ADAPTED.  This follows from the run
    alone, never from the machine: the same command plans the same matches anywhere.
    """
    together = ADAPTING if adapts else TOGETHER
    shares = [math.ceil(together * blocks / sum(totals)) for blocks in totals]
    most = [math.ceil(blocks / ADAPTED) if adapts else blocks for blocks in totals]
    return tuple(map(max, map(epoch_blocks, totals), map(min, shares, most)))


def equal_shares(matches: int, contests: Sequence[Contest]) -> list[int]:
    """Return how many blocks of each contest make at least *matches* matches together.

    Every game has an equal share of the matches, and within a game every table size.
    """
    sizes = Counter(contest.game for contest in contests)
    return [math.ceil(matches / (len(sizes) * sizes[c.game] * c.seats)) for c in contests]


class Schedule:
    """The blocks of a run, one epoch after another, every contest in each."""

    def __init__(
        self,
        contests: Sequence[Contest],
        keys: Keys,
        kind: ScheduleKind,
        totals: Sequence[int] | None,
        epochs: Sequence[int],
        shard: range | None = None,
    ) -> None:
        """Start before the first epoch.

        *totals*: the number of blocks of each contest; None for a run with a time limit.  *epochs*: the
        number of blocks of each contest in an epoch.  *shard*: the block numbers to return; None for all.
        """
        self.contests = tuple(contests)
        self.ends: list[int] = []
        """The number of blocks of the run up to the end of each epoch planned so far."""
        self._keys = keys
        self._kind = kind
        self._totals = totals
        self._epochs = tuple(epochs)
        first = [min(numbers) for numbers in zip(epochs, totals or epochs, strict=True)]
        self._gauntlet = GAUNTLET if kind == "gauntlet" else None
        self._round_robins = _round_robins(self.contests, first, self._gauntlet)
        self._shard = shard
        self._matches = 0
        self._wanted = 0
        """The number of planned matches that belong to the shard, or to the run."""
        self._blocks = [0] * len(self.contests)
        self._of_bot: list[Counter[int]] = [Counter() for _ in self.contests]
        self._closed: set[int] = set()
        """The contests with too few bots left."""

    @property
    def over(self) -> bool:
        """Whether every block of the run is planned."""
        return all(self._left(index) == 0 for index in range(len(self.contests)))

    def planned(self) -> int | None:
        """Return the number of matches that the run will have; None if the clock ends it.

        For a shard it is an estimate until its blocks are planned.
        """
        if self._totals is None:
            return None
        left = [self._left(i) or 0 for i in range(len(self.contests))]
        ahead = sum(blocks * contest.seats for blocks, contest in zip(left, self.contests, strict=True))
        if self._shard is None or not ahead:
            return self._wanted + ahead
        wanted = range(max(self._shard.start, *self.ends[-1:], 0), self._shard.stop)
        return self._wanted + round(ahead * len(wanted) / sum(left))

    @property
    def next_size(self) -> int:
        """The number of blocks of the next epoch."""
        return sum(self._next_blocks(index) for index in range(len(self.contests)))

    def next_epoch(self, known: Known = NOTHING) -> list[Block]:
        """Plan the next epoch on the basis of *known*, and return its blocks."""
        return self.add(self.plan(known))

    def plan(self, known: Known = NOTHING) -> Epoch:
        """Return the plan of the next epoch, to be added.  A contest with fewer bots than seats is over."""
        counts = [self._next_blocks(index) for index in range(len(self.contests))]
        tables = [self._tables(index, count, known) for index, count in enumerate(counts)]
        rows = groupby(_order_fairly(tables, self._blocks))
        return Epoch(
            tuple((contest, bots, len(list(row))) for (contest, bots), row in rows),
            tuple(round_robin.taken for round_robin in self._round_robins),
            tuple(index for index, count in enumerate(counts) if len(tables[index]) < count),
        )

    def add(self, epoch: Epoch) -> list[Block]:
        """Add *epoch*, and return its blocks, with the next numbers; those of one row are consecutive."""
        number = self.ends[-1] if self.ends else 0
        blocks: list[Block] = []
        for index, bots, times in epoch.rows:
            for _ in range(times):
                blocks.append(Block(number + len(blocks), self._matches, index, bots))
                self._matches += len(bots)
            self._blocks[index] += times
            self._of_bot[index].update(dict.fromkeys(bots, times))
        for round_robin, taken in zip(self._round_robins, epoch.taken, strict=True):
            round_robin.go_to(taken)
        self._closed.update(epoch.closed)
        self.ends.append(number + len(blocks))
        if self._shard is not None:
            blocks = [block for block in blocks if block.number in self._shard]
        self._wanted += sum(len(block.bots) for block in blocks)
        return blocks

    def close(self) -> None:
        """End the run with the epochs that were added."""
        self._closed.update(range(len(self.contests)))

    def _left(self, index: int) -> int | None:
        """Return the number of blocks of a contest that are not planned yet; None if the clock ends it."""
        if index in self._closed:
            return 0
        return self._totals[index] - self._blocks[index] if self._totals else None

    def _next_blocks(self, index: int) -> int:
        """Return the number of blocks of a contest in the next epoch."""
        left = self._left(index)
        return self._epochs[index] if left is None else min(left, self._epochs[index])

    def _without(self, index: int, known: Known) -> Contest:
        """Return a contest without the suspended bots, and those on probation that have played enough."""
        contest, played = self.contests[index], self._of_bot[index]
        floor = self._floor(index)
        bots = [
            bot
            for bot in contest.bots
            if bot not in known.suspended
            and (bot not in known.on_probation or played[bot] < floor or bot == self._gauntlet)
        ]
        if self._gauntlet is not None and self._gauntlet not in bots:
            bots = []
        return msgspec.structs.replace(contest, bots=tuple(bots))

    def _floor(self, index: int) -> float:
        """Return the minimum number of blocks of a bot in a contest."""
        contest = self.contests[index]
        blocks = self._totals[index] if self._totals else self._blocks[index] + self._epochs[index]
        share = blocks / len(contest.bots)
        return min(FLOOR, share * contest.seats**2 / 2) / contest.seats

    def _tables(self, index: int, count: int, known: Known) -> list[tuple[int, ...]]:
        """Return *count* tables of a contest, or none if there are too few bots left."""
        contest = self._without(index, known)
        if len(contest.bots) < contest.seats:
            return []
        left = set(contest.bots)
        round_robin = (table for table in self._round_robins[index] if left.issuperset(table))
        if self._kind != "adaptive" or len(self.ends) < 2:
            tables = list(islice(round_robin, count))
        else:
            tables = adaptive_tables(
                contest.bots,
                contest.seats,
                count,
                self._of_bot[index],
                self._floor(index),
                CAP * (self._blocks[index] + count) * contest.seats / len(contest.bots),
                known.weights.get(index, {}),
                round_robin,
            )
        rng = self._keys.schedule(contest.name, len(self.ends))
        return _seat(tables, rng)


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


def _seat(tables: Sequence[tuple[int, ...]], rng: Random) -> list[tuple[int, ...]]:
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

    def go_to(self, taken: int) -> None:
        """Take tables until there are *taken*."""
        while self.taken < taken:
            next(self)


def _round_robins(
    contests: Sequence[Contest], blocks: Sequence[int], gauntlet: int | None
) -> list[_RoundRobin]:
    """Return a round robin for each contest; it begins with the bots that have the fewest matches so far.

    *blocks*: the number of blocks of each contest in the first epoch.  Otherwise, in a run with one or two
    blocks a contest, the same few bots would play all of them.
    """
    matches: Counter[int] = Counter()
    robins = []
    for contest, count in zip(contests, blocks, strict=True):
        ring = sorted(contest.bots, key=lambda bot: matches[bot])
        for bots in islice(_tables_of(ring, contest.seats, gauntlet), count):
            matches.update(dict.fromkeys(bots, contest.seats))
        robins.append(_RoundRobin(_tables_of(ring, contest.seats, gauntlet)))
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
    """Yield all tables in orbits: a table, and the tables with all its members moved up by 1, 2, 3... bots.

    An orbit seats every bot equally often.
    """
    n = len(bots)
    turns = sorted(range(n), key=lambda turn: (turn % seats, turn))
    for others in combinations(range(1, n), seats - 1):
        first = (0, *others)
        orbit = dict.fromkeys(tuple(sorted((place + turn) % n for place in first)) for turn in turns)
        if first == min(orbit):  # else it has come already
            yield from (tuple(sorted(bots[place] for place in places)) for places in orbit)
