"""The points of a round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engines.game import Seat

__all__ = ["SPARK", "SUPER_SPARK", "alone_in_the_lead", "round_scores"]

SPARK: Final = 2
"""Stars for a card that the scout and at least two others crossed (SD7)."""
SUPER_SPARK: Final = 3
"""Stars for a card that the scout and exactly one other seat crossed."""


def alone_in_the_lead(counts: Sequence[int]) -> Seat | None:
    """Return the seat with more crosses than any other, or None (SD5, SD6)."""
    most = max(counts)
    return counts.index(most) if counts.count(most) == 1 else None


def round_scores(
    stars: Sequence[int], sparks: Sequence[int], dark: Seat | None, fallen: Sequence[Seat]
) -> tuple[int, ...]:
    """Return the points of a round: the stars; a seat that fell in the dark loses one per card (SD19)."""
    if dark is None or dark not in fallen:
        return tuple(stars)
    return tuple(filled - sparks[dark] * (seat == dark) for seat, filled in enumerate(stars))
