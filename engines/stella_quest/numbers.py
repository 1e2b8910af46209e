"""Moves and views as numbers, for programs that learn."""

from __future__ import annotations

from collections.abc import Mapping

from engines.game import Json
from engines.stella_quest.moves import MOVES

__all__ = ["vocabulary"]


def vocabulary(seats: int, options: Mapping[str, Json]) -> tuple[str, ...]:
    """Return the notation of every option, at the place that is its number.

    Two of them are never offered: no Break Card is taken, and none is chosen as the top.
    """
    return tuple(MOVES)
