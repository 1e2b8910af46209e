"""The cards and the telescope slots, from the data files beside this module.

Both files are reconstructions, as they say.  No other module knows stars of cards or neighbours of slots.

A card and a slot have a name, "M3.2" and "T1", and a code, a small integer.  Names are what bots and records
read; the rules work with codes.  Codes of cards are in the order of the names, so a sorted list of codes is a
sorted list of names.  A table by code is called KIND_OF, NUMBER_OF and so on.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, NamedTuple

SIX_ZERO: Final = 6
"""The number of a 6/0 card, except where it may be a zero."""
DOWN: Final = " down"
"""The suffix of a card's name, and of a move, when the card lies face down."""
DOWN_NUMBER: Final = 3
"""The number of a card that lies face down."""


class Card(NamedTuple):
    """The print of a card.  A card that lies face down shows 3, no type and no stars."""

    type: str | None
    """P, M, A, C or B; None for a satellite."""
    number: int
    stars: int


def _data(name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((Path(__file__).parent / name).read_text("utf-8"))
    return data


_deck, _slots = _data("deck.json"), _data("slots.json")

TYPES: Final[dict[str, str]] = _deck["types"]
"""The name of each type, in the order of the score pad."""
_printed = [
    (f"{kind}{line['number']}.{line['stars']}", Card(kind, line["number"], line["stars"]), line)
    for kind in TYPES
    for line in _deck["cards_of_a_type"]
]
_satellites = [(f"S{number}", Card(None, number, 0)) for number in _deck["satellites"]]

CARDS: Final[dict[str, Card]] = {name: card for name, card, _ in _printed} | dict(_satellites)
"""Every different card by its name."""
SATELLITES: Final = frozenset(name for name, _ in _satellites)
STARTERS: Final = tuple(sorted(name for name, _, line in _printed if line.get("starter")))
DECK: Final = tuple(
    sorted(
        [name for name, _, line in _printed for _ in range(line["copies"])]
        + [name for name, _ in _satellites]
    )
)
"""The names of all 60 cards, starters included, sorted."""

ROWS: Final[list[list[str]]] = _slots["rows"]
"""The rows of slots, from the top."""
SLOTS: Final = tuple(slot for row in ROWS for slot in row)
BITS: Final = {slot: 1 << bit for bit, slot in enumerate(reversed(SLOTS))}
"""The bit of each slot.  A set of slots is an integer whose highest bit is the top slot."""
ALL_SLOTS: Final = sum(BITS.values())
SECTIONS: Final[dict[str, list[str]]] = _slots["sections"]


def _neighbours(slot: str) -> int:
    around = {end for edge in _slots["edges"] if slot in edge for end in edge} - {slot}
    return sum(BITS[other] for other in around)


NEAR: Final = {slot: _neighbours(slot) for slot in SLOTS}
"""For each slot the set of slots that share an edge with it."""

# -- by code

NO_CARD: Final = -1
"""Stands where a card may lie and none does, such as in a gap of the row."""
NAMES: Final[list[str]] = sorted(CARDS)
"""The name of each card."""
CODES: Final[dict[str, int]] = {name: code for code, name in enumerate(NAMES)}
"""The code of each card."""
SATELLITE_KIND: Final = 5
"""The kind of a satellite; other cards have the place of their type in TYPES as their kind."""
KIND_OF: Final[list[int]] = [[*TYPES, None].index(CARDS[name].type) for name in NAMES]
NUMBER_OF: Final[list[int]] = [CARDS[name].number for name in NAMES]
STARS_OF: Final[list[int]] = [CARDS[name].stars for name in NAMES]

BIT_OF: Final[list[int]] = [BITS[slot] for slot in SLOTS]
NEAR_OF: Final[list[int]] = [NEAR[slot] for slot in SLOTS]
SECTION_OF: Final[list[int]] = [
    next(section for section, slots in enumerate(SECTIONS.values()) if slot in slots) for slot in SLOTS
]
"""The place of each slot's section in SECTIONS."""


def codes_of(names: Iterable[str | None]) -> list[int]:
    """Return the codes of *names*; NO_CARD for None."""
    return [NO_CARD if name is None else CODES[name] for name in names]


def names_of(codes: list[int]) -> list[str]:
    return [NAMES[code] for code in codes]
