"""What the tests of all games must be told of this one."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final

from engines.contract.known import (
    Impossible,
    Known,
    Match,
    Matches,
    Past,
    rest_of,
    showing,
    take_from,
    with_orders,
)
from engines.game import Choice, Step
from engines.stella_quest import StellaQuest
from engines.stella_quest.cards import BACKS, DECK, JEWELS, NUMBERS, names_of
from engines.stella_quest.luck import complete_deal
from engines.stella_quest.state import State

DREW_AND_REFILLED = ('"event":"draw"', '"event":"refill"')


# -- the past of a world


def past(deal: Mapping[str, Any], match: Match, world: Any, seat: int | None) -> Past:
    received = [[names_of(cards) for cards in period.received] for period in (*world.past, world.period())]
    history = _Quest(received, seat)
    for played in match:
        for event in played.events:
            history.hear(event.seen_by(seat))
    drawn = history.piles()
    drawn[-1] += names_of(world.pile[::-1])
    orders = [[*cards, *rest_of(DECK, cards)] for cards in drawn[1:]]
    moves = [dict(played.moves) for played in match[1:]]
    return {**deal, "deck": drawn[0], "reshuffles": orders or deal["reshuffles"]}, moves


class _Quest:
    """Follows the public events of Stella Quest and finds out when every card came to its hand.

    A world says which cards came to a hand between two reshuffles, not in which order.  A play takes a card
    from before the last reshuffle, if there is one: that leaves more to choose from later.
    """

    def __init__(self, received: Sequence[Sequence[Iterable[str]]], seat: int | None) -> None:
        self._seat = seat
        self._received = [[Counter(cards) for cards in period] for period in received]
        """By period and seat, the cards of which it is not yet said when they came."""
        self._drawn: list[list[_Slot]] = [[]]
        """By period, what came off the draw pile, in order."""
        self._next: str | None = None
        """The back that the draw pile shows, if it has been told."""

    def hear(self, event: Mapping[str, Any]) -> None:
        kind = event["event"]
        if kind == "start":
            for seat, backs in enumerate(event["backs"]):
                self._receive(seat, backs, event.get("hand", ()) if seat == self._seat else ())
            self._drawn[0].append(_Slot(None, "", event["top"]))
            self._next = event["back"]
        elif kind in ("draw", "refill"):
            self._receive(event["seat"], event["backs"], event.get("cards", ()))
        elif kind == "play" and event["seat"] == "dummy":
            self._drawn[-1].append(_Slot(None, "", event["card"]))
            self._next = None
        elif kind == "play":
            self._play(event["seat"], event["card"])
        elif kind == "reshuffle":
            self._fill()
            self._drawn.append([])
        elif kind == "pile":
            self._next = event["back"]

    def _receive(self, seat: int, backs: Sequence[str], cards: Iterable[str]) -> None:
        """Take note of new cards in the hand of *seat*; *cards* are those of the own one."""
        known = take_from(self._received[len(self._drawn) - 1][seat], cards) or [""] * len(backs)
        slots = [_Slot(seat, back, card) for back, card in zip(backs, known, strict=True)]
        self._drawn[-1] += sorted(slots, key=lambda slot: slot.back != self._next)
        self._next = None

    def _play(self, seat: int, card: str) -> None:
        mine = [slot for period in self._drawn for slot in period if slot.seat == seat and not slot.played]
        held = next((slot for slot in mine if slot.card == card), None)
        if held is None:
            held = next((slot for slot in mine if not slot.card and slot.back == BACKS[card]), None)
            left = self._received[len(self._drawn) - 1][seat]
            if held is None or not left[card]:
                raise Impossible(f"seat {seat} can_replay {card} before it has come")
            (held.card,) = take_from(left, [card])
        held.played = True

    def _fill(self) -> None:
        """Say which cards came to the places of this period that are still open."""
        for slot in self._drawn[-1]:
            if not slot.card and slot.seat is not None:
                left = self._received[len(self._drawn) - 1][slot.seat]
                slot.card = next((card for card in +left if BACKS[card] == slot.back), "")
                take_from(left, [slot.card])

    def piles(self) -> list[list[str]]:
        """Return for every period the cards that came off the draw pile, in order."""
        self._fill()
        if left := [cards for period in self._received for cards in period if +cards]:
            raise Impossible(f"these came, but there was no place for them: {left}")
        return [[slot.card for slot in period] for period in self._drawn]


class _Slot:
    """A card that came off the draw pile."""

    def __init__(self, seat: int | None, back: str, card: str = "") -> None:
        self.seat = seat
        """To whose hand it came."""
        self.back = back
        self.card = card
        self.played = False


# -- how seats play for long matches, with several reshuffles


def loser(rng: Random) -> Callable[[State, int, Choice], Any]:
    """Return a policy that hardly ever ends a match: it burns no lights and leaves one number out."""

    def cost(state: State, seat: int, move: str) -> int:
        had = {NUMBERS[card] for card in names_of(state.collections[seat])}
        return JEWELS[move[5:]] if NUMBERS[move[5:]] in had else 9 * (len(had) == 5)

    def policy(state: State, seat: int, choice: Any) -> Any:
        if state.step == "take":
            return min(choice.options, key=lambda move: cost(state, seat, move))
        if state.step == "play":
            cards = [move for move in choice.options if move != "draw"]
            return cards[-1] if cards[-1] == "play XX" and state.marker == seat else rng.choice(cards)
        return choice.sample(rng)

    return policy


# -- what is rare


def rare(matches: Callable[[int], Matches]) -> Iterator[tuple[int, Step[State]]]:
    """Yield steps of matches that end when no seat can play, and with round 200."""
    yield from ((2, step) for step in play_exhausted(2, 1))
    yield from ((3, step) for step in play_exhausted(3, 200))


def play_exhausted(seats: int, number: int) -> Iterator[Any]:
    """Play Stella Quest where there is nothing to draw, and seat 1 has no card, from that round on."""
    game = StellaQuest()
    state, _ = game.start(complete_deal({"deck": ["B1", "B2", "B3", "B4", "B5"]}), seats)
    state.pile, state.number = [], number
    state.hands[1] = []
    while asked := game.choices(state):
        step = game.play(state, {seat: choice.options[0] for seat, choice in asked.items()})
        yield step
        state = step.state


KNOWN: Final = Known(
    past=past,
    later=with_orders,
    policy=loser,
    golden_seed=290,
    shown_by_golden={
        2: (*DREW_AND_REFILLED, '"public":{"seat":"dummy"}', '"why":"enlightened"'),
        3: DREW_AND_REFILLED,
        4: (*DREW_AND_REFILLED, '"event":"reshuffle"', '"why":"eliminated"'),
    },
    rare=rare,
    leaks={
        "numbers of hands whose backs are seen": showing(
            StellaQuest, lambda state: [names_of(hand) for hand in state.hands]
        ),
        "the next card beside its back": showing(StellaQuest, lambda state: names_of(state.pile[-1:])),
        "what a later reshuffle brings": showing(
            StellaQuest, lambda state: [names_of(order) for order in state.orders]
        ),
    },
)
