"""Views in words: what the pages of all games have in common."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engines.game import Json, Seat

__all__ = ["page", "seat_name"]


def page(parts: Iterable[Iterable[str]]) -> str:
    """Return the lines of all *parts*, with an empty line between them."""
    return "\n\n".join("\n".join(line.rstrip() for line in part) for part in parts) + "\n"


def seat_name(view: Mapping[str, Json], seat: Seat) -> str:
    """Return "Seat 2", or "Seat 2 (you)" to whom the view belongs."""
    return f"Seat {seat} (you)" if view.get("seat") == seat else f"Seat {seat}"
