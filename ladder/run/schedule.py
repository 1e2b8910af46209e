"""The schedule of a run: its blocks, epoch by epoch.

Epoch k depends on what was known at the end of epoch k-2, so it can be handed out while epoch k-1 is still
played; in a tournament it depends on all of epoch k-1.  There are four kinds: of ladder.run.run_schedule,
run_plan and tournament_schedule.
"""

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar, NamedTuple

import msgspec
from msgspec import UnsetType

from ladder.contest.blocks import PlannedBlock
from ladder.registry.version import Version
from ladder.run.adaptive import OpenOrder
from results.record import Contest, RunSettings

PLAN = 5
"""The version of this plan, which a new run has."""
PERSONS_PLAN = 6
"""The version of a run in which no two bots of one person meet, which version 5 does not know."""
PLANS = (3, 4, PLAN, PERSONS_PLAN)
"""The versions by which a run can be continued.

By version 3, a round robin waits for results, too.  Before version 5, half of an adaptive epoch was a round
robin, and `--until order` had another bound: what is left of such a run is planned by version 5.
"""
FREE_PLAN = 4
"""From this version of the plan on, a plain round robin waits for no results."""
TOGETHER = 64
"""The fewest blocks of all contests in an epoch, or all of a shorter run: they fill a machine's tables."""
ADAPTING = 32
"""The same for a run that follows its ratings, which loses by long epochs.

Two epochs are in hand, and tables may play the matches of a block side by side: 128 matches for two.
"""
FAST_MS = 50
"""The most time that a decision of a fast bot takes, in milliseconds."""
FAST = 16
"""The same as ADAPTING if all of its bots are fast: then few tables are enough for a busy machine."""
FAST_EPOCHS = 100
"""The epochs of a run of fast bots that follows its ratings, unless they would be shorter than FAST.

More of them cost time: 10,000 matches of Stellar among house bots took 15 s with 20 epochs, 16 s with 80, and
21 s with 313.
"""
ADAPTED = 4
"""The fewest epochs of a run that follows its ratings, unless epoch_blocks says that they are too short."""
BY_THE_CLOCK = 512
"""The matches of every game in an epoch of a run with a time limit: 256 blocks at two seats."""
FAST_BY_THE_CLOCK = 64
"""The same for a run that follows its ratings, if all of its bots are fast."""


class KnownResults(NamedTuple):
    """The basis of an epoch: what was known at the end of the epoch before the last one."""

    orders: Mapping[int, OpenOrder] = MappingProxyType({})
    """Per contest: what is known of the order of its bots."""
    suspended: Collection[int] = ()
    """Bots that are drawn no longer."""
    on_probation: Collection[int] = ()
    """Bots that are drawn only until they have the floor."""


NOTHING = KnownResults()


class Epoch(msgspec.Struct, frozen=True, array_like=True):
    """The plan of an epoch: what a resumed run must know of it."""

    rows: tuple[tuple[int, tuple[int, ...], int], ...]
    """Consecutive blocks: the contest, the bots in their order, and the number of blocks."""
    taken: tuple[int, ...]
    """For each contest, how many tables of its round robin are taken then."""
    closed: tuple[int, ...]
    """The contests that are over because too few bots are left."""


