"""What follows from the faults of bots: suspension and probation.

All of it follows from the standing matches in number order.  The schedule applies suspension and probation
from two epochs later on.
"""

from collections import Counter, defaultdict, deque
from typing import Literal, NamedTuple

FAILED_STARTS = 3
"""Suspend a bot for the rest of the run after this many matches in a row without a start."""
REMEMBERED = 20
"""Put a bot on probation for faults in more than half of this many matches: it gets the floor only."""


class Notice(NamedTuple):
    """A bot that is suspended or on probation since the last match, for the first time."""

    bot: tuple[str, str]
    """Name and version."""
    what: Literal["suspended", "probation"]
    faulted: int
    """In how many of its last REMEMBERED matches it faulted."""
    fault: str
    """The kind of the last fault."""


class Conduct:
    """The record of each bot: the keys are (bot, version)."""

    def __init__(self) -> None:
        self.suspended: set[tuple[str, str]] = set()
        self._failed_starts: Counter[tuple[str, str]] = Counter()
        self._recent: defaultdict[tuple[str, str], deque[bool]] = defaultdict(
            lambda: deque(maxlen=REMEMBERED)
        )
        self._noticed: set[tuple[str, str]] = set()
        """The bots that were on probation before."""
        self._notices: list[Notice] = []

    @property
    def on_probation(self) -> set[tuple[str, str]]:
        """The bots that fault in most of their matches."""
        return {bot for bot, faulted in self._recent.items() if 2 * sum(faulted) > REMEMBERED}

    def add(self, bot: tuple[str, str], fault: str | None) -> None:
        """Count how a standing match ended for *bot*.  Matches come in number order."""
        recent = self._recent[bot]
        recent.append(fault is not None)
        self._failed_starts[bot] = self._failed_starts[bot] + 1 if fault == "start" else 0
        if fault is None:
            return
        if self._failed_starts[bot] == FAILED_STARTS and bot not in self.suspended:
            self.suspended.add(bot)
            self._notices.append(Notice(bot, "suspended", sum(recent), fault))
        if bot not in self._noticed | self.suspended and 2 * sum(recent) > REMEMBERED:
            self._noticed.add(bot)
            self._notices.append(Notice(bot, "probation", sum(recent), fault))

    def take_notices(self) -> list[Notice]:
        """Return the notices since the last call."""
        notices, self._notices = self._notices, []
        return notices
