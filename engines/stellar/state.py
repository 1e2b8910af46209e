"""What there is to know about a match that is under way: frozen values, small ones inside larger ones.

Multisets of cards are sorted tuples of names, so that states that are alike are equal.  The values are named
tuples, which cost a quarter of a frozen dataclass to make, and the turns make them with `new`, a third of
that again: making values is what a playout does most.
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
    """What was settled before the match and stays."""

    first: Seat
    face_down_number: str
    reshuffles: tuple[tuple[str, ...], ...]


class Discards(NamedTuple):
    """The discard pile, and what became of earlier ones."""

    cards: tuple[str, ...] = ()
    reshuffles: int = 0
    """How often the discards have become the draw pile."""
    thrown: tuple[str, ...] = ()
    """Of these cards the two that were left over at the end, by seat."""


class Telescope(NamedTuple):
    """Twelve slots; sets of slots are integers, as cards.BITS says."""

    cards: dict[str, str]
    """What lies where, in the order of play: "P4.1", or "P4.1 down".  Never changed in place."""
    free: int
    """The empty slots."""
    reach: tuple[int, ...]
    """For every type, in the order of cards.TYPES, the slots beside its face-up cards, or ANYWHERE.

    One more entry stands for satellites: always ANYWHERE.
    """

    def __hash__(self) -> int:
        return hash((self.free, self.reach))


ANYWHERE: Final = -1
"""The reach of a type that is not in the telescope: every slot, and then some."""
EMPTY: Final = Telescope({}, ALL_SLOTS, (ANYWHERE,) * (len(TYPES) + 1))


class Player(NamedTuple):
    """The cards of one seat."""

    hand: tuple[str, ...]
    known: tuple[str, ...]
    """What all know of the hand: the cards taken from the row and not played since."""
    notebook: tuple[str, ...]
    telescope: Telescope


class State(NamedTuple):
    """A match under way, or over."""

    luck: Luck
    turn: int
    """0 to 21; 22 after the last one."""
    step: str
    """starter, wipe, take, play, place, final or over."""
    satellite: bool
    """A satellite was taken from the row in this turn."""
    waiting: str | None
    """In step place: the card that must be placed."""
    row: tuple[str | None, ...]
    pile: tuple[str, ...]
    """The draw pile, next card first."""
    discards: Discards
    players: tuple[Player, Player]
    asked: dict[Seat, OneOf]
    """Who must act and among what: follows from the rest.  Never changed in place."""

    def __hash__(self) -> int:
        return hash(self[:-1])
