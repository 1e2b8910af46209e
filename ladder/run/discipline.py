"""How the bots of a run behave: who is suspended, who is on probation.

It follows from the standing matches in number order, and steers who is drawn from two epochs later on.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque

__all__ = ["Conduct"]

FAILED_STARTS = 3
"""Who cannot be started in so many matches in a row is suspended for the rest of the run."""
REMEMBERED = 20
"""Who faulted in more than half of its last so many matches is on probation, and gets the floor only."""


class Conduct:
    """What is held against each bot's version, by (bot, version)."""

    def __init__(self) -> None:
        self.suspended: set[tuple[str, str]] = set()
        self._failed_starts: Counter[tuple[str, str]] = Counter()
        self._recent: defaultdict[tuple[str, str], deque[bool]] = defaultdict(
            lambda: deque(maxlen=REMEMBERED)
        )

    @property
    def on_probation(self) -> set[tuple[str, str]]:
        """Return who faults more often than not."""
        return {bot for bot, faulted in self._recent.items() if 2 * sum(faulted) > REMEMBERED}

    def add(self, bot: tuple[str, str], fault: str | None) -> None:
        """Take into account how a standing match ended for *bot*; they come in number order."""
        self._recent[bot].append(fault is not None)
        self._failed_starts[bot] = self._failed_starts[bot] + 1 if fault == "start" else 0
        if self._failed_starts[bot] == FAILED_STARTS:
            self.suspended.add(bot)
