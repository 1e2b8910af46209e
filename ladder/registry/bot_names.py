"""Names that no new bot can have: words that a command reads as something else, and look-alikes."""

from __future__ import annotations

import re
import unicodedata

from ladder.registry.bot_manifest import HOUSE
from results.reports.render import UNSEEN

__all__ = ["RESERVED", "is_house_author", "is_reserved", "look_of"]

RESERVED = ("last", "all", "person", "human", "house", "d#", "r#", "#")
"""Words that a command reads where a bot's name may stand; # is any number.

`last` and numbers name matches, d1 a duel, r1 a run, `person` and `human` a seat that a person takes.
"""


def look_of(name: str) -> str:
    """Return what *name* has in common with names that differ in case, final dots or what cannot be seen."""
    return UNSEEN.sub("", unicodedata.normalize("NFKC", name)).casefold().strip().rstrip(".")


def is_reserved(name: str) -> bool:
    """Return whether a command may read *name* as one of the words in RESERVED."""
    return re.sub("[0-9]+", "#", look_of(name)) in RESERVED


def is_house_author(author: str) -> bool:
    """Return whether *author* reads as that of the house bots."""
    return "".join(look_of(author).split()) == HOUSE
