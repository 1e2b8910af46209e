"""Places on the grid, and sets of places or seats.

A set of places is an integer whose highest bit is the first place; so are the crosses of a seat.  A set of
seats is an integer whose lowest bit is seat 0.
"""

from typing import Final

ROUNDS: Final = 4
PLACES: Final = 15
EVERYWHERE: Final = (1 << PLACES) - 1
_ROW: Final = 5
_LOW: Final = 8  # places are looked up in two parts, because one table would be large
_IN_LOW: Final = (1 << _LOW) - 1

BIT_OF: Final[list[int]] = [1 << bit for bit in reversed(range(PLACES))]
"""The set of each place alone."""
_HIGH_PLACES: Final[list[list[int]]] = [
    [place for place, bit in enumerate(BIT_OF) if places << _LOW & bit]
    for places in range(1 << PLACES - _LOW)
]
_LOW_PLACES: Final[list[list[int]]] = [
    [place for place, bit in enumerate(BIT_OF) if places & bit] for places in range(1 << _LOW)
]
SEATS_IN: Final[list[list[int]]] = [
    [seat for seat in range(6) if seats >> seat & 1] for seats in range(1 << 6)
]
"""The seats in each set of seats, in order."""


def places_in(places: int) -> list[int]:
    """Return the places in a set, in order."""
    return _HIGH_PLACES[places >> _LOW] + _LOW_PLACES[places & _IN_LOW]


def seat_set(seats: list[int]) -> int:
    together = 0
    for seat in seats:
        together |= 1 << seat
    return together


def places_of_round(number: int) -> range:
    """Return the places that get new cards: all, then the bottom, middle and top row (SD22, D6)."""
    return range(PLACES) if number == 1 else range(PLACES - _ROW * (number - 1), PLACES - _ROW * (number - 2))
