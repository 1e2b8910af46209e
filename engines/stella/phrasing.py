"""What people read: what a seat is asked to do, and its moves in words."""

from collections.abc import Mapping
from typing import Final

from engines.game import Json
from engines.stella.moves import FEWEST, MOST, SHOW_WORD
from engines.stella.scenes import name_picture, picture_names

_ASKED: Final = {
    "vote": "Keep the word, or turn the card",
    "associate": f"Cross {FEWEST} to {MOST} pictures that go with the word",
    "show": "Show a picture that you have crossed",
}


def ask(view: Mapping[str, Json]) -> str:
    """Return what the seat of *view* is asked to do."""
    return _ASKED.get(view["step"], "")


def say(view: Mapping[str, Json], option: str) -> str:
    """Return *option* in words: a picture by its name, or its sentence if it has none."""
    if view["step"] == "vote":
        keep, flip = view["words"]
        return f"Keep {keep}" if option == "keep" else f"Turn to {flip}"
    name = option.removeprefix(SHOW_WORD)
    return next((name_picture(name, each["text"]) for each in view["grid"] if each["id"] == name), option)


def in_words(name: str) -> str:
    """Return *name* unchanged: pictures of a custom deck have no other name."""
    return name


def name_ours(name: str) -> str:
    """Return the name of a picture of our deck, `c01`, for people; other text as it is."""
    return picture_names().get(name, name)
