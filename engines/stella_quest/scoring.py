"""The points of lights and collections, and the final ranking (SQ29 to SQ32)."""

from collections.abc import Iterable
from typing import Final

from engines.stella_quest.cards import BIT_OF, JEWELS_OF, codes_of
from engines.stella_quest.players import NOBODY
from engines.stella_quest.turns import ENLIGHTENED, Turns

_FIRST: Final = 1000
_LAST: Final = -1
"""Stand for the points of a seat whose place is sure: more, or less, than any other has."""


def jewels(collection: Iterable[str]) -> int:
    """Count the jewels on the cards whose number occurs once in *collection* (SQ31)."""
    return _count(codes_of(collection))


def numbers(collection: Iterable[str]) -> int:
    """Count the different numbers in *collection*."""
    return len({BIT_OF[card] for card in codes_of(collection)})


def _count(collection: list[int]) -> int:
    """Return what jewels() does, from codes."""
    held = again = 0
    for card in collection:
        again |= held & BIT_OF[card]
        held |= BIT_OF[card]
    total = 0
    for card in collection:
        if not again & BIT_OF[card]:
            total += JEWELS_OF[card]
    return total


def breakdown(state: Turns) -> list[dict[str, int]]:
    """Return for every seat its lights, its jewels and their total, which are its points, at any time."""
    told: list[dict[str, int]] = []
    for lights, total in zip(state.lights, points(state), strict=True):
        told.append({"lights": lights, "jewels": total - lights, "total": total})
    return told


def points(state: Turns) -> list[int]:
    """Return the points of every seat: its lights and its jewels."""
    return [lights + _count(state.collections[seat]) for seat, lights in enumerate(state.lights)]


def standing(state: Turns) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return ranks and points (Q12): an enlightened seat is first, an eliminated seat is last."""
    totals = points(state)
    keys = totals.copy()
    if state.ended_by != NOBODY:
        keys[state.ended_by] = _FIRST if state.ending == ENLIGHTENED else _LAST
    return tuple([1 + sum([other > own for other in keys]) for own in keys]), tuple(totals)
