"""How far a run has come, and how it is asked to stop."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field

__all__ = ["Status", "Stop"]


ENOUGH = 100
"""The time left is estimated from this many matches, or from a tenth of the run."""
SLOW_SECONDS = 60.0
"""After so long fewer will do, for by then their bots have started..."""
FEW = 20
"""...at least this many; with fewer, from all that were played."""


@dataclass
class Status:
    """How far a run is: what a progress display shows."""

    done: int = 0
    """Matches that are rated."""
    before: int = 0
    """How many of them were done when this command began."""
    total: int | None = None
    seconds: float = 0.0
    """Since this command began to play."""
    limit_s: float | None = None
    faults: Counter[str] = field(default_factory=Counter)
    came: int = 0
    """Matches that this command has played, some of which may wait for others to be rated."""
    _marks: deque[tuple[float, int]] = field(default_factory=lambda: deque([(0.0, 0)]))
    """When how many had come, in the last half of the time."""

    def at(self, seconds: float) -> None:
        """Take note of what has come by *seconds*."""
        self.seconds = seconds
        if seconds >= 1.02 * self._marks[-1][0] + 0.1:
            self._marks.append((seconds, self.came))
        while len(self._marks) > 1 and self._marks[1][0] <= seconds / 2:
            self._marks.popleft()

    @property
    def rate(self) -> float:
        """Matches per second of this command."""
        return (self.done - self.before) / self.seconds if self.seconds else 0.0

    @property
    def pace(self) -> float | None:
        """Matches per second of late; None while there are too few to tell.

        The first matches wait for bots that start, so it looks at the last half of the time alone.
        """
        then, came = self._marks[0]
        enough = FEW if self.seconds >= SLOW_SECONDS else min(ENOUGH, (self.total or 10 * ENOUGH) / 10)
        if self.came - came >= enough:
            return (self.came - came) / (self.seconds - then)
        return self.came / self.seconds if self.came and self.seconds >= SLOW_SECONDS else None

    @property
    def left_s(self) -> float | None:
        """How many seconds are left, as far as can be told."""
        if self.total is None:
            return None if self.limit_s is None else max(0.0, self.limit_s - self.seconds)
        return max(0, self.total - self.before - self.came) / self.pace if self.pace else None


@dataclass
class Stop:
    """Whether the run was asked to stop: 1 softly, 2 at once; and the exit code that the asking means."""

    asked: int = 0
    exit_code: int = 130
