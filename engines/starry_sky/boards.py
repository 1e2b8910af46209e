"""The boards, from the data file beside this module, which says which parts are reconstructions.

A board and a star have a name, "Leo" and "Leo.3", and a code, a small integer.  Names are what bots and
records read; the rules work with codes.  Codes of boards are in the order of the file; the stars of all
boards are numbered consecutively, so the code of a star is its number in the sky.  A table by code is called
BOARD_OF, BIT_OF and so on.
"""

import json
from pathlib import Path
from typing import Any, Final, NamedTuple


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


def _board(data: dict[str, Any]) -> Board:
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
    )


_file = json.loads((Path(__file__).parent / "boards.json").read_text("utf-8"))

BOARDS: Final[dict[str, Board]] = {data["id"]: _board(data) for data in _file["boards"]}
"""Every board, by its name."""
NAMES: Final = tuple(BOARDS)
STARS: Final = 84
"""The number of stars, and of tokens placed in a match."""
MOST_STARS: Final = 9
"""How many stars a board has at most."""

# -- by code

CODES: Final[dict[str, int]] = {name: code for code, name in enumerate(NAMES)}
"""The code of each board."""
FIRST_PRIZE_OF: Final[list[int]] = [board.prizes[0] for board in BOARDS.values()]
SECOND_PRIZE_OF: Final[list[int]] = [board.prizes[1] for board in BOARDS.values()]

_in_sky = [(code, star) for code, board in enumerate(BOARDS.values()) for star in range(len(board.stars))]
assert len(_in_sky) == STARS
assert max(star for _, star in _in_sky) < MOST_STARS

PLACES: Final[list[str]] = [f"{NAMES[board]}.{star}" for board, star in _in_sky]
"""The name of each star."""
PLACE_CODES: Final[dict[str, int]] = {place: star for star, place in enumerate(PLACES)}
"""The code of each star."""
BOARD_OF: Final[list[int]] = [board for board, _ in _in_sky]
"""The board of each star."""
BIT_OF: Final[list[int]] = [1 << star for _, star in _in_sky]
"""The bit of each star in sets of stars of its board."""
NEAR_OF: Final[list[int]] = [near for board in BOARDS.values() for near in board.near]
"""For each star the set of stars joined to it."""
IS_LARGE: Final[list[bool]] = [star in BOARDS[NAMES[board]].large for board, star in _in_sky]
"""Whether tokens lie face down on a star."""
STARS_ON: Final[list[list[int]]] = [
    [star for star, board in enumerate(BOARD_OF) if board == code] for code in range(len(NAMES))
]
"""The stars of each board."""
