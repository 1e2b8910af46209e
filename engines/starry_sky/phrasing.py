"""What people read: tokens and moves in words, and what a seat is asked to do."""

from collections.abc import Mapping
from typing import Final

from engines.game import Json, Move
from engines.starry_sky.boards import BOARDS, IS_LARGE, PLACES
from engines.starry_sky.tokens import DOUBLE, HIDDEN, HOLE, TOKENS

_TOKENS: Final = {token: token for token in TOKENS} | {
    HOLE: "a black hole",
    DOUBLE: "a double star",
    HIDDEN: "a token face down",
}
_LARGE: Final = frozenset(place for star, place in enumerate(PLACES) if IS_LARGE[star])


def ask(view: Mapping[str, Json]) -> str:
    """Return what the seat of *view* is asked to do."""
    boards = [(board["large"], board["owners"]) for board in view["boards"]]
    sizes = {star in large for large, owners in boards for star, owner in enumerate(owners) if owner is None}
    if len(sizes) > 1:
        return "Lay a token on a free star, face down on a large one: choose both"
    return f"Lay a token {'face down on a large' if True in sizes else 'on a free'} star: choose both"


def say(view: Mapping[str, Json], option: str) -> str:
    """Return *option* in words."""
    token, _, place = option.partition("@")
    words = f"{_TOKENS[token]} on {in_words(place)}" + (", face down" if place in _LARGE else "")
    return words[0].upper() + words[1:]


def kind_of(view: Mapping[str, Json], move: Move) -> str:
    """Return of what kind the decision for *move* is."""
    return f"lay a token face {'down' if str(move).partition('@')[2] in _LARGE else 'up'}"


def in_words(name: str) -> str:
    """Return a token, "H", a board, "Leo", or a star, "Leo.3", in words; other text as it is."""
    board, dot, star = name.partition(".")
    if board not in BOARDS:
        return _TOKENS.get(name, name)
    title = BOARDS[board].name
    return f"star {star} of {title}" if dot else title
