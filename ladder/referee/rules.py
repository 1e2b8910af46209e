"""What a referee holds bots to: clocks, limits, retries."""

from __future__ import annotations

from typing import NamedTuple

import msgspec
from msgspec import UNSET

from ladder.contest.keys import Keys
from protocol.messages import Limits
from results.record import Freeze, RunSettings

__all__ = ["GRACE_MS", "MS", "Rules", "limits_of"]

GRACE_MS = 50
"""What a decision may take beyond its time, for the machine's own delays."""
MS = 1_000_000
"""Nanoseconds in a millisecond."""


class Rules(NamedTuple):
    """What holds for every match of a run."""

    run: int
    keys: Keys
    settings: RunSettings
    limits: Limits
    """Those of the settings, as hello names them."""
    sandbox: str
    cores: int
    """How many cores the bots have: up to that many seats are asked at once, more one after another."""

    @property
    def retries(self) -> int:
        """How often an illegal move is asked again."""
        return self.settings.retries

    @property
    def freeze(self) -> Freeze:
        """Whether bots are stopped between their turns."""
        return self.settings.freeze

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


def limits_of(settings: RunSettings) -> Limits:
    """Return the limits of a run as hello names them."""
    return msgspec.convert(settings.limits, Limits)
