"""Derive the handle of a bot, the name that commands take, from a name in any script."""

import hashlib
import re
import unicodedata
from itertools import groupby

from results.reports.values_as_text import UNSEEN

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}")
"""The pattern of a handle."""
NAME_RULE = "1 to 32 letters, digits, dots, dashes and underscores, beginning with a letter or digit"
LONGEST_HANDLE = 32
LONGEST_DISPLAY = 64
"""The most characters of a name that is shown."""
JOINERS = re.compile("[\u200c\u200d\ufe0e\ufe0f]")
COPY_NUMBER = re.compile(r"\s*\([0-9]{1,3}\)$")
"""What a browser adds to the name of a file that was downloaded before."""


def is_display_name(text: str) -> bool:
    """Return whether *text* can be shown as a bot's name: visible, no path, and not too long."""
    return (
        0 < len(text) <= LONGEST_DISPLAY
        and text.isprintable()
        and text == text.strip()
        and "/" not in text
        and "\\" not in text
        and not UNSEEN.search(text)
    )


def name_of_file(stem: str) -> str:
    """Return the name of a bot whose file, or folder, is called *stem*.

    It is *stem* without the number of a copy, such as that of `Bot(1)`, and, if nobody could read that as a
    name, without what cannot be seen or is too long.
    """
    stem = COPY_NUMBER.sub("", stem) or stem
    if NAME.fullmatch(stem) or is_display_name(stem):
        return stem
    seen = "".join(char if char.isprintable() else " " for char in UNSEEN.sub("", stem))
    return " ".join(seen.replace("\\", " ").split())[:LONGEST_DISPLAY].rstrip() or stem


def without_joiners(text: str) -> str:
    """Return *text*, if it is no name yet, without spaces around it and what joins letters and emoji."""
    return text if NAME.fullmatch(text) or is_display_name(text) else JOINERS.sub("", text).strip(" ")


def derive_handle(text: str) -> str:
    """Return the handle for *text*, a name in any script: the same each time.

    Latin letters lose their accents and keep their case: `Zoë's Bot` becomes `Zoe-s-Bot`.  Other scripts are
    transliterated into small letters, syllables apart, where the table of anyascii (ISC licence) marks them:
    `机器人` becomes `ji-qi-ren`.  Text of which nothing is left becomes `bot-` and the beginning of its hash.
    """
    from anyascii import anyascii  # reads its tables when it is first called

    words = []
    for latin, letters in groupby(unicodedata.normalize("NFKC", text), _is_latin):
        word = anyascii("".join(letters))
        words.append(word if latin else f"-{re.sub('(?<=[a-z])(?=[A-Z])', '-', word).lower()}-")
    handle = re.sub("[^A-Za-z0-9._]+", "-", "".join(words)).strip("-._")[:LONGEST_HANDLE].rstrip("-._")
    return handle or f"bot-{hashlib.sha256(text.encode()).hexdigest()[:6]}"


def _is_latin(char: str) -> bool:
    return char.isascii() or unicodedata.name(char, "").startswith(("LATIN", "COMBINING"))
