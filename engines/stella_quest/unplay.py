"""The way back: the match that led to a world, played again from its deal.

A world says what each hand received between two reshuffles, but not always when.  Where its order does not
fit the plays, each draw gets the cards with its backs that were played first: if any order fits, this does.
"""

from collections.abc import Mapping
from math import inf
from typing import TypeAlias

from engines.game import Json, Seat
from engines.stella_quest import luck
from engines.stella_quest.cards import BACK_NAMES, BACK_OF, CODES, DECK, NAMES
from engines.stella_quest.moves import OPTIONS
from engines.stella_quest.players import DUMMY
from engines.stella_quest.state import State
from engines.weighing import PastChoice, Told, complete, play_again

_Place: TypeAlias = tuple[int, Seat, str]
"""A period, a seat and a back."""


def unplay(world: State, told: Told, own: Seat) -> list[PastChoice]:
    """Return what the other seats decided, in this *world*."""
    stock, shown, piles = _stock(world, told), told[0]["back"], [list[str]()]
    for event in told:
        match event["event"]:
            case "start":
                for seat, backs in enumerate(event["backs"]):
                    piles[0] += event["hand"] if seat == own else _draw(stock, 0, seat, backs)
                piles[0].append(event["top"])
            case "draw" | "refill":
                seat = event["seat"]
                cards = event["cards"] if seat == own else _draw(stock, len(piles) - 1, seat, event["backs"])
                # the back of the next card is seen, so that card was the first
                piles[-1] += sorted(cards, key=lambda card: BACK_NAMES[BACK_OF[CODES[card]]] != shown)
            case "play" if event["seat"] == DUMMY:
                piles[-1].append(event["card"])
            case "reshuffle":
                piles.append([])
            case "pile":
                shown = event["back"]
    piles[-1] += [NAMES[card] for card in reversed(world.pile)]
    deck, *fresh = piles
    deal = {
        "options": {},
        "first": told[0]["first"],
        "deck": deck,
        "reshuffles": [complete(order, DECK) for order in fresh or [[]]],
    }
    return play_again(luck.begin(deal, len(world.lights)), told, own, _option_in)


def _option_in(position: State, event: Mapping[str, Json]) -> int:
    kind = event["event"]
    if kind == "draw":
        return OPTIONS[kind]
    return OPTIONS[f"top {event['top']}" if kind == "discard" else f"{kind} {event['card']}"]


def _stock(world: State, told: Told) -> dict[_Place, list[str]]:
    """Return the cards that each hand received, in an order in which it may have received them."""
    plays: dict[tuple[Seat, str], list[float]] = {}
    draws: dict[_Place, list[int]] = {}
    """When they came."""
    period = 0
    for number, event in enumerate(told):
        match event["event"]:
            case "play":
                plays.setdefault((event["seat"], event["card"]), []).append(number)
            case "start" | "draw" | "refill" as kind:
                by_seat = enumerate(event["backs"]) if kind == "start" else [(event["seat"], event["backs"])]
                for seat, backs in by_seat:
                    for back in backs:
                        draws.setdefault((period, seat, back), []).append(number)
            case "reshuffle":
                period += 1
    stock: dict[_Place, list[tuple[float, str]]] = {place: [] for place in draws}
    for period, received in enumerate([*[past.received for past in world.past], world.received]):
        for seat, hand in enumerate(received):
            for card in hand:
                times = plays.get((seat, NAMES[card]))
                due = times.pop(0) if times else inf
                stock[period, seat, BACK_NAMES[BACK_OF[card]]].append((due, NAMES[card]))
    for place, cards in stock.items():
        # a match that was played has them in order; in an imagined world a play may come before its draw
        if any(due < came for (due, _), came in zip(cards, draws[place], strict=True)):
            cards.sort()
    return {place: [name for _, name in cards] for place, cards in stock.items()}


def _draw(stock: dict[_Place, list[str]], period: int, seat: Seat, backs: list[str]) -> list[str]:
    return [stock[period, seat, back].pop(0) for back in backs]
