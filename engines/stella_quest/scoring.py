"""The points of lights and collections, and the final ranking (SQ29 to SQ32)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from engines.game import Outcome
from engines.stella_quest.cards import JEWELS, NUMBERS
from engines.stella_quest.state import Player, State

__all__ = ["breakdown", "jewels", "outcome"]


def jewels(collection: Iterable[str]) -> int:
    """Count the jewels on the cards whose number occurs once in *collection* (SQ31)."""
    cards = list(collection)
    held = Counter([NUMBERS[card] for card in cards])
    return sum([JEWELS[card] for card in cards if held[NUMBERS[card]] == 1])


def breakdown(players: Iterable[Player]) -> list[dict[str, int]]:
    """Return for every seat its lights, its jewels and their total, which are its points, at any time."""
    return [
        {"lights": lights, "jewels": worth, "total": lights + worth}
        for lights, worth in [(player.lights, jewels(player.collection)) for player in players]
    ]


def outcome(state: State) -> Outcome:
    """Return the final ranking (Q12): an enlightened seat is first, an eliminated seat is last."""
    assert state.ending is not None
    why, seat = state.ending
    points = [score["total"] for score in breakdown(state.players)]
    standing = [0] * len(points)
    if seat is not None:
        standing[seat] = 1 if why == "enlightened" else -1
    return Outcome(Outcome.ranked(standing, points).ranks, tuple(points))
