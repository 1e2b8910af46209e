"""JSON written piece by piece, as bytes, from words that are quoted once: for games that write their own."""

import json
from typing import Final

from engines.types import Json

SMALL: Final[list[bytes]] = [b"%d" % number for number in range(256)]
"""The integers from 0 as JSON."""


def dumps(value: Json) -> bytes:
    """Return *value* as compact JSON, in UTF-8."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def quote_words(words: list[str]) -> list[bytes]:
    return [dumps(word) for word in words]


def write_list(words: list[bytes], codes: list[int]) -> bytes:
    """Return the list of the *words* of *codes*."""
    return b"[" + b",".join([words[code] for code in codes]) + b"]"
