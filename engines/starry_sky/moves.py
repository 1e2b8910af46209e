"""The moves of the game by their codes, and what each of them means.

A move has a notation, "10@Leo.3", which bots and records use, and a code, which the rules use: an option.
Options are numbered star by star, and on each star token by token.  A choice picks from tables by the hand
and the free stars, so a match builds and parses no strings.
"""

from __future__ import annotations

from typing import Final

from engines.json_bytes import quoted
from engines.starry_sky.boards import PLACES, STARS
from engines.starry_sky.tokens import ALL, CODES, KINDS, KINDS_IN, TOKENS

__all__ = [
    "MOVES",
    "OPTIONS",
    "QUOTED",
    "STAR_IN",
    "TOKEN_IN",
    "moves_with",
    "options_with",
    "written_with",
]

MOVES: Final[list[str]] = [f"{token}@{place}" for place in PLACES for token in TOKENS]
"""The notation of every option."""
OPTIONS: Final[dict[str, int]] = {move: option for option, move in enumerate(MOVES)}
"""The option of every notation."""
QUOTED: Final[list[bytes]] = quoted(MOVES)
"""The notation of every option as JSON."""
STAR_IN: Final[list[int]] = [star for star in range(STARS) for _ in TOKENS]
"""The star on which an option puts a token."""
TOKEN_IN: Final[list[int]] = [*CODES.values()] * STARS
"""The token that an option puts on a star."""

# -- the options of a star, by the hand that they come from: 256 different hands of 84 stars each

_OPTIONS_WITH: Final[list[list[list[int]]]] = [[] for _ in range(ALL + 1)]
_MOVES_WITH: Final[list[list[list[str]]]] = [[] for _ in range(ALL + 1)]
_WRITTEN_WITH: Final[list[list[bytes]]] = [[] for _ in range(ALL + 1)]
"""Empty for a hand that was not asked for yet: few hands occur in a match, and a bot should start fast."""


def options_with(hand: int) -> list[list[int]]:
    """Return for every star in the sky the options that put a token of *hand* there."""
    if not _OPTIONS_WITH[hand]:
        _OPTIONS_WITH[hand] = [[KINDS * star + token for token in KINDS_IN[hand]] for star in range(STARS)]
    return _OPTIONS_WITH[hand]


def moves_with(hand: int) -> list[list[str]]:
    """Return the same in notation."""
    if not _MOVES_WITH[hand]:
        _MOVES_WITH[hand] = [[MOVES[option] for option in options] for options in options_with(hand)]
    return _MOVES_WITH[hand]


def written_with(hand: int) -> list[bytes]:
    """Return the same as JSON, without the brackets of a list."""
    if not _WRITTEN_WITH[hand]:
        _WRITTEN_WITH[hand] = [
            b",".join([QUOTED[option] for option in options]) for options in options_with(hand)
        ]
    return _WRITTEN_WITH[hand]
