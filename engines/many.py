"""Many positions at once, for programs that learn: rows of numbers, masks of options, playing on."""

import json
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from engines.columns import FORMATS
from engines.position import Policy, Position


def write_rows(positions: Sequence[Position], buffer: Any, seats: Sequence[Any] | None = None) -> None:
    """Write what a seat sees of each position into a row of *buffer*: the seat that is asked, or of *seats*.

    *buffer* has two dimensions and any type that Position.numbers takes, as numpy.empty((n, columns), "f").
    Raises TypeError for what is no buffer, ValueError for another one, and what Position.numbers raises.
    """
    if seats is not None and len(seats) != len(positions):
        raise ValueError(f"expected a seat for each of {len(positions)} positions, got {len(seats)}")
    room, width = _open_rows(buffer, len(positions))
    for at, position in enumerate(positions):
        seat = position.seat if seats is None else int(seats[at])  # numpy's own are none
        position.numbers(seat, room[at * width : (at + 1) * width])


def write_masks(positions: Sequence[Position], buffer: Any, places: Mapping[str, int] | None = None) -> None:
    """Write 1 at the options of the seat that is asked into each row of *buffer*, and else 0.

    *buffer* has two dimensions, as numpy.empty((n, words), "b").  The place of an option is its number where
    the game says `options_are_places`; else *places* says where each word of the vocabulary is.  Raises
    TypeError for what is no buffer, and ValueError for another one.
    """
    room, width = _open_rows(buffer, len(positions))
    room.cast("B")[:] = bytes(room.nbytes)
    for at, position in enumerate(positions):
        row, options = room[at * width : (at + 1) * width], position.options()
        if places is not None and not position.over:
            words = json.loads(position.write_choice(position.seat))["options"]
            options = [places[word] for word in words]
        for option in options:
            if option >= width:
                raise ValueError(f"expected a column for each word of the vocabulary, got {width}")
            row[option] = 1


def play_on_all(
    positions: Sequence[Position], rng: Random, policy: Policy | None = None, rounds: int = 1
) -> list[Position]:
    """Play a copy of each position on, as Position.play_on does; return them in their order.

    Each has a generator of its own, seeded from *rng* in their order: two halves of a list, one after the
    other, are played as the whole.
    """
    return [position.play_on(Random(int(rng.random() * 2**53)), policy, rounds) for position in positions]


def flags_of(places: Sequence[int], size: int) -> bytearray:
    """Return *size* bytes: 1 at *places*, else 0."""
    flags = bytearray(size)
    for place in places:
        flags[place] = 1
    return flags


def _open_rows(buffer: Any, rows: int) -> tuple[memoryview, int]:
    """Return *buffer*, which must have *rows* rows, as a single one, and the width of each."""
    room: Any = memoryview(buffer)  # of whatever type of numbers
    sound = not room.readonly and room.c_contiguous and room.ndim == 2 and room.format in f"?{FORMATS}"
    if not sound or room.shape[0] != rows:
        found = f"format {room.format!r}, shape {room.shape}"
        raise ValueError(f"expected a writable buffer of {rows} rows of numbers, got one of {found}")
    if not room.nbytes:  # it cannot be cast
        return memoryview(bytearray(1))[:0], 0
    return room.cast("B").cast(room.format), room.shape[1]
