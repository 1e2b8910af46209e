"""The options of the game, which are codes of its moves.

A move has a notation, which bots and records use, and a code, which the rules use: an option.  To show a card
is the place of the card, 0 to 14; a vote is KEEP or FLIP; crosses are CROSSES plus the set of their places.
"""

from collections.abc import Callable
from functools import cache
from math import comb
from typing import Final

from engines.game import OneOf
from engines.stella.grid import BIT_OF, EVERYWHERE, PLACES

KEEP: Final = 15
FLIP: Final = 16
VOTE_MOVES: Final[list[str]] = ["keep", "flip"]
"""The notation of KEEP and FLIP."""
VOTE_CHOICE: Final = OneOf(tuple(VOTE_MOVES))
CROSSES: Final = 32
FEWEST: Final = 1
"""The fewest crosses of a seat in a round (SD3)."""
MOST: Final = 10
SHOW_WORD: Final = "show "
"""The beginning of a move that shows a card."""

_OF_SIZE: Final[list[int]] = [comb(PLACES, size) for size in range(MOST + 1)]
"""In how many ways a seat can make that number of crosses."""
_ALL: Final = sum(_OF_SIZE[FEWEST:])
_GRID: Final[list[int]] = list(range(PLACES))


@cache
def all_crosses() -> tuple[int, ...]:
    """Return all options of decision 2, as Some.__iter__ orders them: first the smallest sets."""
    sets = [places for places in range(EVERYWHERE, 0, -1) if places.bit_count() <= MOST]
    return tuple([CROSSES + places for places in sorted(sets, key=int.bit_count)])


def sample_crosses(random: Callable[[], float]) -> int:
    """Return a random option of decision 2, every one equally likely, from the same dice as Some.sample."""
    rank, size = int(random() * _ALL), FEWEST
    while rank >= _OF_SIZE[size]:
        rank -= _OF_SIZE[size]
        size += 1
    grid = _GRID.copy()
    for i in range(PLACES - 1, 0, -1):
        j = int(random() * (i + 1))
        place = grid[i]
        grid[i] = grid[j]
        grid[j] = place
    option = CROSSES
    for place in grid[:size]:
        option += BIT_OF[place]
    return option
