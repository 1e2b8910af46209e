"""What follows from the faults of bots: suspension and probation.

All of it follows from the standing matches in number order.  The schedule applies suspension and probation
from two epochs later on.
"""

import logging
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, TypeAlias

from ladder.errors import short
from results.record import Fault
from results.reports.values_as_text import escape

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


log = logging.getLogger(__name__)
REASON_CHARS = 160
"""The most characters of the reason of a fault."""
Say: TypeAlias = Callable[[str, str], object]
"""Takes a sentence for the operator, and what to type next."""


def log_notice(text: str, hint: str) -> None:
    """Write what the operator of a run should know to the log."""
    log.warning("%s%s", text, f"; next: {hint}" if hint else "")


def text_of(notice: Notice, faults: Sequence[Fault], unrated: str, *, steers: bool) -> tuple[str, str]:
    """Return *notice* in words, and what to type next; *faults* are those of the last block, if known.

    *unrated* is the name of the store if it is not that of the ladder, else empty.  *steers*: whether the
    conduct of bots changes the plan.
    """
    name, version = notice.bot
    of_bot = [fault for fault in faults if (fault.bot, fault.version) == notice.bot and fault.charged]
    why = f"{notice.fault}: {escape(short(of_bot[-1].reason, REASON_CHARS))}" if of_bot else notice.fault
    if notice.what == "suspended":
        state, what = "is suspended: it ", "could not be started in three matches in a row"
    else:
        state, what = "is on probation: it ", f"faulted in {notice.faulted} of its last {REMEMBERED} matches"
    hint = f"ladder faults {name}@{version}" + (f" --in {unrated}" if unrated else "")
    return f"{name}@{version} {state if steers else ''}{what} ({why})", hint
