"""A game of another package that fails where it is told to: it raises errors, or returns what is none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar
from unittest.mock import patch

from engines import GAMES
from engines.template import Toy
from ladder.machine import plugged_in

PACKAGE = "evil 1.0"


class Unspeakable(Exception):
    """Fails to say what it is."""

    def __str__(self) -> str:
        raise RuntimeError("no words")


def fail(error: Exception) -> Callable[..., Any]:
    """Return a method that raises *error*."""

    def method(*_: Any, **__: Any) -> Any:
        raise error

    return method


def give(junk: Any) -> Callable[..., Any]:
    """Return a method that returns *junk*."""
    return lambda *_, **__: junk


WRONG: dict[str, Callable[..., Any]] = {
    "raises": fail(RuntimeError("no \x1b[31m <b>cards</b>")),
    "says not what": fail(Unspeakable()),
    "None": give(None),
    "bytes": give(b"\xff"),
    "10 MB": give("x" * 10_000_000),
    "control characters": give("\x1b[31m"),
    "wrong shape": give([[1, None], {"x": object()}]),
    "a number": give(7),
}
"""By name, methods that do what no method may."""


class Hostile(Toy):
    """Plays as Toy does."""

    name: ClassVar[str] = "hostile"


@contextmanager
def hostile_game(**methods: Callable[..., Any]) -> Iterator[Toy]:
    """Let another package offer a game with these *methods*."""
    game = type("Hostile", (Hostile,), {**methods, "__module__": __name__})()
    with (
        patch.dict(GAMES._games, {"hostile": game}),
        patch.dict(GAMES._packages, {"hostile": PACKAGE}),
        patch.object(plugged_in, "WARNED", set()),
    ):
        yield game
