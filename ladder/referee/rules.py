"""The rules of a run for its bots: clocks, limits, retries."""

from __future__ import annotations

from typing import NamedTuple

import msgspec
from msgspec import UNSET

from ladder.contest.keys import Keys
from protocol.messages import GRACE_MS, Limits
from results.record import Freeze, RunSettings

__all__ = ["MS", "Rules", "limits_of"]

MS = 1_000_000
"""Nanoseconds in a millisecond."""


class Rules(NamedTuple):
    """The rules for every match of a run."""

    run: int
    keys: Keys
    settings: RunSettings
    limits: Limits
    """The limits of the settings, as hello names them."""
    sandbox: str
    cores: int
    """The cores of the bots: up to that many seats are asked at once, more one after another."""

    @property
    def retries(self) -> int:
        """How many times a decision is asked again after an illegal move."""
        return self.settings.retries

    @property
    def freeze(self) -> Freeze:
        """Whether bots are stopped between their turns."""
        return self.settings.freeze

    @property
    def free_ns(self) -> int:
        """The time of a decision before it uses the bank, in nanoseconds."""
        return (self.limits.move_ms + GRACE_MS) * MS

    @property
    def match_ns(self) -> int:
        """The limit on a bot's start and decisions in a match, in nanoseconds; 0: no limit."""
        seconds = self.limits.match_s
        return 0 if seconds is UNSET else seconds * 1000 * MS

    @property
    def start_ms(self) -> int:
        """The limit on a start, in milliseconds."""
        return min(self.limits.start_ms, self.match_ns // MS or self.limits.start_ms)


def limits_of(settings: RunSettings) -> Limits:
    """Return the limits of a run as hello names them."""
    return msgspec.convert(settings.limits, Limits)
