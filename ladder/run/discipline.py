"""Which bots of a run are suspended or on probation.

It follows from the standing matches in number order.  The schedule applies it from two epochs later on.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque

__all__ = ["Conduct"]

FAILED_STARTS = 3
"""Suspend a bot for the rest of the run after this many matches in a row without a start."""
REMEMBERED = 20
"""Put a bot on probation for faults in more than half of this many matches: it gets the floor only."""


class Conduct:
    """The record of each bot: the keys are (bot, version)."""

    def __init__(self) -> None:
        self.suspended: set[tuple[str, str]] = set()
        self._failed_starts: Counter[tuple[str, str]] = Counter()
        self._recent: defaultdict[tuple[str, str], deque[bool]] = defaultdict(
            lambda: deque(maxlen=REMEMBERED)
        )

    @property
    def on_probation(self) -> set[tuple[str, str]]:
        """The bots that fault in most of their matches."""
        return {bot for bot, faulted in self._recent.items() if 2 * sum(faulted) > REMEMBERED}

    def add(self, bot: tuple[str, str], fault: str | None) -> None:
        """Count how a standing match ended for *bot*.  Matches come in number order."""
        self._recent[bot].append(fault is not None)
        self._failed_starts[bot] = self._failed_starts[bot] + 1 if fault == "start" else 0
        if self._failed_starts[bot] == FAILED_STARTS:
            self.suspended.add(bot)
