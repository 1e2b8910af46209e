"""Starry Sky, a game by Tom Schoeps: tokens on constellations, black holes that swallow, stars that double.

summary.txt has the rules in short; README.md has the messages for authors of bots.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from engines.game import NOTHING, Json
from engines.judge import Judge
from engines.position_game import PositionGame
from engines.starry_sky import luck
from engines.starry_sky.state import State


class StarrySky(PositionGame[State]):
    """The rules of Starry Sky."""

    package: ClassVar[str] = __name__
    name: ClassVar[str] = "starry-sky"
    version: ClassVar[int] = 2
    replays: ClassVar[frozenset[int]] = frozenset({1})
    seats: ClassVar[range] = luck.SEATS
    options: ClassVar[Mapping[str, tuple[Json, ...]]] = luck.OPTIONS
    draw_probability: ClassVar[float | Mapping[int, float]] = 0.055
    options_are_places: ClassVar[bool] = True
    summary: ClassVar[str] = (Path(__file__).parent / "summary.txt").read_text("utf-8")

    def points(self, view: Mapping[str, Json]) -> tuple[int, ...]:
        return tuple(view["coins"])

    def explainer(self) -> Callable[[Mapping[str, Json]], Mapping[str, Json]]:
        from engines.starry_sky.scoring import explain  # no match needs it

        return explain

    def tallies(self, view: Mapping[str, Json]) -> Mapping[str, Sequence[int]]:
        return {"coins": view["coins"]}

    def judge(self, seats: int, options: Mapping[str, Json] = NOTHING) -> Judge[State] | None:
        from engines.starry_sky.judge import ReplyJudge  # no match needs it

        return ReplyJudge()
