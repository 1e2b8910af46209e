"""What the events of the game say, as engines.news tells them; scoring.explain adds sums."""

from typing import Final

PHRASES: Final = {
    "start": "{first:seat} begins; the boards are {boards}",
    "place": "{seat} places {token} on {star}",
    "score": "{board} is full[; sums: {sums:each}][; the first pays {paid}]; coins: {coins:each}",
    "open": "{board} is the next board",
    "skip": "{seat} has no token in hand and is skipped",
}
