"""A version of a bot: the record of one submission."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ladder.errors import UsageProblem
from ladder.registry.bot_manifest import HOUSE, BotManifest

__all__ = ["Ban", "Version", "check_note"]

LONGEST_NOTE = 200
"""The most characters of a submitter's note."""


def check_note(note: str) -> None:
    """Raise UsageProblem if the submitter's *note* is longer than LONGEST_NOTE."""
    if len(note) > LONGEST_NOTE:
        raise UsageProblem(
            f"expected a note of at most {LONGEST_NOTE} characters, got: {len(note)}", "say it in fewer words"
        )


class Ban(msgspec.Struct, frozen=True):
    """An order that a bot plays nowhere, not even where it is named."""

    why: str
    """The operator's reason, in words."""
    since: str
    """When it was given, in UTC (ISO 8601)."""


class Version(msgspec.Struct, frozen=True):
    """An immutable version of a bot, ready to be started."""

    bot: str
    version: str
    folder: str
    """The path of its files."""
    manifest: BotManifest
    order: int = 0
    """The position among the submissions of this bot; the highest is the newest."""
    submitted: str = ""
    """The time of submission in UTC (ISO 8601)."""
    unfit: tuple[str, ...] = ()
    """Games in which it failed against itself, although its manifest does not exclude them."""
    number: int = 0
    """The number in NAME@NUMBER, valid in this home only."""
    note: str = ""
    """The submitter's note."""
    house: bool | None = None
    """Whether it came with the ladder; None if an older ladder, which did not store this, accepted it."""
    retired: bool = False
    """Whether it plays only in runs that name it."""
    aside: bool = False
    """Whether it was only kept for a duel: it is retired, and gives no right to its name."""
    built: str = ""
    """The digest of its files after the build; empty without a build, and in records of older ladders."""
    ban: Ban | None = None
    """That of its bot: a ban is for all versions, also those to come."""

    @property
    def id(self) -> str:
        """NAME@VERSION."""
        return f"{self.bot}@{self.version}"

    @property
    def of_house(self) -> bool:
        """Whether it is a house bot."""
        return self.manifest.author == HOUSE if self.house is None else self.house

    @property
    def rests(self) -> bool:
        """Whether it plays only where it is named, or nowhere."""
        return self.retired or self.ban is not None

    def plays(self, game: str) -> bool:
        """Return whether it plays *game*: one that its manifest lists, or any it is fit for."""
        return game in self.manifest.games if self.manifest.games else game not in self.unfit

    def games_among(self, games: Iterable[str]) -> tuple[str, ...]:
        """Return the games that its hello names in a run of *games*."""
        return self.manifest.games or tuple(sorted({game for game in games if self.plays(game)}))
