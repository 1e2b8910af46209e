"""Stellar, a game by Matt Riddle and Ben Pinchback: two stargazers, each with a telescope and a notebook.

summary.txt has the rules in short; README.md has the messages for authors of bots.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, ClassVar

from engines.game import Choice, Json, Move, Outcome, Seat, Step, TellsLuck, new
from engines.moves import check_over, read_options
from engines.position import read_events, read_view
from engines.stellar import draws, imagination, luck, scoring, text
from engines.stellar.state import State

if TYPE_CHECKING:
    from engines.drawing import Picture

__all__ = ["Stellar"]


class Stellar(TellsLuck[State]):
    """The rules of Stellar."""

    name: ClassVar[str] = "stellar"
    version: ClassVar[int] = 1
    seats: ClassVar[range] = luck.SEATS
    options: ClassVar[Mapping[str, tuple[Json, ...]]] = luck.OPTIONS
    draw_probability: ClassVar[float | Mapping[int, float]] = 0.022
    most_luck: ClassVar[float] = draws.MOST_LUCK
    summary: ClassVar[str] = (Path(__file__).parent / "summary.txt").read_text("utf-8")

    def deal(self, seats: int, rng: Random, options: Mapping[str, Json] | None = None) -> dict[str, Json]:
        return luck.deal(seats, rng, options or {})

    def start(self, deal: Mapping[str, Json], seats: int) -> Step[State]:
        state = luck.begin(deal, seats)
        return Step(state, read_events(state, seats))

    def choices(self, state: State) -> Mapping[Seat, Choice]:
        return state.asked

    def play(self, state: State, moves: Mapping[Seat, Move]) -> Step[State]:
        options = read_options(state, moves)
        after = state.copy()
        for option in options:
            after.play(option)
        return new(Step, (after, read_events(after, 2)))

    def begin(self, deal: Mapping[str, Json], seats: int) -> State:
        return luck.begin(deal, seats)

    def position(self, state: State) -> State:
        return state.copy()

    def outcome(self, state: State) -> Outcome:
        check_over(state)
        return state.outcome()

    def view(self, state: State, seat: Seat | None) -> dict[str, Json]:
        return read_view(state, seat)

    def imagine(self, view: Mapping[str, Json], rng: Random) -> State:
        return imagination.imagine(view, rng)

    def text(self, view: Mapping[str, Json]) -> str:
        return text.text(view)

    def draw(self, *views: Mapping[str, Json]) -> Picture:
        from engines.stellar import drawing  # matches need no pictures, and bots start fast

        return drawing.draw(*views)

    def part_of(self, view: Mapping[str, Json], option: str) -> str | None:
        from engines.stellar import drawing

        return drawing.part_of(view, option)

    def points(self, view: Mapping[str, Json]) -> tuple[int, ...]:
        return tuple(points["total"] for points in scoring.points(view["telescopes"], view["notebooks"]))

    def tell(self, event: Mapping[str, Json], names: Sequence[str] = ()) -> str:
        from engines.news import tell_event
        from engines.stellar.news import PHRASES  # no match needs it

        return tell_event(event, PHRASES, names)

    def luck(self, state: State, moves: Sequence[Mapping[Seat, Move]], rng: Random) -> float:
        return draws.luck(state, moves, rng)

    def luck_before(self, state: State, moves: Sequence[Mapping[Seat, Move]], rng: Random) -> float:
        """Return the luck as it was computed until equal cards were told apart, for records of then."""
        return draws.luck(state, moves, rng, twins_apart=False)
