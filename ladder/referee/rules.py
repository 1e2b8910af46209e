"""The rules of a run for its bots: clocks, limits, retries."""

from typing import NamedTuple

from msgspec import UNSET

from ladder.contest.bot_limits import limits_at
from ladder.contest.keys import Keys
from protocol.messages import GRACE_MS, Limits
from results.record import Freeze, RunSettings

MS = 1_000_000
"""Nanoseconds in a millisecond."""


class Rules(NamedTuple):
    """The rules for every match of a run."""

    run: int
    keys: Keys
    settings: RunSettings
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

    def clock(self, bot: str, game: str) -> "MatchClock":
        return MatchClock(limits_at(self.settings, bot, game))


class MatchClock:
    """The times that a bot has in a match of one game."""

    def __init__(self, limits: Limits) -> None:
        self.start_ms = limits.start_ms
        """The limit on a start, which counts in the time of the match."""
        self.move_ms = limits.move_ms
        self.free_ns = (limits.move_ms + GRACE_MS) * MS
        """The time of a decision before it uses the bank."""
        self.bank_ns = limits.bank_ms * MS
        self.match_s = 0 if limits.match_s is UNSET else limits.match_s
        """The limit on a bot's start and decisions in a match; 0: no limit."""
        self.match_ns = self.match_s * 1000 * MS
        if self.match_s:
            self.start_ms = min(self.start_ms, 1000 * self.match_s)
