"""A version of a bot: what was submitted, under its hash."""

from __future__ import annotations

import msgspec

from ladder.registry.manifest import HOUSE, BotManifest

__all__ = ["Version"]


class Version(msgspec.Struct, frozen=True):
    """An immutable snapshot of a bot, ready to be started."""

    bot: str
    version: str
    folder: str
    """Where its files lie."""
    manifest: BotManifest
    order: int = 0
    """Counts the submissions under this name: the highest is the newest."""
    submitted: str = ""
    """When, in UTC (ISO 8601)."""
    unfit: tuple[str, ...] = ()
    """Games in which it failed against itself, although its manifest does not exclude them."""
    number: int = 0
    """What people may call it in this home, as NAME@NUMBER; it has no meaning elsewhere."""
    note: str = ""
    """What its submitter said about it."""
    house: bool | None = None
    """Whether it came with the ladder; None: it is from before that was written down."""
    retired: bool = False
    """Whether it is to play only where it is named."""
    built: str = ""
    """The digest of its files with what its build made; empty without a build, and for older versions."""

    @property
    def id(self) -> str:
        """Return NAME@VERSION."""
        return f"{self.bot}@{self.version}"

    @property
    def of_house(self) -> bool:
        """Return whether it is one of the house bots."""
        return self.manifest.author == HOUSE if self.house is None else self.house

    def plays(self, game: str) -> bool:
        """Return whether it plays *game*: one that its manifest names, or any but those it is unfit for."""
        return game in self.manifest.games if self.manifest.games else game not in self.unfit
