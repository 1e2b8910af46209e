"""Stella Quest, a game by Beomhee Kim: spirits collect six emotions and try not to shine too brightly.

summary.txt has the rules in short; README.md has the messages for authors of bots.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, ClassVar

from engines.game import Choice, Game, Json, Move, Outcome, Seat, Step, new
from engines.moves import check_over, read_options
from engines.position import read_events, read_view
from engines.stella_quest import imagination, luck, scoring, text
from engines.stella_quest.state import State

if TYPE_CHECKING:
    from engines.drawing import Picture

__all__ = ["StellaQuest"]


class StellaQuest(Game[State]):
    """The rules of Stella Quest."""

    name: ClassVar[str] = "stella-quest"
    version: ClassVar[int] = 2
    replays: ClassVar[frozenset[int]] = frozenset({1})
    seats: ClassVar[range] = luck.SEATS
    options: ClassVar[Mapping[str, tuple[Json, ...]]] = luck.OPTIONS
    draw_probability: ClassVar[float | Mapping[int, float]] = {2: 0.0005, 3: 0.07, 4: 0.07}
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
        return new(Step, (after, read_events(after, len(after.lights))))

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
        from engines.stella_quest import drawing  # no match needs it, and bots start fast

        return drawing.draw(*views)

    def part_of(self, view: Mapping[str, Json], option: str) -> str | None:
        from engines.stella_quest import drawing

        return drawing.part_of(view, option)

    def points(self, view: Mapping[str, Json]) -> tuple[int, ...]:
        collections = zip(view["lights"], view["collections"], strict=True)
        return tuple(lights + scoring.jewels(collection) for lights, collection in collections)

    def tell(self, event: Mapping[str, Json], names: Sequence[str] = ()) -> str:
        from engines.news import tell_event
        from engines.stella_quest.news import PHRASES  # no match needs it

        return tell_event(event, PHRASES, names)
