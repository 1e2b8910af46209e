"""The points of a round."""

from typing import Final

SPARK: Final = 2
"""Stars for a card that the scout and at least two others crossed (SD7)."""
SUPER_SPARK: Final = 3
"""Stars for a card that the scout and exactly one other seat crossed."""
NO_SEAT: Final = -1


def find_leader(counts: list[int]) -> int:
    """Return the seat with more crosses than any other, or NO_SEAT (SD5, SD6)."""
    most = max(counts)
    return counts.index(most) if counts.count(most) == 1 else NO_SEAT


def score_round(stars: list[int], sparks: list[int], dark: int, fallen: int) -> list[int]:
    """Return the points of a round: the stars; a seat that fell in the dark loses one per card (SD19).

    *dark* is a seat or NO_SEAT, *fallen* a set of seats.
    """
    points = stars.copy()
    if dark != NO_SEAT and fallen >> dark & 1:
        points[dark] -= sparks[dark]
    return points
