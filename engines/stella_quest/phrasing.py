"""What people read: cards and moves in words, and what a seat is asked to do."""

from collections.abc import Mapping
from random import Random
from typing import Final

from engines.game import Json, Move
from engines.page import plural
from engines.stella_quest.cards import BREAK, COLOURS, JEWELS, NUMBERS
from engines.stella_quest.imagination import imagine
from engines.stella_quest.table import DRAWN, HAND

_ASKED: Final = {
    "play": "Play a card",
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
    asked = imagine(view, Random(0)).asked.get(view["turn"])
    may_draw = asked is not None and "draw" in asked.options
    return _ASKED.get(view["step"], "") + (f", or burn a light for {_new_cards(view)}" if may_draw else "")


def say(view: Mapping[str, Json], option: str) -> str:
    """Return *option* in words."""
    verb, _, card = option.partition(" ")
    if card:
        return _SAID[verb].format(in_words(card))
    return f"Burn a light ({view['lights'][view['turn']]} left): draw {_new_cards(view)}"


def cost(view: Mapping[str, Json], option: str) -> str:
    """Return the lights and jewels that *option* costs; of a card that is played it is not sure."""
    verb, _, card = option.partition(" ")
    lights = view["lights"][view["turn"]]
    held = [NUMBERS[each] for each in view["collections"][view["turn"]]]
    if verb == "draw":
        return f"burns one of your {lights} lights"
    if verb != "take" or NUMBERS[card] not in held:
        return ""
    price = JEWELS[card]
    last = plural(lights, "light").removeprefix("1 ")
    paid = f"{price} of your {lights} lights" if price < lights else f"your last {last}"
    lost = " and your jewels of this number" if held.count(NUMBERS[card]) == 1 else ""
    end = "" if price < lights else ". You come last"
    return f"costs {paid}{lost}: you hold number {NUMBERS[card]} already{end}"


def _new_cards(view: Mapping[str, Json]) -> str:
    """Return how many cards a light brings now."""
    return ("a card", "two cards", "three cards")[min(DRAWN, HAND - view["hands"][view["turn"]]) - 1]


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
