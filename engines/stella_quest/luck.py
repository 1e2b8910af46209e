"""Deals: make a random one, and check one that comes from outside."""

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Final

from engines.deals import check_first, check_keys, check_order, check_orders, check_seats, complete_options
from engines.dice import below, shuffled
from engines.game import Json
from engines.stella_quest.cards import BACK_OF, DECK, codes_of
from engines.stella_quest.players import NOBODY
from engines.stella_quest.state import State, new_state
from engines.stella_quest.table import STARTED

SEATS: Final[range] = range(2, 5)
OPTIONS: Final[dict[str, tuple[Json, ...]]] = {}
"""The rule options: there are none."""
_DEALT: Final = 5
"""The number of cards dealt to each hand."""
_RESHUFFLES: Final = 8
_KEYS: Final = ("first", "deck", "reshuffles")


def deal(seats: int, rng: Random, options: Mapping[str, Json]) -> dict[str, Json]:
    check_seats("stella-quest", SEATS, seats)
    return {
        "options": complete_options("stella-quest", OPTIONS, options),
        "first": below(seats, rng),
        "deck": shuffled(DECK, rng),
        "reshuffles": [shuffled(DECK, rng) for _ in range(_RESHUFFLES)],
    }


def complete_deal(part: Mapping[str, Json]) -> dict[str, Json]:
    """Complete a deal of the first cards only: the others follow in the order of names; seat 0 begins."""
    deck = list(part.get("deck", ()))
    left = Counter(DECK) - Counter(deck)
    fixed = {"options": {}, "first": 0, "reshuffles": [list(DECK)]}
    return fixed | dict(part) | {"deck": deck + sorted(left.elements())}


def begin(deal: Mapping[str, Json], seats: int) -> State:
    """Return the first state of a match.  Raises ValueError for a deal that cannot happen (Q1).

    Every seat has all its lights, and no seat the marker (SQ1, SQ2).
    """
    check_seats("stella-quest", SEATS, seats)
    check_keys(deal, _KEYS)
    complete_options("stella-quest", OPTIONS, deal.get("options"))  # Q1: a deal must have them
    first, deck, orders = deal["first"], deal["deck"], deal["reshuffles"]
    check_first(first, seats)
    check_order("deck", deck, DECK)
    check_orders("reshuffles", orders, DECK)

    dealt = codes_of(deck)
    at = _DEALT * seats
    state = new_state(seats, first, dealt[at], [codes_of(order) for order in orders])
    state.pile = dealt[:at:-1]
    for seat in range(seats):
        hand = sorted(dealt[_DEALT * seat : _DEALT * (seat + 1)])
        state.hands[seat] = state.received[seat] = hand
        state.backs[seat] = [[BACK_OF[card] for card in hand]]
    state.news = [(STARTED, NOBODY, 0, [])]
    return state
