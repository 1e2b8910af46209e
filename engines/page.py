"""Format views as text: the parts that all games share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engines.types import Json, Seat

__all__ = ["page", "seat_name"]


def page(parts: Iterable[Iterable[str]]) -> str:
    """Join the lines of all *parts*, with an empty line between parts."""
    return "\n\n".join("\n".join(line.rstrip() for line in part) for part in parts) + "\n"


def seat_name(view: Mapping[str, Json], seat: Seat) -> str:
    """Return "Seat 2", or "Seat 2 (you)" if *view* belongs to that seat."""
    return f"Seat {seat} (you)" if view.get("seat") == seat else f"Seat {seat}"
