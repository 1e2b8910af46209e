"""Words that commands take and records keep.  This module loads nothing."""

from __future__ import annotations

from typing import Literal, TypeAlias

__all__ = ["ScheduleKind", "Until"]

ScheduleKind: TypeAlias = Literal["adaptive", "round-robin", "gauntlet"]
"""How bots are paired.  In a gauntlet the first bot of the run has a seat at every table."""
Until: TypeAlias = str
"""What ends a run before its last match: the name of a rule, such as order, and =VALUE if it takes one."""
