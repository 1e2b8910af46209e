"""Deals: make a random one, and check one that comes from outside."""

from collections.abc import Mapping
from random import Random
from typing import Final

from engines.deals import check_first, check_keys, check_order, check_seats, complete_options
from engines.dice import below, shuffled
from engines.game import Json
from engines.starry_sky.boards import CODES, NAMES
from engines.starry_sky.state import State, new_state
from engines.starry_sky.turns import JUST_BEGUN

SEATS: Final[range] = range(3, 6)
OPTIONS: Final[dict[str, tuple[Json, ...]]] = {}
"""The rule options: there are none."""
_KEYS: Final = ("first", "boards")


def deal(seats: int, rng: Random, options: Mapping[str, Json]) -> dict[str, Json]:
    check_seats("starry-sky", SEATS, seats)
    chosen = complete_options("starry-sky", OPTIONS, options)
    return {"options": chosen, "first": below(seats, rng), "boards": shuffled(NAMES, rng)}


def complete_deal(part: Mapping[str, Json]) -> dict[str, Json]:
    """Complete a deal of the first boards only: the others follow as in the data; seat 0 begins."""
    boards = list(part.get("boards", ()))
    rest = [name for name in NAMES if name not in boards]
    return {"options": {}, "first": 0} | dict(part) | {"boards": boards + rest}


def begin(deal: Mapping[str, Json], seats: int) -> State:
    """Return the first state of a match.  Raises ValueError for a deal that cannot happen (B13)."""
    check_seats("starry-sky", SEATS, seats)
    check_keys(deal, _KEYS)
    complete_options("starry-sky", OPTIONS, deal.get("options", {}))
    first, names = deal["first"], deal["boards"]
    check_first(first, seats)
    check_order("boards", names, NAMES)
    boards = [CODES[name] for name in names]
    state = new_state(seats, first, boards[:seats], boards[seats:])
    state.last_option = JUST_BEGUN
    return state
