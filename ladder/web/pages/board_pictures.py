"""Boards that a page shows: a game that fails to draw one costs its picture, never the page."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from inspect import signature
from typing import Any

from engines.drawing import Picture, draw_text
from engines.game import Game, Json, MovePart

__all__ = ["ask_person", "draw_board", "parts_clicked", "say_option"]

log = logging.getLogger(__name__)


def draw_board(game: Game[Any], *views: Mapping[str, Json], names: Sequence[str] = ()) -> Picture:
    """Return game.draw(*views, names=names), or the views in words if that raises: plug-ins draw, too."""
    try:
        # a game whose `draw` takes views alone, as all did once, numbers its seats
        picture = game.draw(*views, names=names) if _takes_names(type(game)) else game.draw(*views)
        if not isinstance(picture, Picture):
            raise TypeError(f"draw returned {type(picture).__name__}, not a Picture")
    except Exception as error:
        _warn(game.name, f"cannot draw a view, which is shown as text: {type(error).__name__}: {error}")
        return draw_text(game.name, [game.text(view) for view in views])
    return picture


@cache
def _takes_names(game: type[Game[Any]]) -> bool:
    try:
        signature(game.draw).bind(None, {}, names=())
    except (TypeError, ValueError):  # ValueError: the signature of a compiled function is not known
        return False
    return True


def parts_clicked(game: Game[Any], view: Mapping[str, Json], option: str) -> list[MovePart]:
    """Return the parts of the board that together mean *option*, as Game.parts_of; none if that raises."""
    try:
        if not hasattr(game, "parts_of"):  # it fits the interface without having it from Game
            part = game.part_of(view, option)
            return [] if part is None else [MovePart(option, (part,))]
        return [MovePart(str(part.name), tuple(map(str, part.keys))) for part in game.parts_of(view, option)]
    except Exception as error:
        _warn(game.name, f"cannot say what option {option!r} means: {type(error).__name__}: {error}")
        return []


def ask_person(game: Game[Any], view: Mapping[str, Json]) -> str:
    """Return game.ask(view); "" if the game has no words for it, or if that raises."""
    try:
        return str(game.ask(view)) if hasattr(game, "ask") else ""
    except Exception as error:
        _warn(game.name, f"cannot say what a seat is asked: {type(error).__name__}: {error}")
        return ""


def say_option(game: Game[Any], view: Mapping[str, Json], option: str) -> str:
    """Return game.say(view, option); the option itself if the game has no words for it, or if that raises."""
    try:
        return str(game.say(view, option)) if hasattr(game, "say") else option
    except Exception as error:
        _warn(game.name, f"cannot say option {option!r} in words: {type(error).__name__}: {error}")
        return option


@lru_cache(maxsize=64)
def _warn(game: str, what: str) -> None:
    """Log *what*, once: a match has hundreds of boards."""
    log.warning("game %s %s", game, what)
