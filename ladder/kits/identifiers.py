"""Names as programming languages write them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable


def _words(name: str) -> list[str]:
    """Return the parts of *name*: of `past_crosses`, `past-crosses` or `pastCrosses` the two words."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    return [word.lower() for word in re.split(r"[^A-Za-z0-9]+", apart) if word]


def pascal(name: str) -> str:
    """Return *name* as `PastCrosses`; "" if it has no letter or digit of ASCII."""
    return "".join(word.capitalize() for word in _words(name))


def camel(name: str) -> str:
    """Return *name* as `pastCrosses`."""
    text = pascal(name)
    return text[:1].lower() + text[1:]


def snake(name: str) -> str:
    """Return *name* as `past_crosses`."""
    return "_".join(_words(name))


def safe(name: str, keywords: Collection[str]) -> str:
    """Return *name*, changed if a program could not use it: a keyword, empty, or beginning with a digit."""
    if not name or name[0].isdigit():
        return f"_{name}"
    return f"{name}_" if name in keywords else name


def field_names(keys: Iterable[str], spell: Callable[[str], str], keywords: Collection[str]) -> list[str]:
    """Return for each of the *keys* of a record a name of its own, as *spell* writes it."""
    names: list[str] = []
    for key in keys:
        name = word = safe(spell(key) or "field", keywords)
        while name in names:
            name = f"{word}_{len(names)}"
        names.append(name)
    return names
