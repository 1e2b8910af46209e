"""The cards of Stella Quest as parts of a picture, in the sizes that the table needs."""

from functools import lru_cache
from typing import Final

from engines import drawing
from engines.drawing import Part
from engines.stella_quest.cards import BREAK, JEWELS

MARGIN: Final = 16
"""What is left free at the sides of the picture."""
SUITS: Final = {
    "B": ("drop", "hue-blue"),
    "G": ("leaf", "hue-green"),
    "R": ("heart", "hue-vermilion"),
    "Y": ("sun", "hue-yellow"),
    "X": ("break", "hue-grey"),
}
"""The mark and the hue of each colour; a Break Card is grey."""
LARGE: Final = (72, 96)
"""Width and height of a card on the table."""


def card_part(
    key: str,
    x: float,
    y: float,
    card: str,
    size: tuple[int, int],
    *,
    calm: bool = False,
) -> Part:
    """Return the front of *card*, *size* wide and high; a *calm* one is not outlined when it changes."""
    hue = SUITS[card[0]][1]
    kind = f"{hue} calm" if calm else hue
    return drawing.make_part(key, x, y, drawing.outline(*size), _face(card, *size), kind)


@lru_cache(maxsize=256)
def _face(card: str, width: int, height: int) -> str:
    """Return the front of a card: its number in the corner, its mark, and its jewels on a large card."""
    suit = SUITS[card[0]][0]
    face = drawing.rectangle(width, height, kind="card")
    if card == BREAK:
        return face + drawing.mark(suit, width / 2, height / 2, width * 0.55)
    large = width == LARGE[0]
    face += drawing.words(card[1], width * 0.11, height * 0.24, 34 if large else 27, "ink strong")
    if not large:
        return face + drawing.mark(suit, 17, height - 19, 22)
    face += drawing.mark(suit, width - 22, height * 0.54, 34)
    return face + "".join(drawing.mark("jewel", 15 + 18 * at, height - 14, 14) for at in range(JEWELS[card]))
