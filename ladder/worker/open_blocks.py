"""Blocks of one table while they are played: lane by lane, by one thread or by several side by side."""

from collections import deque
from collections.abc import Sequence
from threading import Lock
from typing import TypeAlias

from ladder.contest.blocks import PlannedBlock, ScheduledMatch, matches_of
from ladder.referee.table_events import MatchOver
from ladder.worker.worker_messages import Unplayed
from results import record
from results.record import Contest

EndedBlock: TypeAlias = record.Block | Unplayed
"""What becomes of a block."""


class _OpenBlock:
    """A block of which not all matches are over."""

    def __init__(self, scheduled: Sequence[ScheduledMatch]) -> None:
        self.scheduled = scheduled
        self.matches: list[record.Match] = []
        self.faults: list[record.Fault] = []
        self.playing = 0
        """How many of its matches are in progress."""
        self.unplayed: Unplayed | None = None


class OpenBlocks:
    """Blocks of one table, rotation by rotation: all matches of a rotation are a lane."""

    def __init__(self, blocks: Sequence[PlannedBlock], contest: Contest, first_lane: int) -> None:
        """Begin with lane *first_lane* modulo the number of seats."""
        self.game = contest.game
        self._open = {block.number: _OpenBlock(matches_of(block, contest)) for block in blocks}
        self._lanes = deque((first_lane + turn) % contest.seats for turn in range(contest.seats))
        self._seats = contest.seats
        self._lock = Lock()

    @property
    def has_lanes(self) -> bool:
        """Whether a lane is left that nobody has taken."""
        return bool(self._lanes)

    def take_lane(self) -> tuple[int, list[ScheduledMatch]] | None:
        """Return a lane and its matches, to be played by the caller; None if no lane is left."""
        with self._lock:
            if not self._lanes:
                return None
            lane = self._lanes.popleft()
            left = [block for block in self._open.values() if block.unplayed is None]
            for block in left:
                block.playing += 1
            return lane, [block.scheduled[lane] for block in left]

    def add(self, over: MatchOver | Unplayed) -> EndedBlock | None:
        """Take what became of a match; return its block once none of its matches is in progress any more."""
        number = over.block if isinstance(over, Unplayed) else over.match.block
        with self._lock:
            block = self._open[number]
            block.playing -= 1
            if isinstance(over, Unplayed):
                block.unplayed = block.unplayed or over
            else:
                block.matches.append(over.match)
                block.faults.extend(over.faults)
            if block.playing or (block.unplayed is None and len(block.matches) < self._seats):
                return None
            del self._open[number]
        if block.unplayed:
            return block.unplayed
        return record.Block(
            number,
            sorted(block.matches, key=lambda match: match.number),
            sorted(block.faults, key=lambda fault: fault.number),
        )
