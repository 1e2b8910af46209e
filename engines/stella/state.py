"""The state of a match: frozen values, small ones inside larger ones.

A set of places on the grid is an integer whose highest bit is the first place; so are the crosses of a seat.
The values are named tuples made with `new`, because a playout spends most of its time making values.
"""

from __future__ import annotations

from itertools import compress, product
from typing import Final, NamedTuple

from engines.game import Choice, Seat
from engines.stella.deck import Deck, Pair, Picture

__all__ = [
    "AFTER",
    "CLEAN",
    "EVERYWHERE",
    "PLACES",
    "ROUNDS",
    "Grid",
    "Luck",
    "Past",
    "Round",
    "State",
    "pick",
    "places_of_round",
]

ROUNDS: Final = 4
PLACES: Final = 15
EVERYWHERE: Final = (1 << PLACES) - 1
_ROW: Final = 5
_LOW: Final = 8  # places are looked up in two parts, because one table would be large
_BITS: Final = tuple(1 << bit for bit in reversed(range(PLACES)))
_HIGH_MEMBERS: Final = tuple(map(bytes, product((0, 1), repeat=PLACES - _LOW)))
_LOW_MEMBERS: Final = tuple(map(bytes, product((0, 1), repeat=_LOW)))
AFTER: Final = {
    seats: tuple(tuple((seat + step) % seats for step in range(1, seats + 1)) for seat in range(seats))
    for seats in range(3, 7)
}
"""For every table size and seat: all seats clockwise, from the next one to the seat itself."""
CLEAN: Final = {seats: (0,) * seats for seats in AFTER}
"""Zero stars for every seat."""


class Luck(NamedTuple):
    """Everything that is fixed before the match."""

    seats: int
    first: Seat
    word_vote: bool
    first_game: bool
    deck: Deck
    cards: tuple[str, ...]
    """All picture ids, in the order in which they come to the grid."""
    words: tuple[Pair, ...]
    """One word card per round."""


class Grid(NamedTuple):
    """The pictures of a round, with everything that depends on them alone."""

    cards: tuple[str, ...]
    """The ids of the pictures, row by row from the top."""
    pictures: tuple[Picture, ...]
    bits: dict[str, int]
    """The place of every id, as a set."""
    shows: tuple[str, ...]
    """The moves that show the pictures."""

    def __hash__(self) -> int:
        return hash(self.cards)

    @classmethod
    def of(cls, cards: tuple[str, ...], deck: Deck) -> Grid:
        """Return the grid of *cards*, which are in *deck*."""
        pictures = tuple(map(deck.pictures.__getitem__, cards))
        shows = tuple(map("show ".__add__, cards))
        return cls(cards, pictures, dict(zip(cards, _BITS, strict=True)), shows)


class Round(NamedTuple):
    """The part of a round that stays the same while scouts show cards."""

    number: int
    """1 to 4."""
    grid: Grid
    word: str | None
    """The word in use; None during the vote."""
    flipped: bool
    """Whether it is the word printed upside down."""
    crosses: tuple[int, ...]
    """The crosses of every seat; empty until all seats have chosen."""
    counts: tuple[int, ...]
    """The number of crosses of every seat, as announced."""
    dark: Seat | None


class Past(NamedTuple):
    """A round that is over."""

    round: Round
    shown: dict[str, tuple[Seat, ...]]
    fallen: tuple[Seat, ...]
    stars: tuple[int, ...]
    scores: tuple[int, ...]

    def __hash__(self) -> int:
        return hash((self.round, self.fallen, self.stars))


class State(NamedTuple):
    """A match that is being played or is over."""

    luck: Luck
    step: str
    """vote, associate, show or over."""
    round: Round
    hidden: int
    """The places of the cards that have not been shown in this round."""
    shown: dict[str, tuple[Seat, ...]]
    """The cards shown in this round, each with all seats that had crossed it.  Never changed in place."""
    fallen: tuple[Seat, ...]
    stars: tuple[int, ...]
    """The stars of this round, as filled."""
    sparks: tuple[int, ...]
    """The number of cards that the stars come from."""
    scores: tuple[int, ...]
    """The points from all finished rounds."""
    past: tuple[Past, ...]
    asked: dict[Seat, Choice]
    """The choice of each seat that must act; derived from the rest.  Never changed in place."""

    def __hash__(self) -> int:
        luck, step, round_, hidden, _, *rest, _ = self
        return hash((luck, step, round_, hidden, *rest))


def pick(items: tuple[str, ...], places: int) -> compress[str]:
    """Iterate over the items on *places*, in order; *items* has one item for each of the 15 places."""
    return compress(items, _HIGH_MEMBERS[places >> _LOW] + _LOW_MEMBERS[places & (1 << _LOW) - 1])


def places_of_round(number: int) -> range:
    """Return the places that get new cards: all, then the bottom, middle and top row (SD22, D6)."""
    return range(PLACES) if number == 1 else range(PLACES - _ROW * (number - 1), PLACES - _ROW * (number - 2))
