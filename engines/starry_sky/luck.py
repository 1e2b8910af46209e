"""The luck of a match: making a deal, and refusing one that cannot happen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Final

from engines.game import Event, Json, Step, below, shuffled
from engines.starry_sky.boards import NAMES
from engines.starry_sky.moves import choice
from engines.starry_sky.state import EMPTY, State, free_stars
from engines.starry_sky.tokens import ALL

__all__ = ["OPTIONS", "SEATS", "completed", "deal", "started"]

SEATS: Final = range(3, 6)
OPTIONS: Final[dict[str, tuple[Json, ...]]] = {}
"""The rule options: none."""
_KEYS: Final = {"options", "first", "boards"}


def deal(seats: int, rng: Random, options: Mapping[str, Json]) -> dict[str, Json]:
    """Return a random deal."""
    _check_seats(seats)
    _check_options(options)
    return {"options": {}, "first": below(seats, rng), "boards": shuffled(NAMES, rng)}


def completed(part: Mapping[str, Json]) -> dict[str, Json]:
    """Return the deal that begins like *part*, written by hand: "boards" may hold only its first names.

    The other boards follow in the order of the data file; seat 0 begins.
    """
    boards = list(part.get("boards", ()))
    rest = [name for name in NAMES if name not in boards]
    return {"options": {}, "first": 0} | dict(part) | {"boards": boards + rest}


def started(deal: Mapping[str, Json], seats: int) -> Step[State]:
    """Return the first state of a match on *deal*; raise ValueError for an impossible one (B13)."""
    _check_seats(seats)
    _check_keys(deal)
    _check_options(deal.get("options", {}))
    first, names = deal["first"], deal["boards"]
    if type(first) is not int or first not in range(seats):
        raise ValueError(f"expected first to be a seat from 0 to {seats - 1}, got: {first!r}")
    _check_boards(names)
    boards = tuple(EMPTY[name] for name in names[:seats])
    free = free_stars(boards)
    mine: tuple[dict[str, str], ...] = ({},) * seats
    asked = {first: choice(free, ALL)}
    state = State(
        first, 0, tuple(names[seats:]), boards, free, (ALL,) * seats, (0,) * seats, mine, {}, (), asked
    )
    return Step(state, (Event("start", {"options": {}, "first": first, "boards": list(names[:seats])}),))


def _check_seats(seats: int) -> None:
    if type(seats) is not int or seats not in SEATS:
        raise ValueError(f"starry-sky is played by 3 to 5, got seats: {seats!r}")


def _check_keys(deal: Mapping[str, Json]) -> None:
    if strange := sorted(deal.keys() - _KEYS):
        raise ValueError(f"expected the keys {sorted(_KEYS)}, got also: {strange[0]!r}")
    if missing := sorted(_KEYS - deal.keys() - {"options"}):
        raise ValueError(f"expected a deal with {missing[0]!r}")


def _check_options(options: Json) -> None:
    if not isinstance(options, Mapping):
        raise ValueError(f"expected options as an object, got: {options!r}")
    for key in options:
        raise ValueError(f"expected no options, for starry-sky has none, got: {key!r}")


def _check_boards(names: Json) -> None:
    """Raise ValueError, naming a board, unless *names* are the twelve in any order."""
    if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
        raise ValueError(f"expected boards as a list of names, got: {names!r:.80}")
    have = Counter(names)
    if strange := sorted(have.keys() - set(NAMES)):
        raise ValueError(f"expected boards of {list(NAMES)}, got: {strange[0]!r:.80}")
    for name in NAMES:
        if have[name] != 1:
            raise ValueError(f"expected boards to hold {name!r} once, got it {have[name]} times")
