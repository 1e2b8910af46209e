"""Names that no new bot can have: words that programs read as something else, and look-alikes."""

import re
import unicodedata

from ladder.registry.bot_manifest import HOUSE
from ladder.registry.handles import LONGEST_HANDLE
from results.reports.values_as_text import UNSEEN

DEVICES = ("con", "prn", "aux", "nul", "com#", "lpt#")
"""Names that no file has on Windows, whatever comes after a dot."""
RESERVED = (
    *("last", "all", "person", "human", "house", "d#", "r#", "#"),
    *("na", "nan", "null", "none", "inf", "true", "false", "#e#", "#.#", "#-#", "#-#-#"),
    *DEVICES,
)
"""Words that a program reads as something else where a bot's name may stand; # is any number.

For a command `last` and numbers name matches, d1 a duel, r1 a run, `person` and `human` a seat that a person
takes.  For a spreadsheet, and what reads tables, `nan` is no value, and 1-2 is a date.
"""
ALIKE = (
    "a\u0251\u0391\u03b1\u0410\u0430\u13aa e\u0395\u0415\u0435\u13ac h\u0397\u041d\u043d\u04bb\u0570\u13bb "
    "b\u0392\u0412\u042c\u0432\u13f4 i\u0131\u0399\u03b9\u0406\u0456 j\u03f3\u0408\u0458\u0575\u13ab "
    "c\u0421\u0441\u13df n\u039d\u03b7\u0578\u057c s\u0405\u0455\u054f\u13da x\u03a7\u03c7\u0425\u0445 "
    "d\u0501\u13a0 l\u04c0\u04cf\u053c\u13de m\u039c\u041c\u043c\u13b7 w\u03c9\u0461\u051c\u051d\u13b3 "
    "g\u0261\u050c\u0581\u13c0 o\u039f\u03bf\u041e\u043e\u0555\u0585 y\u03a5\u03b3\u0423\u0443\u04ae\u04af "
    "k\u039a\u03ba\u041a\u043a\u13e6 p\u03a1\u03c1\u0420\u0440\u13e2 t\u03a4\u03c4\u0422\u0442\u13a2 "
    "q\u051a\u051b\u0566 r\u0433\u13a1\u13d2 u\u03c5\u054d\u057d v\u03bd\u0475\u13d9 z\u0396\u13c3"
)
"""Latin letters, each with those of Greek, Cyrillic, Armenian and Cherokee that look like it in any case."""
_LATIN = {ord(letter): word[0] for word in ALIKE.split() for letter in word[1:]}


def look_of(name: str) -> str:
    """Return what *name* shares with those that differ in case, final dots, script or what cannot be seen."""
    seen = UNSEEN.sub("", unicodedata.normalize("NFKC", name)).translate(_LATIN)
    return seen.casefold().strip().rstrip(".")


def is_reserved(name: str) -> bool:
    """Return whether a program may read *name* as one of the words in RESERVED."""
    word = re.sub("[0-9]+", "#", look_of(name))
    return word in RESERVED or word.partition(".")[0] in DEVICES


def spare_name(name: str) -> str:
    """Return the name of a new bot that calls itself *name*: another one if that is reserved."""
    return f"bot-{name}"[:LONGEST_HANDLE] if is_reserved(name) else name


def is_house_author(author: str) -> bool:
    """Return whether *author* reads as that of the house bots."""
    return "".join(look_of(author).split()) == HOUSE
