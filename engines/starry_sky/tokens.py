"""The nine tokens of a seat, in sets that are integers.

Every token has a bit; the two double stars, which are alike, have the two highest.  A hand with one double
star left has the lower of the two, so equal hands are equal numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

__all__ = [
    "ALL",
    "BITS",
    "BOTH",
    "DOUBLE",
    "HIDDEN",
    "HOLE",
    "MEMBERS",
    "NAMES",
    "SECOND",
    "TOKENS",
    "VALUES",
    "add_token",
    "hand_of",
    "remove_token",
]

HOLE: Final = "H"
DOUBLE: Final = "D"
HIDDEN: Final = "?"
"""The public face of a token that lies face down."""
VALUES: Final = {"1": 1, "3": 3, "5": 5, "6": 6, "7": 7, "10": 10, HOLE: 0, DOUBLE: 0}
"""The value of each token before doubling."""
TOKENS: Final = tuple(VALUES)
BITS: Final = {token: 1 << bit for bit, token in enumerate(TOKENS)}
SECOND: Final = 2 * BITS[DOUBLE]
"""The bit of the second double star."""
BOTH: Final = BITS[DOUBLE] | SECOND
"""Both double stars."""
ALL: Final = 2 * SECOND - 1
"""The set of all nine tokens of a seat."""

_EACH: Final = (*TOKENS, DOUBLE)
_SETS: Final = [[bit for bit in range(len(_EACH)) if tokens >> bit & 1] for tokens in range(ALL + 1)]
NAMES: Final = tuple(tuple(_EACH[bit] for bit in bits) for bits in _SETS)
"""The names of the tokens in every set."""
MEMBERS: Final = tuple(tuple(1 << bit for bit in bits) for bits in _SETS)
"""The bits of the tokens in every set."""


def remove_token(hand: int, bit: int) -> int:
    """Return *hand* without the token of *bit*, which it contains."""
    return hand - SECOND if bit == BITS[DOUBLE] and hand & SECOND else hand - bit


def add_token(hand: int, token: str) -> int:
    """Return *hand* with *token* added."""
    bit = BITS[token]
    return hand | (SECOND if hand & bit else bit)


def hand_of(tokens: Iterable[str]) -> int:
    """Return the set of *tokens*."""
    hand = 0
    for token in tokens:
        hand = add_token(hand, token)
    return hand
