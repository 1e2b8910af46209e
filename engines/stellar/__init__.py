"""Stellar, a game by Matt Riddle and Ben Pinchback: two stargazers, each with a telescope and a notebook.

summary.txt has the rules in short; README.md has the messages for authors of bots.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import ClassVar

from engines.game import NOTHING, Json, Move, Seat, TellsLuck
from engines.judge import Judge
from engines.position_game import PositionGame
from engines.stellar import draws, luck, scoring
from engines.stellar.state import State


class Stellar(PositionGame[State], TellsLuck[State]):
    """The rules of Stellar."""

    package: ClassVar[str] = __name__
    name: ClassVar[str] = "stellar"
    version: ClassVar[int] = 1
    seats: ClassVar[range] = luck.SEATS
    options: ClassVar[Mapping[str, tuple[Json, ...]]] = luck.OPTIONS
    draw_probability: ClassVar[float | Mapping[int, float]] = 0.022
    most_luck: ClassVar[float] = draws.MOST_LUCK
    options_are_places: ClassVar[bool] = True
    summary: ClassVar[str] = (Path(__file__).parent / "summary.txt").read_text("utf-8")

    def points(self, view: Mapping[str, Json]) -> tuple[int, ...]:
        return tuple(points["total"] for points in scoring.points(view["telescopes"], view["notebooks"]))

    def tallies(self, view: Mapping[str, Json]) -> Mapping[str, Sequence[int]]:
        return scoring.tallies(view["telescopes"], view["notebooks"])

    def luck(self, state: State, moves: Sequence[Mapping[Seat, Move]], rng: Random) -> float:
        return draws.luck(state, moves, rng)

    def luck_before(self, state: State, moves: Sequence[Mapping[Seat, Move]], rng: Random) -> float:
        """Return the luck as it was computed until equal cards were told apart, for records of then."""
        return draws.luck(state, moves, rng, twins_apart=False)

    def judge(self, seats: int, options: Mapping[str, Json] = NOTHING) -> Judge[State] | None:
        from engines.stellar.judge import PlayoutJudge  # no match needs it

        return PlayoutJudge()
