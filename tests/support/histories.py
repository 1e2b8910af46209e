"""Imagined worlds, held against all that a seat has seen.

A world is possible if there are a deal and moves that lead to it and show the seat, from the first event to
the last, just what it was shown.  For each game a function here makes them from the world; the engine plays.
What no seat learns and no world holds, such as a secret vote, stays as it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

from engines import Game, PlayoutStep, replay
from engines.stella.state import pick
from engines.stella_quest.cards import BACKS
from engines.stella_quest.cards import DECK as QUEST_DECK
from engines.stellar.cards import DECK as STELLAR_DECK
from engines.stellar.moves import PLAYS
from support.toy_game import CARDS

__all__ = ["Impossible", "check_history", "contradiction"]

Match: TypeAlias = Sequence[PlayoutStep[Any]]
"""The steps of a match so far."""
Past: TypeAlias = tuple[dict[str, Any], list[dict[int, Any]]]
"""A deal and moves."""


class Impossible(Exception):
    """No deal and no moves lead to a world."""


def check_history(game: Game[Any], deal: Mapping[str, Any], match: Match, seat: int | None, rng: Any) -> None:
    """Assert that a world imagined by *seat* after *match* contradicts nothing that it has seen."""
    world = game.imagine(game.view(match[-1].state, seat), rng)
    assert "" == contradiction(game, deal, match, seat, world)


def contradiction(
    game: Game[Any], deal: Mapping[str, Any], match: Match, seat: int | None, world: Any
) -> str:
    """Return why *world* cannot be true for *seat*, which has seen *match*; empty: it can."""
    seats = game.view(world, None)["seats"]
    try:
        other_deal, moves = PASTS[game.name](deal, match, world, seat)
        again = list(replay(game, other_deal, seats, moves))
    except (Impossible, ValueError) as error:
        return f"no match leads there: {error}"
    for step, (told, retold) in enumerate(zip(match, again, strict=True)):
        if [e.seen_by(seat) for e in told.events] != [e.seen_by(seat) for e in retold.events]:
            return f"step {step} shows other events"
    state = again[-1].state
    return "" if LATER.get(game.name, _itself)(world, state) == state else "the match leads to another state"


def _taken(pool: Counter[str], cards: Iterable[str]) -> list[str]:
    """Return *cards* after they were taken out of *pool*.  Raises Impossible if they are not in it."""
    taken = list(cards)
    pool.subtract(taken)
    if -pool:
        raise Impossible(f"one card too many: {sorted(-pool)}")
    return taken


def _rest(deck: Iterable[str], cards: Iterable[str]) -> list[str]:
    """Return the cards of *deck* that are not among *cards*."""
    rest = Counter(deck)
    _taken(rest, cards)
    return sorted(rest.elements())


# -- the past of each game


def _toy(deal: Mapping[str, Any], match: Match, world: Any, seat: int | None) -> Past:
    seats = len(world.hands)
    cards = [world.hands[place % seats][place // seats] for place in range(len(CARDS[seats]))]
    made = iter(world.moves)
    moves = []
    for played in match[1:]:
        together = [next(made) for _ in played.moves]
        moves.append(dict(together))
    return {**deal, "cards": cards}, moves


def _showdown(deal: Mapping[str, Any], match: Match, world: Any, seat: int | None) -> Past:
    return {**deal, "cards": [*world.cards]}, [dict(played.moves) for played in match[1:]]


def _starry_sky(deal: Mapping[str, Any], match: Match, world: Any, seat: int | None) -> Past:
    boards = deal["boards"][: len(deal["boards"]) - len(world.pile)]
    lying = {}  # since when the tokens that lie face down have lain there: a star is used once in a match
    for seat, own in enumerate(world.mine):
        lying |= {(seat, place): token for place, token in own.items()}

    def laid(seat: int, move: str) -> str:
        token, place = move.split("@")
        return f"{lying.get((seat, place), token)}@{place}"

    moves = [{seat: laid(seat, move) for seat, move in played.moves.items()} for played in match[1:]]
    return {**deal, "boards": [*boards, *world.pile]}, moves


def _stella(deal: Mapping[str, Any], match: Match, world: Any, seat: int | None) -> Past:
    rounds = {over.round.number: over.round for over in world.past} | {world.round.number: world.round}
    moves = []
    for before, played in pairwise(match):
        together = dict(played.moves)
        if before.state.step == "associate":
            round_ = rounds[before.state.round.number]
            for seat, crosses in enumerate(round_.crosses):
                together[seat] = tuple(pick(round_.grid.cards, crosses))
        moves.append(together)
    luck = world.luck
    return {**deal, "cards": [*luck.cards], "words": [[*pair] for pair in luck.words]}, moves


def _stellar(deal: Mapping[str, Any], match: Match, world: Any, seat: int | None) -> Past:
    moves = [dict(played.moves) for played in match[1:]]
    pile = [*world.pile]
    if world.step == "starter":
        starters = [card for player in world.players for card in player.hand]
        last = _rest(deal["starters"], starters)
        return {**deal, "starters": [*starters, *last], "deck": pile}, moves
    dealt = [_dealt(match, seat, player.hand) for seat, player in enumerate(world.players)]
    hands = [card for hand in dealt for card in hand]
    orders = [*deal["reshuffles"]]
    if not (times := world.discards.reshuffles):
        drawn = deal["deck"][4 : len(deal["deck"]) - len(pile)]
        return {**deal, "deck": [*hands, *drawn, *pile]}, moves
    orders = [orders[time % len(orders)] for time in range(times)]
    fresh = _reshuffled(match, orders[-1])
    drawn = fresh[: len(fresh) - len(pile)]
    orders[-1] = [*drawn, *pile, *_rest(STELLAR_DECK, fresh)]
    return {**deal, "deck": [*hands, *deal["deck"][4:]], "reshuffles": orders}, moves


def _dealt(match: Match, seat: int, hand: Iterable[str]) -> list[str]:
    """Return the two cards that *seat* was dealt if it holds *hand* now."""
    cards = Counter(hand)
    for played in match[1:]:
        for event in played.events:
            if event.kind == "final":
                cards.update([PLAYS[event.public["moves"][seat]].card, event.public["thrown"][seat]])
            elif event.public.get("seat") == seat and event.kind in ("play", "take"):
                card = event.public["card"] if event.kind == "take" else PLAYS[event.public["move"]].card
                cards[card] += 1 if event.kind == "play" else -1
    if -cards or cards.total() != 2:
        raise Impossible(f"seat {seat} was dealt {cards}")
    return sorted(cards.elements())


def _reshuffled(match: Match, order: Iterable[str]) -> list[str]:
    """Return the draw pile that the last reshuffle of *match* made, which followed *order*."""
    before, played = next(
        (before.state, played)
        for before, played in reversed([*pairwise(match)])
        if before.state.discards.reshuffles < played.state.discards.reshuffles
    )
    cards = Counter(before.discards.cards)
    if "wipe" in played.moves.values():
        cards.update(card for card in before.row if card)
    fresh = []
    for card in order:
        if cards[card]:
            cards[card] -= 1
            fresh.append(card)
    return fresh


def _stella_quest(deal: Mapping[str, Any], match: Match, world: Any, seat: int | None) -> Past:
    received = [*[period.received for period in world.piles.past], [p.received for p in world.players]]
    history = _Quest(received, seat)
    for played in match:
        for event in played.events:
            history.hear(event.seen_by(seat))
    drawn = history.piles()
    drawn[-1] += world.piles.pile
    orders = [[*cards, *_rest(QUEST_DECK, cards)] for cards in drawn[1:]]
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
        known = _taken(self._received[len(self._drawn) - 1][seat], cards) or [""] * len(backs)
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
                raise Impossible(f"seat {seat} plays {card} before it has come")
            (held.card,) = _taken(left, [card])
        held.played = True

    def _fill(self) -> None:
        """Say which cards came to the places of this period that are still open."""
        for slot in self._drawn[-1]:
            if not slot.card:
                left = self._received[len(self._drawn) - 1][slot.seat]
                slot.card = next((card for card in +left if BACKS[card] == slot.back), "")
                _taken(left, [slot.card])

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


PASTS: Mapping[str, Callable[[Mapping[str, Any], Match, Any, int | None], Past]] = {
    "stella-quest": _stella_quest,
    "starry-sky": _starry_sky,
    "stellar": _stellar,
    "stella": _stella,
    "toy": _toy,
    "showdown": _showdown,
}
"""For every game what makes a deal and moves that lead to a world."""


def _itself(world: Any, state: Any) -> Any:
    return world


LATER: Mapping[str, Callable[[Any, Any], Any]] = {
    "stella-quest": lambda world, state: world._replace(luck=world.luck._replace(orders=state.luck.orders)),
    "stellar": lambda world, state: world._replace(
        luck=world.luck._replace(reshuffles=state.luck.reshuffles)
    ),
}
"""Worlds with reshuffles to come that are those of a state: no seat has seen anything of them."""
