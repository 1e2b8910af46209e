"""The moves of the game by their codes, and the cards that they name.

A move has a notation, "take B4", which bots and records use, and a code, which the rules use: an option.  An
option below DRAW plays the card of that code; those from FIRST_TAKE on take a card, those from FIRST_TOP on
choose the top of the discards.  All tables are made once, at import.
"""

from typing import Final

from engines.stella_quest.cards import BREAK, NAMES

DRAW: Final = 25
"""The option of burning a light to draw cards."""
FIRST_TAKE: Final = 26
FIRST_TOP: Final = 51

MOVES: Final[list[str]] = [
    *(f"play {card}" for card in NAMES),
    "draw",
    *(f"{step} {card}" for step in ("take", "top") for card in NAMES),
]
"""The notation of every option."""
OPTIONS: Final[dict[str, int]] = {
    move: option for option, move in enumerate(MOVES) if move not in (f"take {BREAK}", f"top {BREAK}")
}
"""The option of every notation.  No Break Card is taken, and none is chosen as the top."""
QUOTED: Final[list[bytes]] = [f'"{move}"'.encode() for move in MOVES]
"""The notation of every option as JSON."""
assert (MOVES[DRAW], MOVES[FIRST_TAKE], MOVES[FIRST_TOP]) == ("draw", "take B1", "top B1")
