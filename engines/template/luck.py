"""The luck of a match: what a deal holds, how it is checked, and the first state."""

from collections.abc import Mapping
from random import Random
from typing import Final

from engines.deals import check_keys, check_order, check_seats, complete_options
from engines.game import Event, Json, Step, shuffled

from .cards import CARDS
from .state import State

SEATS: Final = range(3, 6)
OPTIONS: Final[Mapping[str, tuple[Json, ...]]] = {"rounds": (2, 3)}
"""Each rule option and its values, the default first."""


def deal(seats: int, rng: Random, options: Mapping[str, Json]) -> dict[str, Json]:
    """Return all the luck of a match: the order of the cards."""
    return {"options": check_table(seats, options), "cards": shuffled(CARDS[seats], rng)}


def check_table(seats: int, options: Json) -> dict[str, Json]:
    """Return all rule options.  Raises ValueError for seats or options that the game does not have."""
    check_seats("toy", SEATS, seats)
    return complete_options("toy", OPTIONS, options)


def start(deal: Mapping[str, Json], seats: int) -> Step[State]:
    """Return the first state and its events.  Raises ValueError for a deal that cannot happen."""
    check_seats("toy", SEATS, seats)
    check_keys(deal, ["cards"])
    options = check_table(seats, deal.get("options", {}))
    check_order("cards", deal["cards"], CARDS[seats])
    hands = tuple(tuple(deal["cards"][seat::seats]) for seat in range(seats))
    private = {seat: {"hand": [*hand]} for seat, hand in enumerate(hands)}
    return Step(State(options["rounds"], hands), (Event("start", {"options": options}, private),))


def complete_deal(deal: Mapping[str, Json], seats: int) -> dict[str, Json]:
    """Return *deal*, of which a test wrote only the beginning, with all other cards behind it."""
    written = deal.get("cards", [])
    return {**deal, "cards": [*written, *(card for card in CARDS[seats] if card not in written)]}
