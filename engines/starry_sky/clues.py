"""Where the clues to hidden tokens stand on the picture of a board: beside their stars, on no token."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import islice, permutations
from typing import Final

from engines.drawing import text_width
from engines.starry_sky.sky import measure_cover, note_places

CLUE: Final = 19
"""The size of a clue: there is little room for it."""
_APART: Final = 22
"""How far one clue is above another."""
_ORDERS: Final = 24
"""In how many orders the clues of a board choose their places, until none covers a token."""


@lru_cache(maxsize=1024)
def clue_places(name: str, clues: tuple[tuple[int, str], ...]) -> list[tuple[int, str, float, float]]:
    """Return the star, the text and the place of each clue, so that they cover as little as can be."""
    best, least = list[tuple[int, str, float, float]](), float("inf")
    for order in islice(permutations(clues), _ORDERS):
        placed, hidden = list[tuple[int, str, float, float]](), 0.0
        taken: list[tuple[float, float, float]] = []
        for star, clue in order:
            wide = text_width(clue, CLUE) + 4
            right, down = _clue_place(note_places(name, star, wide), wide, taken)
            taken.append((right, down, wide))
            placed.append((star, clue, right, down))
            hidden += measure_cover(name, (right, down), wide)
        if hidden < least:
            best, least = placed, hidden
        if not hidden:
            break
    return best


def _clue_place(
    spots: Sequence[tuple[float, float]], wide: float, taken: Sequence[tuple[float, float, float]]
) -> tuple[float, float]:
    """Return the first of *spots* where a clue *wide* units wide lies on none of those that are there."""
    for right, down in spots:
        if all(abs(right - x) > (wide + w) / 2 or abs(down - y) > _APART for x, y, w in taken):
            return right, down
    return spots[0]
