"""The points of lights and collections, and the final ranking (SQ29 to SQ32)."""

from __future__ import annotations

from collections.abc import Iterable

from engines.game import Outcome
from engines.stella_quest.cards import BIT_OF, JEWELS_OF, codes_of
from engines.stella_quest.players import NOBODY
from engines.stella_quest.turns import ENLIGHTENED, Turns

__all__ = ["breakdown", "jewels", "outcome"]


def jewels(collection: Iterable[str]) -> int:
    """Count the jewels on the cards whose number occurs once in *collection* (SQ31)."""
    return _count(codes_of(collection))


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
    for seat, lights in enumerate(state.lights):
        worth = _count(state.collections[seat])
        told.append({"lights": lights, "jewels": worth, "total": lights + worth})
    return told


def outcome(state: Turns) -> Outcome:
    """Return the final ranking (Q12): an enlightened seat is first, an eliminated seat is last."""
    points = [lights + _count(state.collections[seat]) for seat, lights in enumerate(state.lights)]
    standing = [0] * len(points)
    if state.ended_by != NOBODY:
        standing[state.ended_by] = 1 if state.ending == ENLIGHTENED else -1
    return Outcome(Outcome.ranked(standing, points).ranks, tuple(points))
