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
"""The variable by which the processes of a bot are found again, whatever else they have changed."""
LATER_SECONDS = 1.0
"""Who says nothing for so much longer than it may is not just slow."""
ENDING_SECONDS = 0.5
"""Within this time of the end of its stdin a program writes out what it had kept back."""
NEAR = 0.75
"""From this part of a limit on, a bot is warned that it comes near it."""
SHOWN = 600
"""So many characters of what a process said are shown."""

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
