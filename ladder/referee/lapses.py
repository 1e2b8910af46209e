"""What bots are forgiven, counted over a run: processes that strayed, or were lost among several matches.

A lapse costs no match.  It is stored as a fault that is not charged, with the kind of lapse, so the parent of
a run counts the lapses of all its workers, and goes on counting when the run is resumed.
"""

from collections.abc import Mapping

import msgspec

from results.record import Lapse

LENIENCE = 3
"""After this number of lapses a bot gets a new process for every match, or one match at a time."""


class Count(msgspec.Struct, frozen=True):
    """The lapses of one bot's version, by kind."""

    stray: int = 0
    """Words and ends of its processes that belonged to no match."""
    repeated: int = 0
    """Processes lost among several matches, and again in one alone."""
    unrepeated: int = 0
    """Processes lost among several matches only."""


class Lapses:
    """The lapses of the bots of a run, by the id of the version."""

    def __init__(self) -> None:
        self.counts: dict[str, Count] = {}

    def add(self, bot: str, kind: Lapse) -> None:
        """Count a lapse."""
        count = self.counts.get(bot, Count())
        self.counts[bot] = msgspec.structs.replace(count, **{kind: getattr(count, kind) + 1})

    def raise_to(self, counts: Mapping[str, Count]) -> None:
        """Take over the larger ones of *counts*: what a whole run has seen includes what one worker has."""
        for bot, told in counts.items():
            own = self.counts.get(bot, Count())
            larger = {name: max(getattr(own, name), getattr(told, name)) for name in Count.__struct_fields__}
            self.counts[bot] = Count(**larger)

    def restarts(self, bot: str) -> bool:
        """Return whether *bot* has strayed too often to play one match after another."""
        return self.counts.get(bot, Count()).stray >= LENIENCE

    def alone(self, bot: str) -> bool:
        """Return whether *bot* may no longer have several matches in progress."""
        count = self.counts.get(bot, Count())
        return count.unrepeated > 0 or count.repeated >= LENIENCE
