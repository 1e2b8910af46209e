"""What the check of a bot found, and what to do about it."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from protocol.faults import FLUSH

__all__ = [
    "ENDING_SECONDS",
    "FASTER",
    "LATER_SECONDS",
    "MARK",
    "NEAR",
    "NEWLINE",
    "SHOWN",
    "STDERR",
    "Finding",
    "Grade",
]

Grade: TypeAlias = Literal["ok", "warning", "failure"]

MARK = "LADDER_CHECK"
"""The environment variable that marks the processes of a bot, so that they can be found again."""
LATER_SECONDS = 1.0
"""A bot that stays silent this much longer than its limit is not just slow."""
ENDING_SECONDS = 0.5
"""How long to wait, after stdin is closed, for output that a program has buffered."""
NEAR = 0.75
"""The share of a limit from which on a bot is warned."""
SHOWN = 600
"""The most characters shown of what a process wrote."""

STDERR = "stdout is for the protocol alone: log to stderr, as in print(..., file=sys.stderr)"
NEWLINE = f"end every line with a newline, and {FLUSH}"
FASTER = "start faster: load what is large after ready"


class Finding(msgspec.Struct, frozen=True):
    """What one check has shown."""

    check: str
    verdict: Grade
    what: str
    advice: str = ""
    """What to do about it; empty where all is well."""
    exchange: tuple[str, ...] = ()
    """The lines that show it."""
