"""Toy, a game to learn from: bids, takes and cards that are kept in secret.

The rules in short are in summary.txt; what bots see and say is in README.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

from engines.game import NOTHING, Choice, Game, Json, Move, MovePart, Outcome, Seat, Step
from engines.moves import check_moves, check_over
from engines.page import tell_people

from . import imagination, luck, numbers, scoring, text, turns, view
from .moves import reason
from .state import State

if TYPE_CHECKING:
    from engines.columns import ViewColumn
    from engines.drawing import Picture
    from engines.judge import Judge

__all__ = ["State", "Toy"]


class Toy(Game[State]):
    """The rules of the game."""

    name: ClassVar[str] = "toy"
    version: ClassVar[int] = 1
    seats: ClassVar[range] = luck.SEATS
    options: ClassVar[Mapping[str, tuple[Json, ...]]] = luck.OPTIONS
    draw_probability: ClassVar[float | Mapping[int, float]] = 0.04
    summary: ClassVar[str] = (Path(__file__).parent / "summary.txt").read_text("utf-8")

    def deal(self, seats: int, rng: Random, options: Mapping[str, Json] | None = None) -> dict[str, Json]:
        return luck.deal(seats, rng, options or {})

    def start(self, deal: Mapping[str, Json], seats: int) -> Step[State]:
        return luck.start(deal, seats)

    def choices(self, state: State) -> Mapping[Seat, Choice]:
        return state.asked

    def play(self, state: State, moves: Mapping[Seat, Move]) -> Step[State]:
        return turns.follow(state, check_moves(state, moves, reason))

    def outcome(self, state: State) -> Outcome:
        check_over(state)
        return Outcome.ranked(scoring.points(state))

    def view(self, state: State, seat: Seat | None) -> dict[str, Json]:
        return view.view(state, seat)

    def imagine(self, view: Mapping[str, Json], rng: Random) -> State:
        return imagination.imagine(view, rng)

    def text(
        self,
        view: Mapping[str, Json],
        events: Sequence[Mapping[str, Json]] = (),
        *,
        names: Sequence[str] = (),
        ask: bool = True,
    ) -> str:
        return tell_people(text.text(view, events), names, ask=ask)

    def vocabulary(self, seats: int, options: Mapping[str, Json] = NOTHING) -> Sequence[str]:
        luck.check_table(seats, options)
        return numbers.vocabulary(seats)

    def columns(self, seats: int, options: Mapping[str, Json] = NOTHING) -> Sequence[ViewColumn]:
        luck.check_table(seats, options)
        return numbers.columns(seats)

    def numbers(self, view: Mapping[str, Json]) -> Sequence[int]:
        return numbers.numbers(view)

    def judge(self, seats: int, options: Mapping[str, Json] = NOTHING) -> Judge[Any] | None:
        from . import judge  # matches need none

        return judge.HighestJudge()

    def draw(self, *views: Mapping[str, Json], names: Sequence[str] = ()) -> Picture:
        from . import drawing  # matches need no pictures, and bots start fast

        return drawing.draw(*views, names=names)

    def parts_of(self, view: Mapping[str, Json], option: str) -> Sequence[MovePart]:
        from . import drawing

        return drawing.parts_of(view, option)
