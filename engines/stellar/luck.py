"""Deals: make a random one, and check one that comes from outside."""

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Final

from engines.deals import (
    check_first,
    check_keys,
    check_names,
    check_order,
    check_orders,
    check_seats,
    complete_options,
)
from engines.dice import below, shuffled
from engines.game import Json
from engines.stellar.cards import DECK, STARTERS, codes_of
from engines.stellar.state import State, new_state
from engines.stellar.turns import JUST_BEGUN

SEATS: Final[range] = range(2, 3)
OPTIONS: Final[dict[str, tuple[str, ...]]] = {"face_down_number": ("printed", "three")}
"""The values of every rule option, the default first."""
_RESHUFFLES: Final = 3
_KEYS: Final = ("first", "starters", "deck", "reshuffles")


def deal(seats: int, rng: Random, options: Mapping[str, Json]) -> dict[str, Json]:
    check_seats("stellar", SEATS, seats)
    chosen = complete_options("stellar", OPTIONS, options)
    first = below(2, rng)
    starters = shuffled(STARTERS, rng)
    deck = list(DECK)
    for card in starters[:4]:
        deck.remove(card)
    return {
        "options": chosen,
        "first": first,
        "starters": starters,
        "deck": shuffled(deck, rng),
        "reshuffles": [shuffled(DECK, rng) for _ in range(_RESHUFFLES)],
    }


def complete_deal(part: Mapping[str, Json]) -> dict[str, Json]:
    """Complete a deal of the first cards only: the others follow in the order of names; seat 0 begins."""
    starters = list(part.get("starters", STARTERS))
    deck = list(part.get("deck", ()))
    left = Counter(DECK) - Counter(starters[:4]) - Counter(deck)
    fixed = {"options": {}, "first": 0, "reshuffles": [list(DECK)]}
    return fixed | dict(part) | {"starters": starters, "deck": deck + sorted(left.elements())}


def begin(deal: Mapping[str, Json], seats: int) -> State:
    """Return the first state of a match.  Raises ValueError for a deal that cannot happen (A15)."""
    check_seats("stellar", SEATS, seats)
    check_keys(deal, _KEYS)
    options = complete_options("stellar", OPTIONS, deal.get("options", {}))
    first, starters, deck, orders = [deal[key] for key in _KEYS]
    check_first(first, seats)
    check_order("starters", starters, STARTERS)
    check_names("deck", deck)
    check_order("starters[0:4] and deck", [*starters[:4], *deck], DECK)
    check_orders("reshuffles", orders, DECK)

    always_three = options["face_down_number"] == "three"
    state = new_state(first, always_three, [codes_of(order) for order in orders])
    state.hands = [sorted(codes_of(starters[0:2])), sorted(codes_of(starters[2:4]))]
    state.pile = codes_of(reversed(deck))
    state.last_stage = JUST_BEGUN
    return state
