"""Moves and views as numbers, for programs that learn."""

from __future__ import annotations

from collections.abc import Mapping

from engines.game import Json
from engines.starry_sky.moves import MOVES

__all__ = ["vocabulary"]


def vocabulary(seats: int, options: Mapping[str, Json]) -> tuple[str, ...]:
    """Return the notation of every option, at the place that is its number."""
    return tuple(MOVES)
