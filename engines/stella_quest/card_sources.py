"""Where cards may have come from: the periods, with the cards and the open places that each has left.

A seat receives a card before it plays it.  All cards of earlier periods were there; of the same period only
as many as the seat had received by then.
"""

from random import Random
from typing import final

from engines.game import Seat
from engines.stella_quest.cards import BACK_NAMES, BACK_OF, NAMES


@final
class CardSource:
    """A period: its cards that have no place yet, and the places for them in the hands."""

    __slots__ = ("cards", "hands", "in_time", "left", "room")

    def __init__(self, seats: int, cards: list[int]) -> None:
        self.cards: list[int] = [0] * len(NAMES)
        """The number of remaining cards, by card."""
        for card in cards:
            self.cards[card] += 1
        self.left: list[int] = [0] * len(BACK_NAMES)
        """The number of remaining cards, by back."""
        self.room: list[list[int]] = [[0] * len(BACK_NAMES) for _ in range(seats)]
        """For every seat, the number of open places, by back."""
        self.hands: list[list[int]] = [[] for _ in range(seats)]
        """For every seat, the cards assigned to it."""
        self.in_time: dict[tuple[int, int], list[int]] = {}
        """By seat and back, for each assigned card that was played in the same period: the number of cards
        with that back that the seat had received by then.  Most have none.
        """


@final
class UndatedPlay:
    """A card that another seat played after a reshuffle: the period in which it came is not known."""

    __slots__ = ("came", "card", "period", "seat")

    def __init__(self, period: int, seat: Seat, card: int, came: int) -> None:
        self.period = period
        self.seat = seat
        self.card = card
        self.came = came
        """The number of cards with its back that the seat had received in that period by then."""


def chances_of(sources: list[CardSource], play: UndatedPlay) -> list[float]:
    """Return for each period the expected copies of the card at its seat if the rest is dealt at random."""
    back = BACK_OF[play.card]
    chances: list[float] = []
    for number in range(play.period + 1):
        source = sources[number]
        room = source.room[play.seat][back]
        if number == play.period:
            given = source.in_time.get((play.seat, back))
            room = min(room, play.came if given is None else _room_in_time(given, play.came))
        # each of its `left` cards with this back is as likely as another to lie on one of the `room` places
        copies = source.cards[play.card] * room
        chances.append(copies / source.left[back] if copies else 0.0)
    return chances


def _room_in_time(given: list[int], came: int) -> int:
    """Return how many of the first *came* cards with a back in a period can be the card that is played now.

    *given* has for each assigned card the number that had come when it was played.  0 means that this card
    cannot come from the same period: one of them would have been played before it came.
    """
    # Jobs with deadlines: there is an order that keeps them all if, and only if, for every n the n-th
    # deadline, the earliest first, leaves room for n cards.
    deadlines = sorted([*given, came])
    for number, deadline in enumerate(deadlines):
        if deadline <= number:
            return 0
    # the cards that must have come by then, too, are certainly among the first `came`
    return came - len([deadline for deadline in given if deadline <= came])


def give_card(sources: list[CardSource], play: UndatedPlay, rng: Random) -> bool:
    """Assign the card of *play* to its seat, from a random possible period; return whether there is one."""
    chances = chances_of(sources, play)
    at = rng.random() * sum(chances)
    for number, chance in enumerate(chances):
        if at < chance:
            source, back = sources[number], BACK_OF[play.card]
            source.cards[play.card] -= 1
            source.left[back] -= 1
            source.room[play.seat][back] -= 1
            source.hands[play.seat].append(play.card)
            if number == play.period:
                source.in_time.setdefault((play.seat, back), []).append(play.came)
            return True
        at -= chance
    return False
