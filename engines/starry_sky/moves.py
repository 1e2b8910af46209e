"""The moves of the game by their codes, and what each of them means.

A move has a notation, "10@Leo.3", which bots and records use, and a code, which the rules use: an option.
Options are numbered star by star, and on each star token by token.
"""

from typing import Any, Final

from engines.json_bytes import quote_words
from engines.starry_sky.boards import PLACES, STARS
from engines.starry_sky.tokens import CODES, DIFFERENT, KINDS, KINDS_IN, TOKENS

MOVES: Final[list[str]] = [f"{token}@{place}" for place in PLACES for token in TOKENS]
"""The notation of every option."""
OPTIONS: Final[dict[str, int]] = {move: option for option, move in enumerate(MOVES)}
"""The option of every notation."""
_QUOTED: Final[list[bytes]] = quote_words(MOVES)
"""The notation of every option as JSON."""
STAR_IN: Final[list[int]] = [star for star in range(STARS) for _ in TOKENS]
"""The star on which an option puts a token."""
TOKEN_IN: Final[list[int]] = [*CODES.values()] * STARS
"""The token that an option puts on a star."""
_MADE: Final[list[Any]] = [*range(KINDS * STARS)]
"""Every option as an object: the compiled build would make a new one for each place in a list of integers."""

# -- many at once: from a table for each half of the tokens, since one of all hands would be large

_HALF: Final = 4
_IN_HALF: Final = (1 << _HALF) - 1


def _in_half(first: int) -> list[list[list[int]]]:
    """Return the options by star, for each set of the four tokens from *first* on."""
    return [
        [[KINDS * star + first + token for token in KINDS_IN[tokens]] for star in range(STARS)]
        for tokens in range(_IN_HALF + 1)
    ]


def _name_options(half: list[list[list[int]]]) -> list[list[list[str]]]:
    return [[[MOVES[option] for option in options] for options in stars] for stars in half]


def _write_options(half: list[list[list[int]]]) -> list[list[bytes]]:
    """Return the options as JSON, each with a comma after it."""
    return [[b"".join([_QUOTED[option] + b"," for option in options]) for options in stars] for stars in half]


_LOW_MOVES: Final[list[list[list[str]]]] = _name_options(_in_half(0))
_HIGH_MOVES: Final[list[list[list[str]]]] = _name_options(_in_half(_HALF))
_LOW_WORDS: Final[list[list[bytes]]] = _write_options(_in_half(0))
_HIGH_WORDS: Final[list[list[bytes]]] = _write_options(_in_half(_HALF))


def options_on(free: list[int], hand: int) -> list[int]:
    """Return the options to put each different token of *hand* on each of the *free* stars."""
    kinds = KINDS_IN[hand]
    return [_MADE[KINDS * star + token] for star in free for token in kinds]


def moves_on(free: list[int], hand: int) -> list[str]:
    """Return the same in notation."""
    low, high = _LOW_MOVES[hand & _IN_HALF], _HIGH_MOVES[(hand & DIFFERENT) >> _HALF]
    moves: list[str] = []
    for star in free:
        moves += low[star]
        moves += high[star]
    return moves


def moves_bytes(free: list[int], hand: int) -> bytes:
    """Return the same as JSON, without the brackets of the list."""
    low, high = _LOW_WORDS[hand & _IN_HALF], _HIGH_WORDS[(hand & DIFFERENT) >> _HALF]
    return b"".join([low[star] + high[star] for star in free])[:-1]
