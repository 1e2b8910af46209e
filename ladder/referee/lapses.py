"""What bots are forgiven, counted over a run: processes that strayed, or were lost among several matches.

A lapse costs no match. It is kept as a fault that is not charged, whose reason ends in one of the sentences
below: so the parent of a run can count the lapses of all its workers, and go on counting when it is resumed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

import msgspec

__all__ = ["AMONG_SEVERAL", "LENIENCE", "NOT_AGAIN", "STRAYED", "Count", "Lapses"]

LENIENCE = 3
"""After this number of lapses a bot gets a new process for every match, or one match at a time."""
STRAYED = "; it may belong to the match before, so it costs none"
"""Said of a process that had played before."""
AMONG_SEVERAL = "; several matches were in progress, so they begin again one at a time"
NOT_AGAIN = "; it did not happen again"
"""Said after AMONG_SEVERAL where no fault followed."""

Kind: TypeAlias = Literal["strays", "repeated", "unrepeated"]


class Count(msgspec.Struct, frozen=True):
    """The lapses of one bot's version."""

    strays: int = 0
    """Words and ends of its processes that belonged to no match."""
    repeated: int = 0
    """Processes lost among several matches, and again in one alone."""
    unrepeated: int = 0
    """Processes lost among several matches only."""


class Lapses:
    """The lapses of the bots of a run, by the id of the version."""

    def __init__(self) -> None:
        self.counts: dict[str, Count] = {}

    def add(self, bot: str, kind: Kind) -> None:
        """Count a lapse."""
        count = self.counts.get(bot, Count())
        self.counts[bot] = msgspec.structs.replace(count, **{kind: getattr(count, kind) + 1})

    def hear(self, bot: str, reason: str) -> bool:
        """Count the lapse that *reason* tells of, of a fault that was not charged; return whether it does."""
        kind = _kind_of(reason)
        if kind:
            self.add(bot, kind)
        return kind is not None

    def raise_to(self, counts: Mapping[str, Count]) -> None:
        """Take over the larger ones of *counts*: what a whole run has seen includes what one worker has."""
        for bot, told in counts.items():
            own = self.counts.get(bot, Count())
            larger = {name: max(getattr(own, name), getattr(told, name)) for name in Count.__struct_fields__}
            self.counts[bot] = Count(**larger)

    def restarts(self, bot: str) -> bool:
        """Return whether *bot* has strayed too often to play one match after another."""
        return self.counts.get(bot, Count()).strays >= LENIENCE

    def alone(self, bot: str) -> bool:
        """Return whether *bot* may no longer have several matches in progress."""
        count = self.counts.get(bot, Count())
        return count.unrepeated > 0 or count.repeated >= LENIENCE


def _kind_of(reason: str) -> Kind | None:
    """Return the kind of lapse that *reason*, of a fault that was not charged, tells of; None if of none."""
    if reason.endswith(STRAYED):
        return "strays"
    if reason.endswith(AMONG_SEVERAL + NOT_AGAIN):
        return "unrepeated"
    return "repeated" if reason.endswith(AMONG_SEVERAL) else None