class Schedule(ABC):
    """The blocks of a run, one epoch after another.

    It is pure: what it plans follows from what it is told, so a run has the same blocks wherever it stops and
    is continued, and with any number of workers.
    """

    is_whole: ClassVar[bool] = False
    """Whether an epoch may have all blocks that are left: without one of its bots, they are planned anew."""
    lag: ClassVar[int] = 2
    """An epoch depends on what was known at the end of the epoch that is this many before it."""

    def __init__(self, contests: Sequence[Contest]) -> None:
        """Start before the first epoch."""
        self.contests = tuple(contests)
        self.ends: list[int] = []
        """The number of blocks of the run up to the end of each epoch planned so far."""
        self._matches = 0
        self._blocks = [0] * len(self.contests)
        self._closed: set[int] = set()
        """The contests that have no more blocks than are planned."""

    @property
    def over(self) -> bool:
        """Whether every block of the run is planned."""
        return not self.next_size

    @property
    def next_size(self) -> int:
        """The number of blocks of the next epoch."""
        return sum(self._next_blocks())

    @abstractmethod
    def count_planned(self) -> int | None:
        """Return the number of matches that the run will have at most; None if the clock ends it."""

    @abstractmethod
    def plan(self, known: KnownResults = NOTHING) -> Epoch:
        """Return the plan of the next epoch on the basis of *known*, to be added."""

    @abstractmethod
    def _next_blocks(self) -> list[int]:
        """Return how many blocks each contest has in the next epoch; all 0 when the run is planned."""

    def next_epoch(self, known: KnownResults = NOTHING) -> list[PlannedBlock]:
        """Plan the next epoch on the basis of *known*, and return its blocks."""
        return self.add(self.plan(known))

    def add(self, epoch: Epoch) -> list[PlannedBlock]:
        """Add *epoch*, and return its blocks, with the next numbers; those of one row are consecutive."""
        number = self.ends[-1] if self.ends else 0
        # Blocks of one row are of the same bots in the same seats.  In a row they are one chunk of work: its
        # worker starts these bots once.
        blocks: list[PlannedBlock] = []
        for index, bots, times in epoch.rows:
            for _ in range(times):
                blocks.append(PlannedBlock(number + len(blocks), self._matches, index, bots))
                self._matches += len(bots)
            self._blocks[index] += times
        self.close(epoch.closed)
        self.ends.append(number + len(blocks))
        return blocks

    def close(self, contests: Iterable[int]) -> None:
        """Plan no more blocks of *contests*, by their index."""
        self._closed.update(contests)


def epoch_blocks(blocks: int) -> int:
    """Return the fewest blocks in an epoch of a contest that has *blocks* blocks in all."""
    return min(max(math.ceil(blocks / 20), 16), 4096)


def epoch_sizes(
    totals: Sequence[int], *, adapts: bool, short: bool = False, fast: bool = False
) -> tuple[int, ...]:
    """Return how many blocks of each contest an epoch has, in a run with these *totals* of blocks.

    An epoch of all contests together has at least TOGETHER blocks, or all of a shorter run.  In a run that
    *adapts* to its ratings these are ADAPTING blocks, or FAST if its bots are *fast*, and no more than a part
    of 1 / ADAPTED.  Of fast bots it has at least a part of 1 / FAST_EPOCHS.  An epoch that is not to be
    *short* has at least what epoch_blocks says.  All this follows from the run alone, never from the machine:
    the same command plans the same matches anywhere.
    """
    # Long epochs keep all tables busy while the slowest block of an epoch ends; short ones let the ratings
    # steer sooner.
    if not adapts:
        together = TOGETHER
    else:
        together = max(FAST, math.ceil(sum(totals) / FAST_EPOCHS)) if fast else ADAPTING
    shares = [math.ceil(together * blocks / sum(totals)) for blocks in totals]
    most = [math.ceil(blocks / ADAPTED) if adapts else blocks for blocks in totals]
    sizes = tuple(map(min, shares, most))
    return sizes if short else tuple(map(max, map(epoch_blocks, totals), sizes))


def all_fast(bots: Sequence[Version], settings: RunSettings) -> bool:
    """Return whether every decision of a run with these *settings* takes FAST_MS at most, as far as is said.

    House bots do, if their manifests say nothing else; of another bot its manifest may say so, and a limit
    says it of all.  Nothing is measured: the same run has the same epochs on any machine, however busy it is.

    Short epochs find the order of the bots sooner.  Slow bots need long ones: their matches take minutes, and
    many tables must play side by side.
    """
    games = {contest.game for contest in settings.contests}
    held = [settings.limits_at(bot.bot, game) for bot in bots for game in games]
    if all(of.get("move_ms", FAST_MS + 1) + of.get("bank_ms", 0) <= FAST_MS for of in held):
        return True
    return all(_is_fast(bot) for bot in bots)


def _is_fast(bot: Version) -> bool:
    think_ms = bot.manifest.think_ms
    return bot.of_house if isinstance(think_ms, UnsetType) else think_ms <= FAST_MS


def equal_shares(matches: int, contests: Sequence[Contest]) -> list[int]:
    """Return blocks for each contest that make *matches*: shared equally by games, then by table sizes."""
    # By matches and not by blocks: a block of six seats has three times the matches of one of two.
    sizes = Counter(contest.game for contest in contests)
    return [math.ceil(matches / (len(sizes) * sizes[c.game] * c.seats)) for c in contests]
