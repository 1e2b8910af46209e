"""Blocks that the machine's delays have made void: they wait, and are played again while nothing else is.

A worker has tried such a block several times.  It waits until all other blocks that are planned by then are
played, or until STUCK blocks in a row have come back, and is then played alone.  If it is void once more, the
run pauses and tries again, twice.  After that the fault is charged if one bot alone was late each time; else
this machine is too busy for the run.

Nothing of this is stored: a run that is continued plays the block as any other.
"""

import time
from collections.abc import Callable, Collection
from typing import NamedTuple

from ladder.contest.blocks import PlannedBlock
from ladder.errors import TooBusy
from ladder.run.discipline import Say
from ladder.worker.worker_messages import Unplayed

PAUSE_SECONDS = 60.0
"""How long a run pauses before it plays a block alone once more."""
PAUSES = 2
"""How often it does."""
STUCK = 4
"""After this many blocks in a row that were not played, no other is tried first: perhaps no bot starts."""
BESIDE_BLOCKS = 64
"""A duel, which is planned as a whole, plays no block further than this beyond the first one that waits."""


class Turn(NamedTuple):
    """A block that is to be played now, alone."""

    block: PlannedBlock
    charge: str
    """The id of the bot's version that is charged if it is late again; empty: none is."""


class DelayedBlocks:
    """The blocks of a run that wait."""

    def __init__(self, say: Say, resume: str, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin with none.  *resume* is what to type to continue the run later; empty: the cause tells."""
        self._say = say
        self._resume = resume
        self._clock = clock
        self._waiting: dict[int, PlannedBlock] = {}
        self._in_a_row = 0
        """How many blocks have come back since one was played."""
        self._current: int | None = None
        """The block that is played alone, or that the run pauses for."""
        self._tries: list[Unplayed] = []
        """How it was made void, each time that it was played alone."""
        self._charge = ""
        self._paused_since: float | None = None
        self._paused_s = 0.0

    def __bool__(self) -> bool:
        return bool(self._waiting)

    @property
    def blocks(self) -> Collection[PlannedBlock]:
        """The blocks that wait, and the one that is played alone."""
        return self._waiting.values()

    @property
    def is_stuck(self) -> bool:
        """Whether the machine lets no block be played: what waits is to be played alone now."""
        return self._in_a_row >= STUCK

    @property
    def has_turn(self) -> bool:
        """Whether nothing else is played now: one block after another is played alone, until none waits."""
        return self._current is not None

    @property
    def first(self) -> int:
        """The number of the first block that waits; there is one."""
        return min(self._waiting)

    @property
    def paused_s(self) -> float:
        """The seconds that the run has paused so far."""
        return self._paused_s + (self._clock() - self._paused_since if self._paused_since is not None else 0)

    @property
    def pause_left_s(self) -> float:
        """The seconds until the run goes on; 0 if it does not pause."""
        if self._paused_since is None:
            return 0.0
        return max(0.0, self._paused_since + PAUSE_SECONDS - self._clock())

    def take(self) -> Turn | None:
        """Return the block to be played alone now; None in a pause.  One waits, and nothing is in hand."""
        if self.pause_left_s:
            return None
        self._paused_s, self._paused_since = self.paused_s, None
        if self._current is None:
            self._current, self._tries, self._charge = self.first, [], ""
        return Turn(self._waiting[self._current], self._charge)

    def add(self, block: PlannedBlock, unplayed: Unplayed) -> None:
        """Let *block* wait, or try again.  Raises TooBusy if that was the last time."""
        if unplayed.cut_short:
            why = f"{unplayed.reason}, in block {block.number}, when the time of the run was up"
            raise TooBusy(why, self._resume)
        if block.number != self._current:
            self._waiting[block.number] = block
            self._in_a_row += 1
            return
        self._tries.append(unplayed)
        if self._charge or len(self._tries) > PAUSES:
            self._give_up(unplayed)
            return
        self._paused_since = self._clock()
        self._say(
            f"block {block.number} could not be played, though nothing else was: "
            f"{unplayed.reason}; the run pauses for {PAUSE_SECONDS:.0f} s",
            "see what else this machine does, and what `ladder doctor` says",
        )

    def _give_up(self, unplayed: Unplayed) -> None:
        """Charge the only bot that was late each time.  Raises TooBusy if there is none."""
        late = set.intersection(*({*each.late} for each in self._tries))
        if self._charge or len(late) != 1 or not all(each.in_time for each in self._tries):
            number = unplayed.block
            raise TooBusy(f"{unplayed.reason}, in block {number}, each time it was played", self._resume)
        (self._charge,) = late
        self._say(
            f"{self._charge} alone is late in block {unplayed.block} each time that it is played: "
            "the fault is its own",
            "",
        )

    def forget(self, number: int) -> None:
        """Forget block *number*, which is played; the next one that waits has its turn."""
        self._in_a_row = 0
        self._waiting.pop(number, None)
        if number == self._current:
            self._current, self._tries, self._charge = None, [], ""
            if self._waiting:
                self._current = self.first

    def drop_from(self, end: int) -> None:
        """Forget the blocks from number *end* on: the run has ended before them."""
        for number in [number for number in self._waiting if number >= end]:
            self.forget(number)
