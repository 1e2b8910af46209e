"""The boards, from the data file beside this module, which says which parts are reconstructions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final, NamedTuple

__all__ = ["BOARDS", "NAMES", "STARS", "Board", "Star"]


class Star(NamedTuple):
    """A star of the sky."""

    label: str
    """Its letter or number in the constellation."""
    name: str
    ra: float
    """Right ascension in degrees."""
    dec: float
    """Declination in degrees."""


class Board(NamedTuple):
    """A constellation.  Stars are identified by their index."""

    id: str
    name: str
    title: str
    prizes: tuple[int, int]
    """The prizes of the first and the second place."""
    stars: tuple[Star, ...]
    large: tuple[int, ...]
    """The stars on which tokens lie face down."""
    edges: tuple[tuple[int, int], ...]
    near: tuple[int, ...]
    """For every star the set of stars joined to it, as bits."""
    number: int
    """The number in the sky of its first star: the stars of all boards are numbered consecutively."""


def _board(data: dict[str, Any], number: int) -> Board:
    stars, edges = data["stars"], data["edges"]
    near = [0] * len(stars)
    for one, other in edges:
        near[one] |= 1 << other
        near[other] |= 1 << one
    return Board(
        data["id"],
        data["name"],
        data["title"],
        (data["prizes"][0], data["prizes"][1]),
        tuple(Star(star["label"], star["name"], star["ra"], star["dec"]) for star in stars),
        tuple(index for index, star in enumerate(stars) if star["large"]),
        tuple((one, other) for one, other in edges),
        tuple(near),
        number,
    )


def _boards(all_data: list[dict[str, Any]]) -> dict[str, Board]:
    boards, number = {}, 0
    for data in all_data:
        boards[data["id"]] = _board(data, number)
        number += len(data["stars"])
    return boards


BOARDS: Final = _boards(json.loads((Path(__file__).parent / "boards.json").read_text("utf-8"))["boards"])
"""Every board, by its name."""
NAMES: Final = tuple(BOARDS)
STARS: Final = sum(len(board.stars) for board in BOARDS.values())
"""The number of tokens placed in a match."""
