"""The base of games whose states are positions: it calls the modules of a game by their names."""

from array import array
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from engines.columns import ViewColumn
from engines.deals import check_seats, complete_options
from engines.game import NOTHING, Choice, Game, Json, Move, MovePart, Outcome, Seat, Step, new
from engines.int_state import IntState
from engines.moves import check_over, read_options
from engines.position import Policy, read_events, read_view
from engines.weighing import PastChoice, Told

if TYPE_CHECKING:
    from engines.drawing import Picture

S = TypeVar("S", bound=IntState)


@cache  # the system's own look-up takes 0.5 us, and bots that search imagine many worlds
def _module(package: str, name: str) -> Any:
    return import_module(f"{package}.{name}")


class PositionGame(Game[S]):
    """A game whose states are positions, with the rules in modules of its package.

    They are `luck` (deal, begin), `imagination` (imagine), `greedy` (POLICIES), `text` (text, ask, say,
    in_words, PHRASES, and, if they are there, kind_of and cost), `drawing` (draw, parts_of), `numbers`
    (vocabulary, columns) and, if it is there, `unplay` (unplay).  A module is loaded when it is needed: no
    match needs pictures, and bots start fast.
    """

    package: ClassVar[str]
    """The name of the package that holds the modules."""

    def deal(self, seats: int, rng: Random, options: Mapping[str, Json] | None = None) -> dict[str, Json]:
        deal: dict[str, Json] = _module(self.package, "luck").deal(seats, rng, options or {})
        return deal

    def start(self, deal: Mapping[str, Json], seats: int) -> Step[S]:
        state = self.begin(deal, seats)
        return Step(state, read_events(state, seats))

    def begin(self, deal: Mapping[str, Json], seats: int) -> S:
        state: S = _module(self.package, "luck").begin(deal, seats)
        return state

    def position(self, state: S) -> S:
        return state.copy()

    def choices(self, state: S) -> Mapping[Seat, Choice]:
        return state.asked

    def play(self, state: S, moves: Mapping[Seat, Move]) -> Step[S]:
        options = read_options(state, moves)
        after = state.copy()
        for option in options:
            after.play(option)
        return new(Step, (after, read_events(after, after.table_size())))

    def outcome(self, state: S) -> Outcome:
        check_over(state)
        return state.outcome()

    def view(self, state: S, seat: Seat | None) -> dict[str, Json]:
        return read_view(state, seat)

    def imagine(self, view: Mapping[str, Json], rng: Random) -> S:
        state: S = _module(self.package, "imagination").imagine(view, rng)
        return state

    def unplay(self, world: S, told: Told, seat: Seat) -> Sequence[PastChoice]:
        try:
            unplay = _module(self.package, "unplay").unplay
        except ModuleNotFoundError:
            return super().unplay(world, told, seat)
        try:
            decisions: Sequence[PastChoice] = unplay(world, told, seat)
        except LookupError as error:
            raise ValueError("these events cannot have happened in this world") from error
        return decisions

    def text(
        self,
        view: Mapping[str, Json],
        events: Sequence[Mapping[str, Json]] = (),
        *,
        names: Sequence[str] = (),
        ask: bool = True,
    ) -> str:
        from engines.page import tell_people  # no match needs it

        text: str = _module(self.package, "text").text(view, events)
        return tell_people(text, names, ask=ask)

    def vocabulary(self, seats: int, options: Mapping[str, Json] = NOTHING) -> Sequence[str]:
        words: Sequence[str] = _module(self.package, "numbers").vocabulary(*self._table(seats, options))
        return words

    def columns(self, seats: int, options: Mapping[str, Json] = NOTHING) -> Sequence[ViewColumn]:
        columns: Sequence[ViewColumn] = _module(self.package, "numbers").columns(*self._table(seats, options))
        return columns

    def numbers(self, view: Mapping[str, Json]) -> Sequence[int]:
        seat = view.get("seat")
        if seat is None:
            raise ValueError("expected the view of a seat, got that of a spectator")
        row = array("i", bytes(4 * len(self.columns(view["seats"], view["options"]))))
        self.imagine(view, Random(0)).numbers(seat, row)  # all worlds that look like it have its numbers
        return row.tolist()

    def _table(self, seats: int, options: Mapping[str, Json]) -> tuple[int, dict[str, Json]]:
        """Return *seats* and all *options* of a table.  Raises ValueError for those that there are not."""
        check_seats(self.name, self.seats, seats)
        return seats, complete_options(self.name, self.options, options, self.custom)

    def draw(self, *views: Mapping[str, Json], names: Sequence[str] = ()) -> "Picture":
        picture: Picture = _module(self.package, "drawing").draw(*views, names=names)
        return picture

    def ask(self, view: Mapping[str, Json]) -> str:
        asked: str = _module(self.package, "text").ask(view)
        return asked

    def say(self, view: Mapping[str, Json], option: str) -> str:
        said: str = _module(self.package, "text").say(view, option)
        return said

    def cost(self, view: Mapping[str, Json], option: str) -> str:
        find = getattr(_module(self.package, "text"), "cost", None)
        costs: str = find(view, option) if find else ""
        return costs

    def kind_of(self, view: Mapping[str, Json], move: Move) -> str:
        find = getattr(_module(self.package, "text"), "kind_of", None)
        kind: str = find(view, move) if find else super().kind_of(view, move)
        return kind

    def parts_of(self, view: Mapping[str, Json], option: str) -> Sequence[MovePart]:
        parts: Sequence[MovePart] = _module(self.package, "drawing").parts_of(view, option)
        return parts

    def candidates(self, view: Mapping[str, Json]) -> Sequence[Sequence[str]]:
        find = getattr(_module(self.package, "drawing"), "candidates", None)
        found: Sequence[Sequence[str]] = find(view) if find else ()
        return found

    def sketches(
        self, event: Mapping[str, Json], options: Mapping[str, Json] | None = None
    ) -> "Sequence[Picture]":
        sketches: Sequence[Picture] = _module(self.package, "drawing").sketches(event, options)
        return sketches

    def policies(self) -> Mapping[str, Policy]:
        policies: Mapping[str, Policy] = _module(self.package, "greedy").POLICIES
        return policies

    def tell(
        self, event: Mapping[str, Json], names: Sequence[str] = (), options: Mapping[str, Json] | None = None
    ) -> str:
        from engines.news import tell_event  # no match needs it

        return tell_event(event, _module(self.package, "text").PHRASES, names, self.words_for(options))

    def words_for(self, options: Mapping[str, Json] | None) -> Callable[[str], str]:
        """Return the function that tells cards and moves for people, in a match with *options*."""
        words: Callable[[str], str] = _module(self.package, "text").in_words
        return words
