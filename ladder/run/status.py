"""The progress of a run, and the request to stop it."""

from collections import Counter, deque
from dataclasses import dataclass, field

from ladder.run.executors.base import STARVED, Waiting
from results.words import count

ENOUGH = 100
"""The time left is estimated from this many matches, or from a tenth of the run."""
SLOW_SECONDS = 60.0
"""After this time fewer matches are enough, because their bots have started: ..."""
WAITING = 0.5
"""A run waits for its bots if its tables need no core for more than this part of the time."""
OTHERS = 0.2
"""If other programs use more than this part of the cores, it is them that its tables wait for."""
FEW = 20
"""... at least this many.  With fewer, the estimate uses all matches that were played."""


@dataclass
class Status:
    """The progress of a run, as a display shows it."""

    done: int = 0
    """Matches that are rated."""
    before: int = 0
    """How many of them were done when this command began."""
    total: int | None = None
    seconds: float = 0.0
    """Since this command began to play."""
    limit_s: float | None = None
    faults: Counter[str] = field(default_factory=Counter)
    waiting: Waiting | None = None
    """How many tables are in progress, and how much they wait; None if that is not known."""
    pause_left_s: float = 0.0
    """The seconds until the run goes on, if it pauses because the machine is too busy; else 0."""
    is_held_back: bool = False
    """Whether tables stand empty until more matches can be planned: those of the next epoch need results."""
    has_more: bool = False
    """Whether a match is planned that no table plays yet, and that no cap keeps from being played."""
    came: int = 0
    """Matches that this command has played, some of which may wait for others to be rated."""
    _marks: deque[tuple[float, int]] = field(default_factory=lambda: deque([(0.0, 0)]))
    """(seconds, matches that had come) at moments in the last half of the time."""

    def at(self, seconds: float) -> None:
        """Record the matches that have come after *seconds*."""
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
        """Recent matches per second, by the last half of the time: bots start first.  None if too few."""
        then, came = self._marks[0]
        enough = FEW if self.seconds >= SLOW_SECONDS else min(ENOUGH, (self.total or 10 * ENOUGH) / 10)
        if self.came - came >= enough:
            return (self.came - came) / (self.seconds - then)
        return self.came / self.seconds if self.came and self.seconds >= SLOW_SECONDS else None

    @property
    def is_crowded(self) -> bool:
        """Whether bots wait for cores that other programs use, not for those that the run itself fills."""
        waiting = self.waiting
        return waiting is not None and waiting.starved >= STARVED and (waiting.others or 0.0) >= OTHERS

    @property
    def wait(self) -> str:
        """What the run waits for, in words; empty if the cores are busy or this is not known."""
        if self.pause_left_s:
            return f"this machine is too busy: the run continues in {self.pause_left_s:.0f} s"
        if self.is_crowded and self.waiting is not None:
            told = (
                f"this machine is busy: other programs use {self.waiting.others:.0%} of its cores, and bots"
                f" spend {self.waiting.starved:.0%} of the time waiting for one"
            )
            return told.replace("%", " %")
        if self.waiting is None or self.waiting.share < WAITING or self.waiting.starved >= STARVED:
            return ""
        tables = f"{count(self.waiting.tables, 'table')} in progress"
        more = "; more matches are planned when these end" if self.is_held_back else ""
        return f"waiting for bots {self.waiting.share:.0%} of the time; {tables}{more}".replace("%", " %")

    @property
    def left_s(self) -> float | None:
        """The seconds left; None if they cannot be estimated yet."""
        ends = [] if self.limit_s is None else [max(0.0, self.limit_s - self.seconds)]
        if self.total is not None and self.pace:
            ends.append(max(0, self.total - self.before - self.came) / self.pace)
        return min(ends, default=None)

    @property
    def time_is_up(self) -> bool:
        """Whether this command has used the time that the run has left."""
        return self.limit_s is not None and self.seconds >= self.limit_s

    @property
    def part(self) -> float | None:
        """The part of the run that is over, by its matches or by its time; None if it has neither limit."""
        parts = [] if self.total is None else [self.done / max(1, self.total)]
        if self.limit_s is not None:
            parts.append(1.0 if self.time_is_up else self.seconds / self.limit_s)
        return max(parts, default=None)


@dataclass
class Stop:
    """The request to stop a run: *asked* is 1 for after the matches in hand, 2 for at once."""

    asked: int = 0
    exit_code: int = 130
