"""Who has used the time of a run: thinking, starting; and whose processes would not leave."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from statistics import median
from typing import NamedTuple

import msgspec

__all__ = ["Outlay", "Share", "Spending"]

TIMES = 5
"""An outlier has used more than the median of the others times this..."""
SHARE = 0.1
"""...and more than this part of the time of all workers..."""
LEAST_US = 5_000_000
"""...and more than this."""


class Outlay(msgspec.Struct, frozen=True):
    """What the processes of one bot's version took besides decisions, since it was last told."""

    starts: int = 0
    start_us: int = 0
    """From their starts until they were ready, or had failed."""
    overstayed: int = 0
    """How many had to be killed after `bye`."""

    def plus(self, other: Outlay) -> Outlay:
        """Return the sum of both."""
        return Outlay(
            self.starts + other.starts,
            self.start_us + other.start_us,
            self.overstayed + other.overstayed,
        )


class Share(NamedTuple):
    """What a bot has used of the time."""

    bot: str
    """NAME@VERSION."""
    part: float
    """Of the time of all workers together."""
    think_s: float
    start_s: float
    starts: int


class Spending:
    """What all bots have used."""

    def __init__(self) -> None:
        self.outlays: defaultdict[str, Outlay] = defaultdict(Outlay)
        self._think_us: defaultdict[str, float] = defaultdict(float)
        self._matches_us = 0.0

    def add_matches(self, seconds: float) -> None:
        """Add what matches took of a worker's time."""
        self._matches_us += 1e6 * seconds

    def add_thinking(self, bot: str, us: float) -> None:
        """Add what a bot's decisions took; where matches were parallel, its part of the time of all."""
        self._think_us[bot] += us

    def add(self, outlays: Mapping[str, Outlay]) -> None:
        """Add what a worker has told."""
        for bot, outlay in outlays.items():
            self.outlays[bot] = self.outlays[bot].plus(outlay)

    def overstayed(self) -> dict[str, int]:
        """Return how many processes of each bot had to be killed after `bye`, where there are any."""
        return {bot: outlay.overstayed for bot, outlay in self.outlays.items() if outlay.overstayed}

    def outliers(self) -> list[Share]:
        """Return what those have used who took far more time than the others, most first."""
        used = {
            bot: self._think_us[bot] + self.outlays[bot].start_us for bot in {*self._think_us, *self.outlays}
        }
        whole = self._matches_us + sum(outlay.start_us for outlay in self.outlays.values())
        found = []
        for bot, us in sorted(used.items(), key=lambda item: -item[1]):
            others = [other_us for other, other_us in used.items() if other != bot]
            if others and us > max(TIMES * median(others), SHARE * whole, LEAST_US):
                outlay = self.outlays[bot]
                parts = us / whole, self._think_us[bot] / 1e6, outlay.start_us / 1e6
                found.append(Share(bot, *parts, outlay.starts))
        return found
