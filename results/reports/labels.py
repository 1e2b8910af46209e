"""What bots are called where people read: by name, and with the version where the name is not unique."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TypeAlias

__all__ = ["DIGITS", "HASH_SHOWN", "Key", "Numbers", "labels"]

Key: TypeAlias = tuple[str, str]
"""A bot's name and version."""
Numbers: TypeAlias = Mapping[Key, int]
"""The numbers that a home has given to versions; they mean nothing elsewhere, so no row holds them."""

DIGITS = 4
"""A number of more digits might be the beginning of a hash."""
HASH_SHOWN = 6
"""How much of a version's hash is shown, and the least that is taken for the beginning of one."""


def labels(bots: Iterable[Key], numbers: Numbers) -> dict[Key, str]:
    """Return what to call each of *bots*: its name, if no other of them has the same.

    Else NAME@NUMBER, where *numbers* has it, or NAME@HASH, the beginning of the version's hash.
    """
    found = set(bots)
    count = Counter(name for name, _ in found)
    short = Counter((name, version[:HASH_SHOWN]) for name, version in found)
    return {
        (name, version): name if count[name] == 1 else f"{name}@{_suffix(name, version, numbers, short)}"
        for name, version in found
    }


def _suffix(name: str, version: str, numbers: Numbers, short: Mapping[Key, int]) -> str:
    number = str(numbers.get((name, version), 0))
    if number != "0" and len(number) <= DIGITS:
        return number
    beginning = version[:HASH_SHOWN]
    return beginning if short[name, beginning] == 1 else version
