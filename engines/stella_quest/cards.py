"""The cards, from the data file beside this module.

A card and a back have a name, "B4" and "B?", and a code, a small integer.  Names are what bots and records
read; the rules work with codes.  Codes are in the order of the names, so a sorted list of codes is a sorted
list of names, and replacing each card by its back keeps it sorted.  A table by code is called BACK_OF,
NUMBER_OF and so on.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

_data: dict[str, Any] = json.loads((Path(__file__).parent / "deck.json").read_text("utf-8"))
_printed = [(letter, line) for letter in _data["colours"] for line in _data["cards_of_a_colour"]]

BREAK: Final[str] = _data["break_card"]["name"]
"""The name of a Break Card, and of its back."""
COLOURS: Final = {f"{letter}?": colour for letter, colour in _data["colours"].items()}
"""The backs of Emotion Cards, and their colours."""
NUMBERS: Final[dict[str, int]] = {f"{letter}{line['number']}": line["number"] for letter, line in _printed}
JEWELS: Final[dict[str, int]] = {f"{letter}{line['number']}": line["jewels"] for letter, line in _printed}
"""The jewels of every different Emotion Card."""
EMOTIONS: Final = tuple(NUMBERS)
"""Every different Emotion Card, in the order of the options (Q13)."""
BACKS: Final = {card: f"{card[0]}?" for card in EMOTIONS} | {BREAK: BREAK}
"""The back of every card."""
DECK: Final = tuple(
    sorted(
        [f"{letter}{line['number']}" for letter, line in _printed for _ in range(line["copies"])]
        + [BREAK] * _data["break_card"]["copies"]
    )
)
"""The names of all 54 cards, sorted."""

# -- by code

NO_CARD: Final = -1
"""Stands where a card may be and none is."""
NAMES: Final[list[str]] = sorted(BACKS)
"""The name of each card."""
CODES: Final[dict[str, int]] = {name: code for code, name in enumerate(NAMES)}
"""The code of each card."""
BREAK_CARD: Final = 18
"""The code of a Break Card."""
assert CODES[BREAK] == BREAK_CARD

NO_BACK: Final = -1
"""Stands where a colour may be and none is."""
BACK_NAMES: Final[list[str]] = sorted(set(BACKS.values()))
"""The name of each back, which shows the colour."""
BACK_CODES: Final[dict[str, int]] = {name: code for code, name in enumerate(BACK_NAMES)}
"""The code of each back."""
BREAK_BACK: Final = 3
"""The code of a Break Card's back."""
assert BACK_CODES[BREAK] == BREAK_BACK
BACK_OF: Final[list[int]] = [BACK_CODES[BACKS[name]] for name in NAMES]
BIT_OF: Final[list[int]] = [1 << NUMBERS.get(name, 0) for name in NAMES]
"""The bit of each card's number: a set of numbers is an integer.  Bit 0 is that of a Break Card."""
JEWELS_OF: Final[list[int]] = [JEWELS.get(name, 0) for name in NAMES]


def codes_of(names: Iterable[str]) -> list[int]:
    return [CODES[name] for name in names]


def names_of(codes: Iterable[int]) -> list[str]:
    return [NAMES[code] for code in codes]


def backs_of(codes: Iterable[int]) -> list[str]:
    """Return the names of backs with these *codes*."""
    return [BACK_NAMES[code] for code in codes]
