"""What there is to know about a match that is under way: frozen values, small ones inside larger ones.

Multisets of cards are sorted tuples of names, so that states that are alike are equal.  The values are named
tuples, made with `new` where it matters: making values is what a playout does most.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

from engines.game import OneOf, Seat

__all__ = [
    "BEGUN",
    "DRAWN",
    "DUMMY",
    "HAND",
    "LIGHTS",
    "NUMBER_OF_ROUNDS",
    "ORDERS",
    "REFILL",
    "Ending",
    "Luck",
    "Parts",
    "Period",
    "Piles",
    "Player",
    "Round",
    "State",
    "Who",
    "fewest",
    "replace_player",
]

LIGHTS: Final = 5
"""The Starlight tokens of a seat."""
HAND: Final = 10
"""A light is burnt only for cards up to so many in hand."""
DRAWN: Final = 3
"""The cards for a light."""
REFILL: Final = 2
"""The fewest cards that an empty hand is refilled with."""
NUMBER_OF_ROUNDS: Final = 200
"""No match is longer (SQ34)."""
DUMMY: Final = "dummy"
Who: TypeAlias = Seat | Literal["dummy"]
"""A seat, or the Dummy."""
Parts: TypeAlias = tuple[tuple[str, ...], ...]
"""Multisets of cards, one after the other: part i of the cards played from a hand was played after part i of
the cards that it received had come, and before the next part came.
"""
BEGUN: Final[Parts] = ((),)
"""The parts at the beginning of a period: nothing yet."""


def _order(seats: int, leader: Seat) -> tuple[Who, ...]:
    others: list[Who] = [(leader + turn) % seats for turn in range(1, seats)]
    return (leader, DUMMY, *others) if seats == 2 else (leader, *others)


ORDERS: Final = {seats: tuple(_order(seats, leader) for leader in range(seats)) for seats in range(2, 5)}
"""Who plays after whom, by table size and leader; with two seats the Dummy is always second (SQ40)."""


class Luck(NamedTuple):
    """What was settled before the match and stays."""

    first: Seat
    opening: str
    """The first discard."""
    orders: tuple[tuple[str, ...], ...]
    """What the reshuffles bring."""


class Period(NamedTuple):
    """What all saw from one reshuffle to the next, and what each seat was dealt meanwhile."""

    cards: tuple[str, ...]
    """What the draw pile was made of; empty before the first reshuffle."""
    received: tuple[tuple[str, ...], ...]
    """The cards that came to each hand; each seat knows its own."""
    backs: tuple[Parts, ...]
    """Their backs, which all have seen."""
    played: tuple[Parts, ...]
    """The cards played from each hand."""
    dummy: tuple[str, ...]
    """The cards that the Dummy drew and played."""


class Piles(NamedTuple):
    """The cards in the middle, and how they came to lie there."""

    pile: tuple[str, ...]
    """The draw pile, next card first."""
    top: str
    """The top of the discard pile: its colour is trump."""
    discards: tuple[str, ...]
    """The whole discard pile."""
    past: tuple[Period, ...]
    """The periods that ended with a reshuffle."""
    cards: tuple[str, ...]
    """What the draw pile was made of in this period; empty before the first reshuffle."""
    dummy: tuple[str, ...]
    """What the Dummy played in this period."""


class Player(NamedTuple):
    """The cards and lights of one seat."""

    hand: tuple[str, ...]
    backs: tuple[str, ...]
    lights: int
    collection: tuple[str, ...]
    """In the order taken."""
    received: tuple[str, ...]
    """What came to the hand in this period."""
    received_backs: Parts
    played: Parts
    """What was played from it in this period."""


class Round(NamedTuple):
    """A round under way."""

    number: int
    """1 to 200."""
    leader: Seat
    lead: str
    """The leading colour, as the back of its cards; empty as long as it is open (SQ6)."""
    cards: tuple[str, ...]
    """The cards played and not taken or discarded."""
    by: tuple[Who, ...]
    """Who played each of them."""
    after: tuple[Who, ...]
    """Who plays after the one that is asked."""


class Ending(NamedTuple):
    """Why a match is over."""

    why: str
    """enlightened, eliminated, rounds (200 of them) or cards (nobody can play)."""
    seat: Seat | None
    """Who is enlightened or eliminated."""


class State(NamedTuple):
    """A match under way, or over."""

    luck: Luck
    step: str
    """play, take, top or over."""
    turn: Seat | None
    """Who is asked; None when the match is over."""
    round: Round
    marker: Who | None
    """Who has the attention of the Black Star."""
    piles: Piles
    players: tuple[Player, ...]
    ending: Ending | None
    asked: dict[Seat, OneOf]
    """Who must act and among what: follows from the rest.  Never changed in place."""

    def __hash__(self) -> int:
        return hash(self[:-1])


def replace_player(players: tuple[Player, ...], seat: Seat, player: Player) -> tuple[Player, ...]:
    """Return *players* with *player* in *seat*."""
    return (*players[:seat], player, *players[seat + 1 :])


def fewest(lights: int) -> int:
    """Return how many cards refill an empty hand: one a light, but two for the last light (SQ20)."""
    return max(lights, REFILL)
