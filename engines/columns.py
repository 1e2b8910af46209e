"""Columns: what the numbers are that a position writes of a view, and how they come into a buffer.

The numbers of a view have a fixed size for a game, a table size and its rule options.  All are whole and at
least 0.  The seat that sees the view comes first, then the others clockwise.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

FORMATS: Final = "bBhHiIlLqQfd"
"""The types of numbers that a buffer may have, as in the module array."""


class ViewColumn(NamedTuple):
    """A column of the numbers of a view."""

    name: str
    """A field, then which of its numbers, such as `row.3` or `lights.0`; 0 is the own seat."""
    most: int
    """The largest number; the smallest is 0."""
    code: bool
    """Whether a number stands for something, such as a card.  Else it is a quantity."""
    about: str
    """What the field is, with its unit."""


Field: TypeAlias = tuple[str, Iterable[str], int, bool, str]
"""A field: its name, the names of its numbers ([""] for a single one), then what ViewColumn says of each."""


def count(name: str, most: int, about: str, parts: Iterable[str] = ("",)) -> Field:
    """Return a field of quantities, at most *most* each; without *parts* it is a single number."""
    return name, parts, most, False, about


def code(name: str, most: int, about: str, parts: Iterable[str] = ("",)) -> Field:
    """Return a field of numbers that stand for something, such as cards; else as count."""
    return name, parts, most, True, about


def no_numbers(game: str) -> NotImplementedError:
    """Return the error of a *game* whose views cannot be written as numbers: it says what to write."""
    return NotImplementedError(
        f"{game} has no numbers: implement columns(seats, options) and numbers(view) in its class"
    )


def no_vocabulary(game: str) -> NotImplementedError:
    """Return the error of a *game* that does not list its moves: it says what to write."""
    return NotImplementedError(
        f"{game} does not list its moves: implement vocabulary(seats, options) in its class"
    )


def list_columns(fields: Iterable[Field]) -> tuple[ViewColumn, ...]:
    """Return the columns of *fields*, in their order."""
    return tuple(
        [
            ViewColumn(f"{field}.{part}" if part else field, most, code, about)
            for field, parts, most, code, about in fields
            for part in parts
        ]
    )


def names_by_seat(seats: int, names: Iterable[str] = ("",)) -> list[str]:
    """Return the *names* of the numbers that each seat has: those of the own seat, 0, come first."""
    each = [*names]
    return [f"{seat}.{name}" if name else f"{seat}" for seat in range(seats) for name in each]


def clear_buffer(buffer: Any, columns: int) -> memoryview:
    """Return *buffer*, in which there is room for just that many *columns*, with all its numbers set to 0.

    It may be an array, a row of numpy or another buffer of one dimension.  Raises ValueError for any other.
    """
    try:
        room = memoryview(buffer)
    except TypeError:
        kind = type(buffer).__name__
        raise ValueError(
            f"expected a buffer, such as array('f', bytes(4 * {columns})), got: {kind}"
        ) from None
    if room.readonly or not room.c_contiguous or room.ndim != 1 or room.format not in FORMATS:
        found = f"format {room.format!r}, {room.ndim} dimensions"
        raise ValueError(f"expected a writable buffer of numbers in one row, got one of {found}")
    if len(room) != columns:
        raise ValueError(f"expected a buffer of {columns} numbers, one for each column, got {len(room)}")
    room.cast("B")[:] = bytes(room.nbytes)
    return room


def write_counts(out: memoryview, at: int, codes: list[int]) -> None:
    """Write from *at* on how many of each code are in *codes*, which are sorted."""
    before, copies = -1, 0
    for code in codes:
        copies = copies + 1 if code == before else 1
        before = code
        out[at + code] = copies


def write_row(buffer: Any, numbers: Sequence[int]) -> None:
    """Write *numbers* into *buffer*.  Raises ValueError as clear_buffer does."""
    room = clear_buffer(buffer, len(numbers))
    for at, number in enumerate(numbers):
        if number:
            room[at] = number
