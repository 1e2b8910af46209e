"""Boards that a page shows: a game that fails to draw one costs its picture, never the page."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, TypeVar

from engines.drawing import Picture, draw_text
from engines.game import Game, Json, MovePart
from engines.wording import takes

__all__ = [
    "ask_person",
    "candidates",
    "draw_board",
    "parts_clicked",
    "say_option",
    "say_options",
    "sketch_event",
]

T = TypeVar("T")
log = logging.getLogger(__name__)


def draw_board(game: Game[Any], *views: Mapping[str, Json], names: Sequence[str] = ()) -> Picture:
    """Return game.draw(*views, names=names), or the views in words if that raises: plug-ins draw, too."""
    try:
        # a game whose `draw` takes views alone, as all did once, numbers its seats
        picture = (
            game.draw(*views, names=names) if takes(type(game), "draw", 1, "names") else game.draw(*views)
        )
        if not isinstance(picture, Picture):
            raise TypeError(f"draw returned {type(picture).__name__}, not a Picture")
    except Exception as error:
        _warn(game.name, f"cannot draw a view, which is shown as text: {type(error).__name__}: {error}")
        return draw_text(game.name, [game.text(view) for view in views])
    return picture


def parts_clicked(game: Game[Any], view: Mapping[str, Json], option: str) -> list[MovePart]:
    """Return the parts of the board that together mean *option*, as Game.parts_of; none if that raises."""

    def parts() -> list[MovePart]:
        found = _method(game, "parts_of")(view, option)
        return [MovePart(str(part.name), tuple(map(str, part.keys))) for part in found]

    return _call_safely(game, "cannot say what its options mean", parts, [])


def candidates(game: Game[Any], view: Mapping[str, Json]) -> list[list[str]]:
    """Return the keys of the things among which a seat chooses, as Game.candidates; none if that raises."""

    def find() -> list[list[str]]:
        return [[str(key) for key in keys] for keys in _method(game, "candidates")(view)]

    return _call_safely(game, "cannot say among what a seat chooses", find, [])


def ask_person(game: Game[Any], view: Mapping[str, Json]) -> str:
    """Return game.ask(view); "" if that raises."""
    return _call_safely(game, "cannot say what a seat is asked", lambda: str(_method(game, "ask")(view)), "")


def say_option(game: Game[Any], view: Mapping[str, Json], option: str) -> str:
    """Return game.say(view, option); the option itself if that raises."""
    return _call_safely(
        game, "cannot say its options in words", lambda: str(_method(game, "say")(view, option)), option
    )


def say_options(game: Game[Any], view: Mapping[str, Json], options: Sequence[str]) -> list[str]:
    """Return each of *options* as say_option: a decision may have hundreds, so most are asked for at once."""
    say = _method(game, "say")
    try:
        return [str(say(view, option)) for option in options]
    except Exception:
        return [say_option(game, view, option) for option in options]


def sketch_event(game: Game[Any], event: Mapping[str, Json], options: Mapping[str, Json]) -> list[Picture]:
    """Return the small pictures of *event*, as Game.sketches; none if that raises."""

    def draw() -> list[Picture]:
        pictures = [*_method(game, "sketches")(event, options)]
        if not all(isinstance(picture, Picture) and picture.parts for picture in pictures):
            raise TypeError("sketches returned something else than pictures with parts")
        return pictures

    return _call_safely(game, "cannot draw the things of an event", draw, [])


def _method(game: Game[Any], name: str) -> Callable[..., Any]:
    """Return a method of *game*, or the default where it fits the interface of before without Game."""
    found: Callable[..., Any] = getattr(game, name, None) or partial(getattr(Game, name), game)
    return found


def _call_safely(game: Game[Any], failing: str, tell: Callable[[], T], otherwise: T) -> T:
    """Return what *tell* returns; *otherwise*, with one warning that it is *failing*, if it raises."""
    try:
        return tell()
    except Exception as error:
        _warn(game.name, f"{failing}: {type(error).__name__}: {error}")
        return otherwise


@lru_cache(maxsize=64)
def _warn(game: str, what: str) -> None:
    """Log *what*, once: a match has hundreds of boards."""
    log.warning("game %s %s", game, what)
