"""What people read: what a seat is asked to do, and its moves in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engines.game import Json
from engines.stella.moves import FEWEST, MOST, SHOW_WORD

__all__ = ["ask", "in_words", "say"]

_ASKED: Final = {
    "vote": "Keep the word, or turn the card",
    "associate": f"Cross {FEWEST} to {MOST} pictures that go with the word",
    "show": "Show a picture that you have crossed",
}


def ask(view: Mapping[str, Json]) -> str:
    """Return what the seat of *view* is asked to do."""
    return _ASKED.get(view["step"], "")


def say(view: Mapping[str, Json], option: str) -> str:
    """Return *option* in words; of a picture its sentence."""
    if view["step"] == "vote":
        keep, flip = view["words"]
        return f"Keep {keep}" if option == "keep" else f"Turn to {flip}"
    return next(
        (each["text"] for each in view["grid"] if each["id"] == option.removeprefix(SHOW_WORD)), option
    )


def in_words(name: str) -> str:
    """Return *name*: the pictures of a deck have none but their own."""
    return name
