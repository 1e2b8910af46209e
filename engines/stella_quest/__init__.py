"""Stella Quest, a game by Beomhee Kim: spirits collect six emotions and try not to shine too brightly.

summary.txt has the rules in short; README.md has the messages for authors of bots.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from engines.game import NOTHING, Json
from engines.judge import Judge
from engines.position_game import PositionGame
from engines.stella_quest import luck, scoring
from engines.stella_quest.state import State


class StellaQuest(PositionGame[State]):
    """The rules of Stella Quest."""

    package: ClassVar[str] = __name__
    name: ClassVar[str] = "stella-quest"
    version: ClassVar[int] = 2
    replays: ClassVar[frozenset[int]] = frozenset({1})
    seats: ClassVar[range] = luck.SEATS
    options: ClassVar[Mapping[str, tuple[Json, ...]]] = luck.OPTIONS
    draw_probability: ClassVar[float | Mapping[int, float]] = {2: 0.0005, 3: 0.07, 4: 0.07}
    options_are_places: ClassVar[bool] = True
    summary: ClassVar[str] = (Path(__file__).parent / "summary.txt").read_text("utf-8")

    def points(self, view: Mapping[str, Json]) -> tuple[int, ...]:
        collections = zip(view["lights"], view["collections"], strict=True)
        return tuple(lights + scoring.jewels(collection) for lights, collection in collections)

    def tallies(self, view: Mapping[str, Json]) -> Mapping[str, Sequence[int]]:
        collections = view["collections"]
        return {
            "lights": view["lights"],
            "jewels": [*map(scoring.jewels, collections)],
            "numbers": [*map(scoring.numbers, collections)],
        }

    def judge(self, seats: int, options: Mapping[str, Json] = NOTHING) -> Judge[State] | None:
        from engines.stella_quest.judge import RoundJudge  # no match needs it

        return RoundJudge(seats)

    def explainer(self) -> Callable[[Mapping[str, Json]], Mapping[str, Json]]:
        from engines.stella_quest.reasons import Reasons  # no match needs it

        return Reasons().explain
