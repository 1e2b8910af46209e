"""Who meets whom, in which seats, on which deal: pure functions of the run's keys and the ratings so far.

A contest is played in epochs of E blocks.  Whatever steers epoch k was known when epoch k-2 had ended, so
that epoch k can be handed out while k-1 is still being played; the first two are round robin.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations, groupby, islice
from random import Random
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from ladder.fixture import Block, Contest
from ladder.keys import Keys

__all__ = ["BY_THE_CLOCK", "Known", "Schedule", "Skill", "epoch_blocks", "equal_shares"]

FLOOR = 50
"""Every bot gets this many matches of a run, or half the mean share if that is less."""
CAP = 2.0
"""No bot gets more than this many times the mean share, once every floor is reached."""
BY_THE_CLOCK = 512
"""How many matches of every game an epoch has in a run that ends by the clock: 256 blocks for two seats."""


class Skill(NamedTuple):
    """What the ratings know of a bot."""

    mu: float
    sigma: float


class Known(NamedTuple):
    """What steers an epoch: all that was known when the epoch before the last had ended."""

    skills: Mapping[int, Mapping[int, Skill]] = MappingProxyType({})
    """Per contest and bot."""
    suspended: Collection[int] = ()
    """Bots that are not drawn any more."""
    on_probation: Collection[int] = ()
    """Bots that are drawn only until they have the floor."""


NOTHING = Known()


def epoch_blocks(blocks: int) -> int:
    """Return E, how many blocks of an epoch belong to a contest that has *blocks* blocks in all."""
    return min(max(math.ceil(blocks / 20), 16), 4096)


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
        kind: str,
        betas: Sequence[float],
        totals: Sequence[int] | None,
        epochs: Sequence[int],
        shard: range | None = None,
    ) -> None:
        """Begin before the first epoch.

        *totals*: how many blocks each contest has in all; None for a run that ends by the clock.  *epochs*:
        how many of each an epoch has.  *shard*: the only blocks that are wanted, if not all.
        """
        self.contests = tuple(contests)
        self.ends: list[int] = []
        """The number of blocks of the run up to the end of each epoch planned so far."""
        self._keys = keys
        self._kind = kind
        self._betas = tuple(betas)
        self._totals = totals
        self._epochs = tuple(epochs)
        self._round_robins = [_round_robin(contest) for contest in self.contests]
        self._shard = shard
        self._matches = 0
        self._wanted = 0
        """How many of the matches that are planned are wanted."""
        self._blocks = [0] * len(self.contests)
        self._of_bot: list[Counter[int]] = [Counter() for _ in self.contests]
        self._closed: set[int] = set()
        """The contests that too few bots are left for."""

    @property
    def over(self) -> bool:
        """Whether every block of the run is planned."""
        return all(self._left(index) == 0 for index in range(len(self.contests)))

    def planned(self) -> int | None:
        """Return how many matches the run will have, as far as is known; None if it ends by the clock.

        Of a shard, most of whose blocks may not be planned yet, it is an estimate.
        """
        if self._totals is None:
            return None
        left = [self._left(i) or 0 for i in range(len(self.contests))]
        ahead = sum(blocks * contest.seats for blocks, contest in zip(left, self.contests, strict=True))
        if self._shard is None or not ahead:
            return self._wanted + ahead
        wanted = range(max(self._shard.start, *self.ends[-1:], 0), self._shard.stop)
        return self._wanted + round(ahead * len(wanted) / sum(left))

    def next_epoch(self, known: Known = NOTHING) -> list[Block]:
        """Return the blocks of the next epoch, numbered on; equal tables stand in a row.

        A contest that has fewer bots left than its table has seats is over.
        """
        number = self.ends[-1] if self.ends else 0
        blocks: list[Block] = []
        for index, bots in _mixed([self._next_tables(i, known) for i in range(len(self.contests))]):
            blocks.append(Block(number + len(blocks), self._matches, index, bots))
            self._matches += len(bots)
        self.ends.append(number + len(blocks))
        if self._shard is not None:
            blocks = [block for block in blocks if block.number in self._shard]
        self._wanted += sum(len(block.bots) for block in blocks)
        return blocks

    def _left(self, index: int) -> int | None:
        """Return how many blocks of a contest are still to be planned; None if only the clock ends it."""
        if index in self._closed:
            return 0
        return self._totals[index] - self._blocks[index] if self._totals else None

    def _next_tables(self, index: int, known: Known) -> list[tuple[int, ...]]:
        """Return the tables of a contest in the next epoch, and count them."""
        contest = self._without(index, known)
        left = self._left(index)
        count = self._epochs[index] if left is None else min(left, self._epochs[index])
        tables = self._tables(index, contest, count, known)
        if len(tables) < count:
            self._closed.add(index)
        self._blocks[index] += len(tables)
        self._of_bot[index].update(bot for bots in tables for bot in bots)
        return tables

    def _without(self, index: int, known: Known) -> Contest:
        """Return a contest without the suspended bots, and those on probation that have played enough."""
        contest, played = self.contests[index], self._of_bot[index]
        floor = self._floor(index)
        bots = [
            bot
            for bot in contest.bots
            if bot not in known.suspended and (bot not in known.on_probation or played[bot] < floor)
        ]
        return msgspec.structs.replace(contest, bots=tuple(bots))

    def _floor(self, index: int) -> float:
        """Return how many blocks every bot of a contest gets."""
        contest = self.contests[index]
        blocks = self._totals[index] if self._totals else self._blocks[index] + self._epochs[index]
        share = blocks / len(contest.bots)
        return min(FLOOR, share * contest.seats**2 / 2) / contest.seats

    def _tables(self, index: int, contest: Contest, count: int, known: Known) -> list[tuple[int, ...]]:
        """Return *count* tables, or none if there are too few bots left."""
        if len(contest.bots) < contest.seats:
            return []
        rng = self._keys.schedule(contest.name, len(self.ends))
        if self._kind == "round-robin" or len(self.ends) < 2:
            left = set(contest.bots)
            tables = list(islice((t for t in self._round_robins[index] if left.issuperset(t)), count))
        else:
            tables = _adaptive(
                contest,
                rng,
                count,
                self._of_bot[index],
                self._floor(index),
                CAP * (self._blocks[index] + count) * contest.seats / len(contest.bots),
                known.skills.get(index, {}),
                self._betas[index],
            )
        return _seated(sorted(tables), rng)


def _mixed(contests: Sequence[Sequence[tuple[int, ...]]]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield the tables of all contests with their contest, equal tables in a row.

    All contests move on together, so that a run that ends early has played its share of each.
    """
    rows = []
    for index, tables in enumerate(contests):
        done = 0
        for bots, row in groupby(tables):
            count = len(list(row))
            rows.append(((2 * done + count) / len(tables), index, bots, count))
            done += count
    for _, index, bots, count in sorted(rows):
        yield from ((index, bots) for _ in range(count))


