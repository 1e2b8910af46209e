"""The cards, from the data file beside this module.

Lists of cards are sorted by name; replacing each card by its back keeps them sorted.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

__all__ = ["BACKS", "BREAK", "COLOURS", "DECK", "EMOTIONS", "JEWELS", "NUMBERS"]

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
