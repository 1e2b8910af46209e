"""What a referee holds bots to: clocks, limits, retries."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from msgspec import UNSET

from ladder.keys import Keys
from protocol.messages import Limits

__all__ = ["GRACE_MS", "MS", "Freeze", "Rules"]

Freeze: TypeAlias = Literal["auto", "on", "off"]

GRACE_MS = 50
"""What a decision may take beyond its time, for the machine's own delays."""
MS = 1_000_000
"""Nanoseconds in a millisecond."""


class Rules(NamedTuple):
    """What holds for every match of a run."""

    run: int
    keys: Keys
    limits: Limits
    sandbox: str
    cores: int
    """How many cores the bots have: up to that many seats are asked at once, more one after another."""
    retries: int = 0
    """How often an illegal move is asked again."""
    freeze: Freeze = "auto"
    """Whether bots are stopped between their turns: `auto`, those that compute on others' time."""

    @property
    def free_ns(self) -> int:
        """How long a decision may take before it costs anything from the bank."""
        return (self.limits.move_ms + GRACE_MS) * MS

    @property
    def match_ns(self) -> int:
        """The most time for a bot's start and decisions in a match; 0: no such limit."""
        seconds = self.limits.match_s
        return 0 if seconds is UNSET else seconds * 1000 * MS

    @property
    def start_ms(self) -> int:
        """How long a start may take."""
        return min(self.limits.start_ms, self.match_ns // MS or self.limits.start_ms)
