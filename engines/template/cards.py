"""The cards: a name for each, made once."""

from typing import Final

HAND: Final = 4
"""How many cards each seat holds."""
CARDS: Final = {seats: [f"card {points}" for points in range(1, HAND * seats + 1)] for seats in range(3, 6)}
"""By table size, all cards of a match."""
