"""The nine tokens of a seat, and sets of them that are integers.

A token has a name, "10" or "H", and a code, its place in the order of the names.  Names are what bots and
records read; the rules work with codes.

In a set every token has a bit; the two double stars, which are alike, have the two highest.  A hand with one
double star left has the lower of the two, so equal hands are equal numbers.
"""

from collections.abc import Iterable
from typing import Final

HOLE: Final = "H"
DOUBLE: Final = "D"
HIDDEN: Final = "?"
"""The public face of a token that lies face down."""
VALUES: Final[dict[str, int]] = {"1": 1, "3": 3, "5": 5, "6": 6, "7": 7, "10": 10, HOLE: 0, DOUBLE: 0}
"""The value of each token before doubling."""
TOKENS: Final = tuple(VALUES)
KINDS: Final = 8
"""How many different tokens there are."""

# -- codes

HOLE_CODE: Final = 6
DOUBLE_CODE: Final = 7
CODES: Final[dict[str, int]] = {token: code for code, token in enumerate(TOKENS)}
"""The code of each token."""
VALUE_OF: Final[list[int]] = [*VALUES.values()]
assert (CODES[HOLE], CODES[DOUBLE], len(TOKENS)) == (HOLE_CODE, DOUBLE_CODE, KINDS)

# -- sets

ONE_DOUBLE: Final = 1 << DOUBLE_CODE
"""The bit of the first double star."""
SECOND: Final = 2 * ONE_DOUBLE
"""The bit of the second double star."""
BOTH: Final = ONE_DOUBLE | SECOND
"""Both double stars."""
ALL: Final = 2 * SECOND - 1
"""The set of all nine tokens of a seat."""
DIFFERENT: Final = SECOND - 1
"""The bits that say which different tokens are in a set."""

_EACH: Final = (*TOKENS, DOUBLE)
_SETS: Final[list[list[int]]] = [
    [bit for bit in range(len(_EACH)) if tokens >> bit & 1] for tokens in range(ALL + 1)
]
NAMES: Final = tuple(tuple(_EACH[bit] for bit in bits) for bits in _SETS)
"""The names of the tokens in every set."""
MEMBERS: Final[list[list[int]]] = [[1 << bit for bit in bits] for bits in _SETS]
"""The bits of the tokens in every set."""
COUNT_OF: Final[list[int]] = [len(bits) for bits in _SETS]
"""The number of tokens in every set."""
KINDS_IN: Final[list[list[int]]] = [_SETS[tokens & DIFFERENT] for tokens in range(ALL + 1)]
"""The codes of the different tokens in every hand."""
EACH_IN: Final[list[list[int]]] = [[min(bit, DOUBLE_CODE) for bit in bits] for bits in _SETS]
"""The codes of the tokens in every set, that of the double star once or twice."""


def remove_token(hand: int, bit: int) -> int:
    """Return *hand* without the token of *bit*, which it contains."""
    return hand - SECOND if bit == ONE_DOUBLE and hand & SECOND else hand - bit


def add_token(hand: int, bit: int) -> int:
    return hand | (SECOND if hand & bit else bit)


def hand_of(tokens: Iterable[int]) -> int:
    """Return the set of *tokens*, which are codes."""
    hand = 0
    for token in tokens:
        hand = add_token(hand, 1 << token)
    return hand
