"""The state of a match: frozen values, small ones inside larger ones.

Multisets of cards are sorted tuples of names, so that equal states compare equal.  The values are named
tuples made with `new`, because a playout spends most of its time making values: a named tuple costs a quarter
of a frozen dataclass, and `new` a third of a named tuple's constructor.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from engines.game import OneOf, Seat
from engines.stellar.cards import ALL_SLOTS, TYPES

__all__ = [
    "ANYWHERE",
    "EMPTY",
    "TURNS",
    "Discards",
    "Luck",
    "Player",
    "State",
    "Telescope",
]

TURNS: Final = 22


class Luck(NamedTuple):
    """Everything that is fixed before the match."""

    first: Seat
    face_down_number: str
    reshuffles: tuple[tuple[str, ...], ...]


class Discards(NamedTuple):
    """The discard pile, and the number of its reshuffles."""

    cards: tuple[str, ...] = ()
    reshuffles: int = 0
    """The number of times that the discards have become the draw pile."""
    thrown: tuple[str, ...] = ()
    """The cards left over at the end, by seat; they are among *cards*."""


class Telescope(NamedTuple):
    """The cards in twelve slots.  Sets of slots are integers; see cards.BITS."""

    cards: dict[str, str]
    """The card in each slot, in the order of play: "P4.1" or "P4.1 down".  Never changed in place."""
    free: int
    """The empty slots."""
    reach: tuple[int, ...]
    """For every type, in the order of cards.TYPES, the slots beside its face-up cards, or ANYWHERE.

    One more entry, always ANYWHERE, is for satellites.
    """

    def __hash__(self) -> int:
        return hash((self.free, self.reach))


ANYWHERE: Final = -1
"""The reach of a type that is not in the telescope: all bits, and so every slot."""
EMPTY: Final = Telescope({}, ALL_SLOTS, (ANYWHERE,) * (len(TYPES) + 1))


class Player(NamedTuple):
    """The cards of one seat."""

    hand: tuple[str, ...]
    known: tuple[str, ...]
    """The publicly known cards of the hand: taken from the row and not played since."""
    notebook: tuple[str, ...]
    telescope: Telescope


class State(NamedTuple):
    """A match that is being played or is over."""

    luck: Luck
    turn: int
    """0 to 21; 22 after the last one."""
    step: str
    """starter, wipe, take, play, place, final or over."""
    satellite: bool
    """Whether a satellite was taken from the row in this turn."""
    waiting: str | None
    """The card that must be placed, in step place."""
    row: tuple[str | None, ...]
    pile: tuple[str, ...]
    """The draw pile, next card first."""
    discards: Discards
    players: tuple[Player, Player]
    asked: dict[Seat, OneOf]
    """The choice of each seat that must act; derived from the rest.  Never changed in place."""

    def __hash__(self) -> int:
        return hash(self[:-1])
