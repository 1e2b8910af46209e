"""The state of a match: frozen values, small ones inside larger ones.

Multisets of cards are sorted tuples of names, so that equal states compare equal.  The values are named
tuples made with `new` where it matters, because a playout spends most of its time making values.
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
    "Ending",
    "Luck",
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
"""The number of Starlight tokens of a seat at the start."""
HAND: Final = 10
"""The most cards in hand after burning a light."""
DRAWN: Final = 3
"""The number of cards for a light."""
REFILL: Final = 2
"""The fewest cards that an empty hand is refilled with."""
NUMBER_OF_ROUNDS: Final = 200
"""The number of rounds after which a match ends (SQ34)."""
DUMMY: Final = "dummy"
Who: TypeAlias = Seat | Literal["dummy"]
"""A seat, or the Dummy."""
Parts: TypeAlias = tuple[tuple[str, ...], ...]
"""A sequence of multisets of cards.  A hand played part i of its cards after it had received part i, and
before it received the next part.
"""
BEGUN: Final[Parts] = ((),)
"""The parts at the beginning of a period: one, empty."""


def _order(seats: int, leader: Seat) -> tuple[Who, ...]:
    others: list[Who] = [(leader + turn) % seats for turn in range(1, seats)]
    return (leader, DUMMY, *others) if seats == 2 else (leader, *others)


ORDERS: Final = {seats: tuple(_order(seats, leader) for leader in range(seats)) for seats in range(2, 5)}
"""The order of play by table size and leader; with two seats the Dummy is always second (SQ40)."""


class Luck(NamedTuple):
    """Everything that is fixed before the match."""

    first: Seat
    opening: str
    """The first discard."""
    orders: tuple[tuple[str, ...], ...]
    """The order of the cards after each reshuffle."""


class Period(NamedTuple):
    """The public course of play from one reshuffle to the next, and the cards dealt to each seat."""

    cards: tuple[str, ...]
    """The cards of the draw pile; empty before the first reshuffle."""
    received: tuple[tuple[str, ...], ...]
    """The cards that each hand received; a seat knows only its own."""
    backs: tuple[Parts, ...]
    """The backs of those cards, which are public."""
    played: tuple[Parts, ...]
    """The cards that each hand played."""
    dummy: tuple[str, ...]
    """The cards that the Dummy drew and played."""


class Piles(NamedTuple):
    """The cards in the middle of the table, and their history."""

    pile: tuple[str, ...]
    """The draw pile, next card first."""
    top: str
    """The top of the discard pile: its colour is trump."""
    discards: tuple[str, ...]
    """The whole discard pile."""
    past: tuple[Period, ...]
    """The periods that ended with a reshuffle."""
    cards: tuple[str, ...]
    """The cards of the draw pile of this period; empty before the first reshuffle."""
    dummy: tuple[str, ...]
    """The cards that the Dummy played in this period."""


class Player(NamedTuple):
    """The cards and lights of one seat."""

    hand: tuple[str, ...]
    backs: tuple[str, ...]
    lights: int
    collection: tuple[str, ...]
    """In the order taken."""
    received: tuple[str, ...]
    """The cards that the hand received in this period."""
    received_backs: Parts
    played: Parts
    """The cards that the hand played in this period."""


class Round(NamedTuple):
    """A round that is being played."""

    number: int
    """1 to 200."""
    leader: Seat
    lead: str
    """The leading colour, as the back of its cards; empty while it is open (SQ6)."""
    cards: tuple[str, ...]
    """The cards on the table: played, and not taken or discarded since."""
    by: tuple[Who, ...]
    """The player of each card."""
    after: tuple[Who, ...]
    """The players after the seat that is asked."""


class Ending(NamedTuple):
    """Why a match is over."""

    why: str
    """enlightened, eliminated, rounds (after 200) or cards (no seat can play)."""
    seat: Seat | None
    """The seat that is enlightened or eliminated."""


class State(NamedTuple):
    """A match that is being played or is over."""

    luck: Luck
    step: str
    """play, take, top or over."""
    turn: Seat | None
    """The seat that is asked; None when the match is over."""
    round: Round
    marker: Who | None
    """The player that has the Black Star."""
    piles: Piles
    players: tuple[Player, ...]
    ending: Ending | None
    asked: dict[Seat, OneOf]
    """The choice of each seat that must act; derived from the rest.  Never changed in place."""

    def __hash__(self) -> int:
        return hash(self[:-1])


def replace_player(players: tuple[Player, ...], seat: Seat, player: Player) -> tuple[Player, ...]:
    """Return *players* with *player* in *seat*."""
    return (*players[:seat], player, *players[seat + 1 :])


def fewest(lights: int) -> int:
    """Return the number of cards that refill an empty hand: one per light, at least two (SQ20)."""
    return max(lights, REFILL)