def _seated(tables: Sequence[tuple[int, ...]], rng: Random) -> list[tuple[int, ...]]:
    """Return *tables* with the bots of each in random order, the same order for equal tables.

    A block turns its bots around the table, which leaves everybody beside the same neighbours; at two seats
    there are no others.
    """
    seated = {}
    for table in dict.fromkeys(tables):
        place = {bot: rng.random() for bot in table} if len(table) > 2 else {}
        seated[table] = tuple(sorted(table, key=place.__getitem__)) if place else table
    return [seated[table] for table in tables]


def _round_robin(contest: Contest) -> Iterator[tuple[int, ...]]:
    """Yield tables for ever, so that any two differ by at most one in how often they have come.

    However few are taken, everybody sits at about as many.
    """
    while True:
        yield from _pairs(contest.bots) if contest.seats == 2 else _orbits(contest.bots, contest.seats)


def _pairs(bots: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield all pairs in rounds in which everybody plays once (the circle method)."""
    ring: list[int | None] = [*bots, *([None] if len(bots) % 2 else [])]
    for _ in range(len(ring) - 1):
        for i in range(len(ring) // 2):
            a, b = ring[i], ring[-1 - i]
            if a is not None and b is not None:
                yield (min(a, b), max(a, b))
        ring.insert(1, ring.pop())


def _orbits(bots: Sequence[int], seats: int) -> Iterator[tuple[int, ...]]:
    """Yield all tables in orbits: a table, and what it becomes if all its members move up by 1, 2, 3... bots.

    An orbit seats everybody equally often.
    """
    n = len(bots)
    turns = sorted(range(n), key=lambda turn: (turn % seats, turn))
    for others in combinations(range(1, n), seats - 1):
        first = (0, *others)
        orbit = dict.fromkeys(tuple(sorted((place + turn) % n for place in first)) for turn in turns)
        if first == min(orbit):  # else it has come already
            yield from (tuple(bots[place] for place in places) for places in orbit)


def _adaptive(
    contest: Contest,
    rng: Random,
    count: int,
    of_bot: Mapping[int, int],
    floor: float,
    cap: float,
    skills: Mapping[int, Skill],
    beta: float,
) -> list[tuple[int, ...]]:
    """Draw *count* tables: first for bots below the floor, then where a match tells most, under the cap.

    *of_bot*, *floor* and *cap* count blocks.  Where too few bots are under the cap, those with the fewest
    blocks play.
    """
    counts = {bot: of_bot.get(bot, 0) for bot in contest.bots}
    tables = []
    for _ in range(count):
        free = [bot for bot in contest.bots if counts[bot] + 1 <= cap]
        if len(free) < contest.seats:
            free = sorted(contest.bots, key=lambda bot: (counts[bot], bot))[: contest.seats]
        needy = [bot for bot in free if counts[bot] < floor]
        if needy:
            anchor = min(needy, key=lambda bot: (counts[bot], bot))
        else:
            anchor = _drawn(free, [skills[bot].sigma ** 2 for bot in free], rng)
        table = [anchor]
        while len(table) < contest.seats:
            others = [bot for bot in needy or free if bot not in table]
            others = others or [bot for bot in free if bot not in table]
            worth = [_information(skills[anchor], skills[bot], beta) for bot in others]
            table.append(_drawn(others, worth, rng))
        for bot in table:
            counts[bot] += 1
        tables.append(tuple(sorted(table)))
    return tables


def _information(one: Skill, other: Skill, beta: float) -> float:
    """Return how much a match of two bots tells: most between uncertain bots of about the same skill.

    The variance that the match can remove, as a share of all that decides it, times how open the match is
    (TrueSkill's match quality without its draw margin: Herbrich, Minka and Graepel 2006).
    """
    variance = one.sigma**2 + other.sigma**2
    spread = 2 * beta**2 + variance
    return variance / spread * math.exp(-((one.mu - other.mu) ** 2) / (2 * spread)) + 1e-9


def _drawn(items: Sequence[int], weights: Sequence[float], rng: Random) -> int:
    """Return one of *items*, drawn by weight, by Random.random() alone."""
    left = rng.random() * math.fsum(weights)
    for item, weight in zip(items, weights, strict=True):
        left -= weight
        if left < 0:
            return item
    return items[-1]
