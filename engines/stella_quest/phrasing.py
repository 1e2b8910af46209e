"""What people read: cards and moves in words, and what a seat is asked to do."""

from collections.abc import Mapping
from typing import Final

from engines.game import Json, Move
from engines.stella_quest.cards import BREAK, COLOURS, NUMBERS

_ASKED: Final = {
    "play": "Play a card from your hand",
    "take": "You win the round: take a card from the table",
    "top": "Choose the card that lies on top of the discards: its colour is the next trump",
}
_SAID: Final = {"play": "Play {}", "take": "Take {}", "top": "Put {} on top"}
_NAMES: Final = (
    {card: f"{COLOURS[f'{card[0]}?']} {number}" for card, number in NUMBERS.items()}
    | {back: f"a {colour} card" for back, colour in COLOURS.items()}
    | {BREAK: "a Break Card"}
)


def ask(view: Mapping[str, Json]) -> str:
    """Return what the seat of *view* is asked to do."""
    return _ASKED.get(view["step"], "")


def say(view: Mapping[str, Json], option: str) -> str:
    """Return *option* in words."""
    verb, _, card = option.partition(" ")
    return _SAID[verb].format(in_words(card)) if card else "Burn a light and draw three cards"


def kind_of(view: Mapping[str, Json], move: Move) -> str:
    """Return of what kind the decision for *move* is."""
    if move == "draw":
        return "burn a light to draw"
    if view["step"] == "play":
        return "follow in a round" if view["table"] else "lead a round"
    return "take a card" if view["step"] == "take" else "choose the trump"


def in_words(name: str) -> str:
    """Return a card, "B4" or "XX", or the back of one, "B?", in words; other text as it is."""
    return _NAMES.get(name, name)
