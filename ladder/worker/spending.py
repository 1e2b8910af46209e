"""Account for the time that each bot used, and for its processes that did not exit."""

from collections import defaultdict
from collections.abc import Mapping
from statistics import median
from typing import NamedTuple

import msgspec

TIMES = 5
"""An outlier has used more than this multiple of the others' median..."""
SHARE = 0.1
"""...and more than this share of the time of all workers..."""
LEAST_US = 5_000_000
"""...and more than this."""
WAITS = 5
"""A bot that was waited for this often is named..."""
WAITS_SHARE = 3
"""...if that is this many times as often as the others on average."""


class Outlay(msgspec.Struct, frozen=True):
    """The costs of one bot's processes besides decisions, since the last report."""

    starts: int = 0
    start_us: int = 0
    """Time from starting processes until they were ready or had failed."""
    overstayed: int = 0
    """The number of processes killed after `bye`."""
    waits: int = 0
    waited_us: int = 0
    """How often a table stood because the machine delayed a decision of the bot, and how long those took."""

    def plus(self, other: "Outlay") -> "Outlay":
        """Return the sum of both."""
        return Outlay(
            self.starts + other.starts,
            self.start_us + other.start_us,
            self.overstayed + other.overstayed,
            self.waits + other.waits,
            self.waited_us + other.waited_us,
        )


class Share(NamedTuple):
    """The share of the time that a bot used."""

    bot: str
    """NAME@VERSION."""
    part: float
    """The share of the time of all workers together, from 0 to 1."""
    think_s: float
    start_s: float
    starts: int


class Spending:
    """The time that all bots used in a run."""

    def __init__(self) -> None:
        self.outlays: defaultdict[str, Outlay] = defaultdict(Outlay)
        self._think_us: defaultdict[str, float] = defaultdict(float)
        self._matches_us = 0.0

    def add_matches(self, seconds: float) -> None:
        """Add the time that a worker spent on matches."""
        self._matches_us += 1e6 * seconds

    def add_thinking(self, bot: str, us: float) -> None:
        """Add the time of a bot's decisions; for parallel matches, its part of the time of all."""
        self._think_us[bot] += us

    def add(self, outlays: Mapping[str, Outlay]) -> None:
        """Add the outlays that a worker reported."""
        for bot, outlay in outlays.items():
            self.outlays[bot] = self.outlays[bot].plus(outlay)

    def count_overstays(self) -> dict[str, int]:
        """Return the number of processes killed after `bye`, for each bot that had any."""
        return {bot: outlay.overstayed for bot, outlay in self.outlays.items() if outlay.overstayed}

    def waited_for(self) -> dict[str, tuple[int, float, int]]:
        """Return how often and how long tables stood for a bot, and how often for the others, if far less."""
        others = len({*self._think_us, *self.outlays}) - 1
        whole = sum(outlay.waits for outlay in self.outlays.values())
        return {
            bot: (of.waits, of.waited_us / 1e6, whole - of.waits)
            for bot, of in self.outlays.items()
            if of.waits >= WAITS and of.waits * others >= WAITS_SHARE * (whole - of.waits)
        }

    def outliers(self) -> list[Share]:
        """Return the shares of bots that used far more time than the others, largest first."""
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
