"""What the operator of a run is told while it is played: which bots fail, and what to type next."""

import logging
from collections.abc import Callable, Sequence
from typing import TypeAlias

from ladder.errors import short
from ladder.run.discipline import REMEMBERED, Notice
from results.record import Fault
from results.reports.values_as_text import escape

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
