"""The meaning of every move, and the choices of a seat.

All moves are built once, at import.  A choice picks from them by the hand and the free stars, so a match
builds and parses no strings, and no table grows.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from engines.game import OneOf, Seat
from engines.starry_sky.boards import BOARDS
from engines.starry_sky.state import State
from engines.starry_sky.tokens import BITS, DOUBLE, TOKENS

__all__ = ["PLACES", "PLAYS", "choice", "reason"]


class Play(NamedTuple):
    """The meaning of a move: which token goes where."""

    token: str
    bit: int
    board: str
    star: int
    place: str
    """Board and star: "Leo.3"."""
    number: int
    """The star's number in the sky."""
    large: bool


PLACES: Final = {name: tuple(f"{name}.{star}" for star in range(len(BOARDS[name].stars))) for name in BOARDS}
"""The names of the stars of every board."""
PLAYS: Final = {
    f"{token}@{place}": Play(
        token, BITS[token], name, star, place, BOARDS[name].number + star, star in BOARDS[name].large
    )
    for name, places in PLACES.items()
    for star, place in enumerate(places)
    for token in TOKENS
}
"""The meaning of every move."""

_DIFFERENT: Final = 2 * BITS[DOUBLE] - 1
"""The bits that say which different tokens are in a hand."""


def _picks(place: str) -> list[tuple[str, ...]]:
    """Return for every set of different tokens the moves that put one of them on *place*."""
    picks: list[tuple[str, ...]] = [()]
    for token in TOKENS:
        move = (f"{token}@{place}",)
        picks += [fewer + move for fewer in picks]
    return picks


_PICKS: Final = [*zip(*[_picks(place) for places in PLACES.values() for place in places], strict=True)]
"""For every set of different tokens and every star in the sky, the moves that put one of them there."""


def choice(free: tuple[int, ...], hand: int) -> OneOf:
    """Return the choice of a seat: every different token in *hand* on every *free* star."""
    picks = _PICKS[hand & _DIFFERENT]
    options: list[str] = []
    for star in free:
        options += picks[star]
    return OneOf(tuple(options))


def reason(state: State, seat: Seat, move: str) -> str:
    """Return why *seat*, which must act, may not make *move*."""
    if move not in PLAYS:
        return "not a move of starry-sky"
    token, _, name, _, place, number, _ = PLAYS[move]
    if all(board.name != name for board in state.boards):
        return f"{name} is not in play"
    if number not in state.free:
        return f"{place} is not free"
    return f"{token} is not in hand"
