"""Boards that a page shows: a game that fails to draw one costs its picture, never the page."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from engines.drawing import Picture, draw_text
from engines.game import Game, Json

__all__ = ["draw_board", "part_clicked"]

log = logging.getLogger(__name__)


def draw_board(game: Game[Any], *views: Mapping[str, Json]) -> Picture:
    """Return game.draw(*views), or the views in words if that raises: plug-ins draw, too."""
    try:
        picture = game.draw(*views)
        if not isinstance(picture, Picture):
            raise TypeError(f"draw returned {type(picture).__name__}, not a Picture")
    except Exception as error:
        _warn(game.name, f"cannot draw a view, which is shown as text: {type(error).__name__}: {error}")
        return draw_text(game.name, [game.text(view) for view in views])
    return picture


def part_clicked(game: Game[Any], view: Mapping[str, Json], option: str) -> str:
    """Return the key of the part of the board that means *option*; "" if there is none, or if that raises."""
    try:
        return game.part_of(view, option) or ""
    except Exception as error:
        _warn(game.name, f"cannot say what option {option!r} means: {type(error).__name__}: {error}")
        return ""


@lru_cache(maxsize=64)
def _warn(game: str, what: str) -> None:
    """Log *what*, once: a match has hundreds of boards."""
    log.warning("game %s %s", game, what)
