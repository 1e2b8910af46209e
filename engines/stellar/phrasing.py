"""What people read: cards, places and moves in words, and what a seat is asked to do."""

from collections.abc import Mapping
from random import Random
from typing import Final

from engines.game import Json, Move
from engines.page import either, plural
from engines.stellar.cards import CARDS, DOWN, SIX_ZERO
from engines.stellar.imagination import imagine
from engines.stellar.moves import NOTEBOOK, PLAYS

_ASKED: Final = {
    "starter": "Choose the card that starts your telescope; the other one goes into your notebook",
    "wipe": "Keep the row, or have five new cards",
    "take": "Take a card from the row",
    "play": "Play a card from your hand {ways}: choose it and its place",
    "place": "Place the {card} {ways} in your telescope",
    "final": "Choose a last card for your notebook; the other one is thrown away",
}
_KINDS: Final = {
    "starter": "choose the first card",
    "wipe": "keep the row or not",
    "take": "take a card",
    "place": "place the matching card",
    "final": "keep a last card",
}
_ROWS: Final = {"T": "top", "M": "mid", "B": "low"}
_TYPES: Final = {
    "P": "planet",
    "M": "moon",
    "A": "asteroid",
    "C": "cloud",
    "B": "black hole",
    None: "satellite",
}


def ask(view: Mapping[str, Json]) -> str:
    """Return what the seat of *view* is asked to do."""
    asked = imagine(view, Random(0)).asked.get(view["seat"])
    plays = [PLAYS[option] for option in asked.options if option in PLAYS] if asked else []
    ways = {
        "face up": any(play.slot != NOTEBOOK and play.lies == play.card for play in plays),
        "face down": any(play.lies != play.card for play in plays),
        "into the notebook": any(play.slot == NOTEBOOK for play in plays),
    }
    may = either([way for way, is_open in ways.items() if is_open] or [""])
    return _ASKED.get(view["step"], "").format(ways=may, card=in_words(view.get("waiting") or ""))


def say(view: Mapping[str, Json], option: str) -> str:
    """Return *option* in words."""
    if option == "keep":
        return "Keep the row"
    if option == "wipe":
        return "Have five new cards"
    if view["step"] == "take":
        return f"Take the {in_words(view['row'][int(option.split()[1]) - 1])}"
    if view["step"] == "starter":
        return f"Start with the {in_words(PLAYS[option].card)}"
    if view["step"] == "final":
        return f"Keep the {in_words(PLAYS[option].card)}"
    words = in_words(option)
    return words[0].upper() + words[1:]


def kind_of(view: Mapping[str, Json], move: Move) -> str:
    """Return of what kind the decision for *move* is."""
    if view["step"] != "play":
        return _KINDS[view["step"]]
    if PLAYS[str(move)].slot == NOTEBOOK:
        return "play to the notebook"
    return "play face down" if str(move).endswith(DOWN) else "play face up"


def in_words(name: str) -> str:
    """Return a card, "P4.1", or a move that plays one, "P4.1@M2 down", in words; other text as it is."""
    card, at, place = name.partition("@")
    if card not in CARDS:
        return name
    kind, number, stars = CARDS[card]
    words = f"{_TYPES[kind]} {number}"
    if kind and number == SIX_ZERO:
        words += "/0"
    if stars:
        words += f" with {plural(stars, 'star')}"
    if not at:
        return words
    if place == NOTEBOOK:
        return f"{words} into the notebook"
    slot = place.removesuffix(DOWN)
    return f"{words} on {name_slot(slot)}" + (", face down" if slot != place else "")


def name_slot(slot: str) -> str:
    """Return what people call a slot of a telescope: T1 is "top 1", so that no slot looks like a card."""
    return f"{_ROWS[slot[0]]} {slot[1:]}"
