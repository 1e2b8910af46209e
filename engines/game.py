"""The interface of a game.  A match is a deal plus the moves: nothing else is random or stored."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, TypeVar

from engines.columns import ViewColumn, no_numbers, no_vocabulary
from engines.dice import below, shuffled
from engines.position import PlainPosition, Policy, Position
from engines.types import (
    NOTHING,
    Choice,
    Event,
    IllegalMove,
    InvalidMove,
    Json,
    Move,
    OneOf,
    Outcome,
    Seat,
    Some,
    Step,
    new,
)
from engines.weighing import PastChoice, Told, no_way_back

if TYPE_CHECKING:
    from engines.drawing import Picture
    from engines.judge import Judge

__all__ = [
    "NOTHING",
    "Choice",
    "Event",
    "Game",
    "IllegalMove",
    "InvalidMove",
    "Json",
    "Move",
    "MovePart",
    "OneOf",
    "Outcome",
    "Seat",
    "Some",
    "Step",
    "TellsLuck",
    "ViewColumn",
    "below",
    "new",
    "shuffled",
]

S = TypeVar("S")


class MovePart(NamedTuple):
    """One thing that a move is made of, such as the card that it plays."""

    name: str
    """In words, for people who do not see the picture: "planet 4"."""
    keys: tuple[str, ...]
    """The parts of the picture that stand for it; of several, where things alike lie there, any will do."""


class Game(Protocol[S]):
    """The rules of one game.  Stateless: one instance serves every match at once.

    States are hashable, and no method changes one.  Everything else that goes in or out is JSON, except
    positions, which are played on in place.
    """

    name: ClassVar[str]
    version: ClassVar[int]  # raised whenever an old record would replay differently, or a view is another one
    replays: ClassVar[frozenset[int]] = frozenset()
    """Earlier versions with the same rules, deals and moves: their records replay to the letter."""
    seats: ClassVar[range]  # the table sizes it can be played at
    options: ClassVar[Mapping[str, tuple[Json, ...]]]  # each rule option and its values, the default first
    custom: ClassVar[Mapping[str, Callable[[Json], object]]] = NOTHING
    """Rule options that take a table of the user's own, each with its check, which raises ValueError."""
    beta: ClassVar[float] = 25 / 6
    """The luck of one match, for the ratings: more luck, a larger beta."""
    draw_probability: ClassVar[float | Mapping[int, float]] = 0.02
    """How often two equal seats tie, for the ratings: one number, or one for each table size.  Never 0.

    It is for the first run of a home: later ones measure it."""
    options_are_places: ClassVar[bool] = False
    """Whether the options of positions are places in the vocabulary, so that no move is of several."""
    summary: ClassVar[str]  # the rules in short, with the notation: at most 60 lines

    def deal(self, seats: int, rng: Random, options: Mapping[str, Json] = ...) -> dict[str, Json]:
        """Return all the luck of one match, in the format of the game's rules.

        Raises ValueError for a table size or an option that the game does not have.
        """
        ...

    def start(self, deal: Mapping[str, Json], seats: int) -> Step[S]:
        """Return the first state.  Raises ValueError, naming the fault, for a deal that cannot happen."""
        ...

    def choices(self, state: S) -> Mapping[Seat, Choice]:
        """Return the seats that must decide now, each with its choice.

        None: the match is over.  One: a turn.  Several: they choose at the same time, in secret.
        """
        ...

    def play(self, state: S, moves: Mapping[Seat, Move]) -> Step[S]:
        """Return the next state and its events, after the seats in choices(state) have made *moves*.

        Raises IllegalMove for a move that is not offered, ValueError unless exactly those seats move.
        """
        ...

    def outcome(self, state: S) -> Outcome:
        """Return the final ranking.  Raises ValueError while choices(state) is not empty."""
        ...

    def view(self, state: S, seat: Seat | None) -> dict[str, Json]:
        """Return everything that *seat* knows, built up from nothing; None is a spectator."""
        ...

    def imagine(self, view: Mapping[str, Json], rng: Random) -> S:
        """Return a random state that is consistent with *view*."""
        ...

    def text(
        self,
        view: Mapping[str, Json],
        events: Sequence[Mapping[str, Json]] = (),
        *,
        names: Sequence[str] = (),
        ask: bool = True,
    ) -> str:
        """Return *view* as text for people and language models: the same facts, no more.

        *events* are those since the decision before, as the seat saw them: what happened, in words.  Without
        them the text is as complete.  *names* are those of the seats, else `Seat 0`.  Without *ask* the last
        paragraph is left out, which says how a model answers.  A game may do without all but *view*.
        """
        ...

    def draw(self, *views: Mapping[str, Json], names: Sequence[str] = ()) -> Picture:
        """Return what the holders of *views* know together, as a picture: one view, or those of all seats.

        It reads nothing but the views.  *names* are those of the seats, else `Seat 0`; a game may do without
        them.  A game that does not draw itself is drawn as its text.
        """
        from engines.drawing import draw_text  # no match needs it, and bots start fast

        return draw_text(self.name, [self.text(view) for view in views])

    def ask(self, view: Mapping[str, Json]) -> str:
        """Return what the seat of *view* is asked to do, for people, as one line: "Take a card from the row".

        Empty if the game has no words for it.
        """
        return ""

    def say(self, view: Mapping[str, Json], option: str) -> str:
        """Return *option*, one of those offered to the seat of *view*, in words for people."""
        return option

    def cost(self, view: Mapping[str, Json], option: str) -> str:
        """Return what *option* costs the seat of *view* for good, as the end of a sentence; mostly nothing.

        "burns one of your 5 lights": a person is asked once more.  Moves in the ordinary course cost nothing.
        """
        return ""

    def kind_of(self, view: Mapping[str, Json], move: Move) -> str:
        """Return of what kind a decision is, in a few words: the seat of *view* chose *move*: "take a card".

        Reviews add up by kind what decisions cost.  By default it is the step of the view, if it tells one,
        or the word that the move begins with.
        """
        step = view.get("step")
        if isinstance(step, str) and step:
            return step
        first = move if isinstance(move, str) else "".join(move[:1])
        verb, _, rest = first.partition(" ")
        return verb if rest and verb.isalpha() else "move"

    def parts_of(self, view: Mapping[str, Json], option: str) -> Sequence[MovePart]:
        """Return the parts of draw(view) that together mean *option*, such as a card and its place.

        There are none if nothing in the picture means *option*, which is one of those offered to the seat of
        *view*.  Several options may have the same parts.
        """
        part = self.part_of(view, option)
        return () if part is None else (MovePart(option, (part,)),)

    def candidates(self, view: Mapping[str, Json]) -> Sequence[Sequence[str]]:
        """Return the things in draw(view) of the kinds that the seat of *view* chooses among now.

        Each is the keys of its parts.  While the seat chooses, those that no option means are drawn pale: a
        card of its hand that it may not play.
        """
        return ()

    def sketches(
        self, event: Mapping[str, Json], options: Mapping[str, Json] | None = None
    ) -> Sequence[Picture]:
        """Return small pictures of the cards and tokens of *event*, to stand beside tell(event).

        *options* are those of the match, if they are known.  A game need not draw any.
        """
        return ()

    def part_of(self, view: Mapping[str, Json], option: str) -> str | None:
        """Return the key of the one part of draw(view) that means *option*; None if no part does.

        What `parts_of` falls back on: a game whose moves have one part each may write this alone.
        """
        return None

    def begin(self, deal: Mapping[str, Json], seats: int) -> Position:
        """Return the first position of a match, with its first events.  Raises what `start` does."""
        return PlainPosition(self, *self.start(deal, seats))

    def position(self, state: S) -> Position:
        """Return *state* as a position: to search it, or to play it on in place.  *state* stays as it is."""
        return PlainPosition(self, state)

    def points(self, view: Mapping[str, Json]) -> tuple[int, ...] | None:
        """Return the points of every seat so far, if *view* tells them; a replay draws them as lines."""
        return None

    def tallies(self, view: Mapping[str, Json]) -> Mapping[str, Sequence[int]]:
        """Return what people play for besides points, by its name in the plural: the number of every seat.

        At most eight.  Reviews say which of them a better move would have changed.
        """
        return NOTHING

    def policies(self) -> Mapping[str, Policy]:
        """Return the policies of the game by name and version, such as "greedy-1".  A game may have none.

        A policy never changes; one that plays otherwise has another name.
        """
        return NOTHING

    def judge(self, seats: int, options: Mapping[str, Json] = NOTHING) -> Judge[Any] | None:
        """Return the judge of decisions at a table of *seats* with *options*; None if the game has no judge.

        A game has one only where a bot that plays by it is strong.
        """
        return None

    def vocabulary(self, seats: int, options: Mapping[str, Json] = NOTHING) -> Sequence[str]:
        """Return every option that a choice may offer at a table of *seats*, each once, in a fixed order.

        Where some of several are chosen, the single ones are in it.  Raises ValueError as `deal` does, and
        NotImplementedError if the game does not list its moves.
        """
        raise no_vocabulary(self.name)

    def columns(self, seats: int, options: Mapping[str, Json] = NOTHING) -> Sequence[ViewColumn]:
        """Return what each number is that positions write of a view at a table of *seats* with *options*.

        Raises what `vocabulary` does.
        """
        raise no_numbers(self.name)

    def numbers(self, view: Mapping[str, Json]) -> Sequence[int]:
        """Return all that *view*, the view of a seat, tells: a number for each column, its own seat first.

        Views that differ have other numbers.  Position.numbers writes the same into a buffer.
        """
        raise no_numbers(self.name)

    def unplay(self, world: S, told: Told, seat: Seat) -> Sequence[PastChoice]:
        """Return what the other seats decided in the match that led to *world*, for engines.weighing.

        *told* is all that *seat* was told since the match began.  Raises ValueError where that cannot have
        happened in this world, and NotImplementedError if the game does not go back.
        """
        raise no_way_back(self.name)

    def explainer(self) -> Callable[[Mapping[str, Json]], Mapping[str, Json]]:
        """Return a function that gets the events of one match in order and returns each for `tell`.

        It may add fields that follow from earlier events, such as why a round is won: people alone read them.
        """
        return dict

    def tell(
        self, event: Mapping[str, Json], names: Sequence[str] = (), options: Mapping[str, Json] | None = None
    ) -> str:
        """Return *event* in words, as one line: what a bot reads in `events`, for people.

        *names* are those of the seats, else `Seat 0`.  *options* are those of the match, if they are known: a
        game may have names for the things of its own deck, and none for those of a user's.  Fields that
        *event* does not have are secret to its reader.  Without phrases events are told field by field.
        """
        from engines.news import tell_event  # no match needs it

        return tell_event(event, {}, names)


class TellsLuck(Game[S], Protocol[S]):
    """A game that can tell how lucky a seat was, for `--terms adjusted` of a duel.  No game must."""

    most_luck: ClassVar[float]
    """The bound of what `luck` returns."""

    def luck(self, state: S, moves: Sequence[Mapping[Seat, Move]], rng: Random) -> float:
        """Return what luck gave to seat 0 of a match of two: of a result, where a win is 1 and a loss -1.

        The match started with *state*, and *moves* are those of its steps.  The expectation over all luck of
        the match must be exactly 0, whatever the seats do, and the value lie within +-most_luck.  Draw with
        *rng* only, so that the value is always the same.
        """
        ...
