"""Format views as text: the parts that all games share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from engines.types import Json, Seat

__all__ = ["list_items", "page", "seat_name"]

_WIDTH: Final = 100


def page(parts: Iterable[Iterable[str]]) -> str:
    """Join the lines of all *parts*, with an empty line between parts."""
    return "\n\n".join("\n".join(line.rstrip() for line in part) for part in parts) + "\n"


def seat_name(view: Mapping[str, Json], seat: Seat) -> str:
    """Return "Seat 2", or "Seat 2 (you)" if *view* belongs to that seat."""
    return f"Seat {seat} (you)" if view.get("seat") == seat else f"Seat {seat}"


def list_items(label: str, items: Iterable[str], column: int, gap: int) -> Iterator[str]:
    """Yield *items* after *label*, from *column* on with *gap* between them, in as many lines as needed."""
    line = label.ljust(column)
    for item in items:
        if len(line) + len(item) > _WIDTH:
            yield line
            line = " " * column
        line += item + " " * gap
    yield line
