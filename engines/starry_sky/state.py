"""The state of a match: frozen values, small ones inside larger ones.

The values are named tuples made with `new`, because a playout spends most of its time making values.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from engines.game import OneOf, Seat
from engines.starry_sky.boards import BOARDS

__all__ = ["EMPTY", "NUMBERS", "OpenBoard", "ScoredBoard", "State", "free_stars"]


class OpenBoard(NamedTuple):
    """A board in play; every tuple is by star."""

    name: str
    owners: tuple[Seat | None, ...]
    tokens: tuple[str | None, ...]
    """The token on each star, or None."""
    shown: tuple[str | None, ...]
    """The public face of the token: its name, or "?"."""


class ScoredBoard(NamedTuple):
    """A board that is complete and scored, with the tokens that lay on it."""

    name: str
    owners: tuple[Seat, ...]
    tokens: tuple[str, ...]
    coins: tuple[int, ...]
    """The coins that every seat won, after the payment of the first to others."""


class State(NamedTuple):
    """A match that is being played or is over."""

    first: Seat
    turn: int
    """The number of tokens placed so far."""
    pile: tuple[str, ...]
    """The boards to come, next one first."""
    boards: tuple[OpenBoard, ...]
    free: tuple[int, ...]
    """The empty stars in play, by their number in the sky.  Derived from the boards."""
    hands: tuple[int, ...]
    """The tokens in hand of every seat, as sets."""
    coins: tuple[int, ...]
    mine: tuple[dict[str, str], ...]
    """For every seat its tokens that lie face down, by board and star.  Derived from the boards.

    Never changed in place; the same holds for the next two.
    """
    excluded: dict[str, int]
    """By place, the tokens that a token face down cannot be, by public knowledge.  See recall."""
    rarer: dict[str, int]
    """By place, how many times rarer a double star is than another token.  See recall."""
    scored: tuple[ScoredBoard, ...]
    asked: dict[Seat, OneOf]
    """The choice of each seat that must act; derived from the rest.  Never changed in place."""

    def __hash__(self) -> int:
        return hash((self.turn, self.pile, self.boards, self.hands, self.coins))


EMPTY: Final = {
    name: OpenBoard(name, nothing, nothing, nothing)
    for name, board in BOARDS.items()
    for nothing in [(None,) * len(board.stars)]
}
"""Every board, empty."""
NUMBERS: Final = {
    name: tuple(range(board.number, board.number + len(board.stars))) for name, board in BOARDS.items()
}
"""The numbers in the sky of the stars of every board."""


def free_stars(boards: Iterable[OpenBoard]) -> tuple[int, ...]:
    """Return the empty stars by their number in the sky."""
    return tuple(
        number
        for board in boards
        for number, owner in zip(NUMBERS[board.name], board.owners, strict=True)
        if owner is None
    )
