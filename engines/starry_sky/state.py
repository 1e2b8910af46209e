"""What there is to know about a match that is under way: frozen values, small ones inside larger ones.

The values are named tuples, and the turns make them with `new`: making values is what a playout does most.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from engines.game import OneOf, Seat
from engines.starry_sky.boards import BOARDS

__all__ = ["EMPTY", "NUMBERS", "OpenBoard", "ScoredBoard", "State", "free_stars"]


class OpenBoard(NamedTuple):
    """A board in play; every tuple goes by star."""

    name: str
    owners: tuple[Seat | None, ...]
    tokens: tuple[str | None, ...]
    """What lies there."""
    shown: tuple[str | None, ...]
    """What all see: the token, or "?"."""


class ScoredBoard(NamedTuple):
    """A board that was completed, with all that lay on it."""

    name: str
    owners: tuple[Seat, ...]
    tokens: tuple[str, ...]
    coins: tuple[int, ...]
    """What every seat won, after what the first has paid to others."""


class State(NamedTuple):
    """A match under way, or over."""

    first: Seat
    turn: int
    """How many tokens have been placed."""
    pile: tuple[str, ...]
    """The boards to come, next one first."""
    boards: tuple[OpenBoard, ...]
    free: tuple[int, ...]
    """The stars in play on which nothing lies, by their number in the sky.  Follows from the boards."""
    hands: tuple[int, ...]
    """The tokens of every seat, as sets."""
    coins: tuple[int, ...]
    mine: tuple[dict[str, str], ...]
    """For every seat its tokens that lie face down, by board and star.  Follows from the boards.

    Never changed in place, as the next one.
    """
    excluded: dict[str, int]
    """What all know of tokens that lie face down: what they cannot be.  See recall."""
    rarer: dict[str, int]
    """How many times rarer than another token a double star is at a place, by what all know.  See recall."""
    scored: tuple[ScoredBoard, ...]
    asked: dict[Seat, OneOf]
    """Who must act and among what: follows from the rest.  Never changed in place."""

    def __hash__(self) -> int:
        return hash((self.turn, self.pile, self.boards, self.hands, self.coins))


EMPTY: Final = {
    name: OpenBoard(name, nothing, nothing, nothing)
    for name, board in BOARDS.items()
    for nothing in [(None,) * len(board.stars)]
}
"""Every board with nothing on it."""
NUMBERS: Final = {
    name: tuple(range(board.number, board.number + len(board.stars))) for name, board in BOARDS.items()
}
"""The numbers of the stars of every board."""


def free_stars(boards: Iterable[OpenBoard]) -> tuple[int, ...]:
    """Return the stars on which nothing lies, by their number in the sky."""
    return tuple(
        number
        for board in boards
        for number, owner in zip(NUMBERS[board.name], board.owners, strict=True)
        if owner is None
    )
