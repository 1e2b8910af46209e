"""Stella, a game by Gérald Cattiaux and Jean-Louis Roubira: match pictures to a word as others do.

summary.txt has the rules in short; README.md has the messages for authors of bots.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import ClassVar

from engines.game import Json
from engines.position_game import PositionGame
from engines.stella import luck
from engines.stella.deck import checked_deck
from engines.stella.state import State

__all__ = ["Stella", "checked_deck"]


class Stella(PositionGame[State]):
    """The rules of Stella."""

    package: ClassVar[str] = __name__
    name: ClassVar[str] = "stella"
    version: ClassVar[int] = 1
    seats: ClassVar[range] = luck.SEATS
    options: ClassVar[Mapping[str, tuple[Json, ...]]] = luck.OPTIONS
    custom: ClassVar[Mapping[str, Callable[[Json], object]]] = luck.CUSTOM
    draw_probability: ClassVar[float | Mapping[int, float]] = 0.11
    summary: ClassVar[str] = (Path(__file__).parent / "summary.txt").read_text("utf-8")

    def words_for(self, options: Mapping[str, Json] | None) -> Callable[[str], str]:
        from engines.stella.text import in_words, name_ours  # no match needs it

        # the pictures of a user's own deck have no names but theirs, which may be those of ours
        return in_words if options is None or "deck" in options else name_ours

    def points(self, view: Mapping[str, Json]) -> tuple[int, ...]:
        return tuple(view["scores"])
