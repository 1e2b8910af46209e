"""Draw a board as text: its stars at their positions in the sky, north up and east to the left."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Final

from engines.starry_sky.boards import BOARDS, Star

__all__ = ["HEIGHT", "WIDTH", "chart"]

WIDTH: Final = 36
HEIGHT: Final = 9
_LINE: Final = "."
_NUDGES: Final = sorted(product((0, -1, 1), (0, -3, 3, -6, 6)), key=lambda step: abs(step[0]) + abs(step[1]))
"""The offsets, in rows and columns, by which a star may be moved away from another."""


@cache
def chart(name: str) -> tuple[str, ...]:
    """Return *HEIGHT* lines with the stars of board *name* by index, large ones in brackets."""
    board = BOARDS[name]
    cells = _cells(board.stars)
    lines = [[" "] * WIDTH for _ in range(HEIGHT)]
    for one, other in board.edges:
        for row, column in _between(cells[one], cells[other]):
            lines[row][column] = _LINE
    for star, (row, column) in enumerate(cells):
        lines[row][column - 1 : column + 2] = f"({star})" if star in board.large else f" {star} "
    return tuple("".join(line) for line in lines)


def _cells(stars: tuple[Star, ...]) -> list[tuple[int, int]]:
    """Return the row and column of every star.  They fill the chart, and no star hides another."""
    east = [(star.ra - stars[0].ra + 180) % 360 for star in stars]  # no constellation is half the sky
    rows = _scale([-star.dec for star in stars], HEIGHT)
    columns = _scale([-angle for angle in east], WIDTH - 2)
    cells: list[tuple[int, int]] = []
    for row, column in zip(rows, columns, strict=True):
        spots = [(row + down, column + 1 + right) for down, right in _NUDGES]
        cells.append(next(spot for spot in spots if _fits(spot, cells)))
    return cells


def _scale(numbers: list[float], size: int) -> list[int]:
    """Scale *numbers* to the whole range from 0 to *size* - 1."""
    low, high = min(numbers), max(numbers)
    return [round((number - low) / (high - low) * (size - 1)) for number in numbers]


def _fits(spot: tuple[int, int], others: list[tuple[int, int]]) -> bool:
    row, column = spot
    if not (0 <= row < HEIGHT and 1 <= column < WIDTH - 1):
        return False
    return all(row != line or abs(column - there) >= 3 for line, there in others)


def _between(one: tuple[int, int], other: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Yield the cells of a straight line."""
    steps = max(abs(other[0] - one[0]), abs(other[1] - one[1]))
    for step in range(steps + 1):
        part = step / steps
        yield round(one[0] + (other[0] - one[0]) * part), round(one[1] + (other[1] - one[1]) * part)
