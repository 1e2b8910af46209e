"""Deals: make a random one, and check one that comes from outside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from engines.deals import (
    check_first,
    check_keys,
    check_order,
    check_orders,
    check_seats,
    complete_options,
)
from engines.game import Event, Json, Seat, Step, below, shuffled
from engines.stella_quest.cards import BACKS, DECK
from engines.stella_quest.piles import next_back
from engines.stella_quest.rounds import ask_next
from engines.stella_quest.state import BEGUN, LIGHTS, ORDERS, Luck, Piles, Player, Round, State

__all__ = ["OPTIONS", "SEATS", "complete_deal", "deal", "start"]

SEATS: Final[range] = range(2, 5)
OPTIONS: Final[dict[str, tuple[Json, ...]]] = {}
"""The rule options: there are none."""
_DEALT: Final = 5
"""The number of cards dealt to each hand."""
_RESHUFFLES: Final = 8
_KEYS: Final = ("first", "deck", "reshuffles")


def deal(seats: int, rng: Random, options: Mapping[str, Json]) -> dict[str, Json]:
    """Return a random deal."""
    check_seats("stella-quest", SEATS, seats)
    return {
        "options": complete_options("stella-quest", OPTIONS, options),
        "first": below(seats, rng),
        "deck": shuffled(DECK, rng),
        "reshuffles": [shuffled(DECK, rng) for _ in range(_RESHUFFLES)],
    }


def complete_deal(part: Mapping[str, Json]) -> dict[str, Json]:
    """Complete *part*, a deal written by hand whose "deck" may be only the first cards.

    The other cards follow in the order of their names; seat 0 begins.
    """
    deck = list(part.get("deck", ()))
    left = Counter(DECK) - Counter(deck)
    fixed = {"options": {}, "first": 0, "reshuffles": [list(DECK)]}
    return fixed | dict(part) | {"deck": deck + sorted(left.elements())}


def start(deal: Mapping[str, Json], seats: int) -> Step[State]:
    """Return the first state of a match.  Raises ValueError for a deal that cannot happen (Q1)."""
    check_seats("stella-quest", SEATS, seats)
    check_keys(deal, _KEYS)
    complete_options("stella-quest", OPTIONS, deal.get("options"))  # Q1: a deal must have them
    first, deck, orders = deal["first"], deal["deck"], deal["reshuffles"]
    check_first(first, seats)
    check_order("deck", deck, DECK)
    check_orders("reshuffles", orders, DECK)

    hands = [tuple(sorted(deck[_DEALT * seat : _DEALT * (seat + 1)])) for seat in range(seats)]
    top, *pile = deck[_DEALT * seats :]
    luck = Luck(first, top, tuple([tuple(order) for order in orders]))
    return _first_step(luck, hands, tuple(pile))


def _first_step(luck: Luck, hands: Sequence[tuple[str, ...]], pile: tuple[str, ...]) -> Step[State]:
    """Return the first step: every seat has all its lights, and no seat the marker (SQ1, SQ2)."""
    first, top, _ = luck
    backs = [tuple(BACKS[card] for card in hand) for hand in hands]
    players = tuple(
        Player(hand, back, LIGHTS, (), hand, (back,), BEGUN) for hand, back in zip(hands, backs, strict=True)
    )
    piles = Piles(pile, top, (top,), (), (), ())
    round_ = Round(1, first, "", (), (), ORDERS[len(hands)][first])
    state = State(luck, "play", first, round_, None, piles, players, None, {})
    public = {
        "options": {},
        "first": first,
        "top": top,
        "backs": [[*back] for back in backs],
        "back": next_back(pile),
    }
    private: dict[Seat, dict[str, Json]] = {seat: {"hand": [*hand]} for seat, hand in enumerate(hands)}
    return ask_next(state, round_.after, [Event("start", public, private)])
