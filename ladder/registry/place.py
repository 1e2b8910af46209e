"""Where submissions come from: the place of a bot has the right to its name."""

import os
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from ladder.registry.bot_archive import is_same_place, without_suffix
from ladder.registry.bot_manifest import source_of


class BotPlace(NamedTuple):
    """Where a submission comes from."""

    path: str
    """The absolute path of its file or folder."""
    entry: str = ""
    """With `--all`, the name of the entry in that folder, after PLACE/ if `--place` names one; else empty."""

    def __str__(self) -> str:
        return self.entry or self.path

    @property
    def is_of_one(self) -> bool:
        """Whether one bot comes from it, and not all of a person."""
        return not self.entry.endswith("/")


class Origin(msgspec.Struct, frozen=True):
    """A place that a version was submitted from, as it is stored."""

    path: str = ""
    """Empty if unknown."""
    entry: str | None = None
    """That of its BotPlace; None if an older ladder stored it, which did not know of entries."""

    def __str__(self) -> str:
        return self.entry or self.path or "an unknown place"


def place_of(path: Path, place: str | None = None, *, entry: bool = False) -> BotPlace:
    """Return the place of the submission at *path*; *entry*: it is one of a folder, named *place* or None."""
    whole = os.path.realpath(source_of(path))  # Path.resolve raises where a link leads to itself
    if not entry:
        return BotPlace(whole)
    name = unicodedata.normalize("NFC", without_suffix(path.name))
    return BotPlace(whole, f"{place}/{name}" if place else name)


def has_right(place: BotPlace, origins: Sequence[Origin]) -> bool:
    """Return whether a submission from *place* may have the name of a bot with *origins*.

    The folder of entries moves, if a class is unpacked anew each night, so only their names count, and a path
    only if it was submitted by itself.  An older ladder stored paths only: their last parts count, until an
    entry is stored.
    """
    if not place.entry:
        return is_same_place(place.path, *(origin.path for origin in origins if origin.path))
    if any(origin.entry for origin in origins):
        return place.entry in [origin.entry for origin in origins]
    name = place.entry.rpartition("/")[2]
    alone = [origin.path for origin in origins if origin.entry == "" and name == place.entry]
    before = [Path(origin.path).name for origin in origins if origin.entry is None and origin.path]
    return is_same_place(place.path, *alone) or name in map(without_suffix, before)
