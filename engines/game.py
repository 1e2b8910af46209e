"""The interface of a game.  A match is a deal plus the moves: nothing else is random or stored."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from engines.dice import below, shuffled

if TYPE_CHECKING:
    from engines.drawing import Picture
    from engines.position import Position

__all__ = [
    "NOTHING",
    "Choice",
    "Event",
    "Game",
    "IllegalMove",
    "InvalidMove",
    "Json",
    "Move",
    "OneOf",
    "Outcome",
    "Seat",
    "Some",
    "Step",
    "TellsLuck",
    "below",
    "new",
    "shuffled",
]

Json: TypeAlias = Any
"""What json.loads returns."""
Seat: TypeAlias = int
"""A place at the table, 0-based, clockwise."""
Move: TypeAlias = str | tuple[str, ...]
"""What a seat does: an option of a OneOf, or options of a Some in their order."""
S = TypeVar("S")
T = TypeVar("T")
NOTHING: Final[Mapping[Any, Any]] = {}
new: Final = tuple.__new__
"""Make a named tuple from all its fields, in order, without its constructor: in a third of the time."""


class IllegalMove(ValueError):
    """A move that the seat may not make now.  The message is for the bot's author."""


class InvalidMove(IllegalMove):
    """An answer that is not a move at all, such as a number, or a list instead of a string."""


@dataclass(slots=True, unsafe_hash=True)  # treat as frozen: frozen=True doubles the time to make one
class OneOf:
    """Exactly one of *options*."""

    options: tuple[str, ...]

    def check(self, move: Json) -> str:
        """Return *move*; raise IllegalMove, saying why, if it is not an option."""
        if not isinstance(move, str):
            raise InvalidMove(f"expected a move as a string, got: {_quote(move)}")
        if move in self.options:
            return move
        raise IllegalMove(f"expected one of {_moves(self.options)}, got: {_quote(move)}")

    def rank_of(self, move: Json) -> int:
        """Return the place of *move* among all moves, from 0 on; raise IllegalMove as `check` does."""
        return self.options.index(self.check(move))

    def move_at(self, rank: int) -> str:
        """Return the move at a place."""
        return self.options[rank]

    def count(self) -> int:
        """Return the number of moves."""
        return len(self.options)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the moves."""
        return iter(self.options)

    def sample(self, rng: Random) -> str:
        """Return a random move, every move equally likely."""
        options = self.options
        return options[int(rng.random() * len(options))]

    def to_json(self) -> dict[str, Json]:
        """Return the choice as a bot reads it."""
        return {"kind": "one", "options": list(self.options)}


@dataclass(frozen=True, slots=True)
class Some:
    """From *low* to *high* different members of *options*."""

    options: tuple[str, ...]
    low: int
    high: int

    def check(self, move: Json) -> tuple[str, ...]:
        """Return *move* in the order of the options; raise IllegalMove, saying why, if it is not one."""
        if not isinstance(move, (list, tuple)) or not all(isinstance(item, str) for item in move):
            raise InvalidMove(f"expected a move as a list of strings, got: {_quote(move)}")
        chosen = set(move)
        if strangers := [item for item in move if item not in self.options]:
            raise IllegalMove(f"expected some of {_moves(self.options)}, got: {_quote(strangers[0])}")
        if len(chosen) != len(move):
            raise IllegalMove(f"expected different options, got one twice: {_quote(move)}")
        if not self.low <= len(move) <= self.high:
            raise IllegalMove(f"expected {self.low} to {self.high} options, got {len(move)}: {_quote(move)}")
        return tuple(option for option in self.options if option in chosen)

    def rank_of(self, move: Json) -> int:
        """Return the place of *move* in the order of iteration; raise IllegalMove as `check` does.

        It adds up the moves that come before: the smaller ones, then by the first option that differs.
        """
        chosen = self.check(move)
        count, size, after = len(self.options), len(chosen), 0
        rank = sum(comb(count, smaller) for smaller in range(self.low, size))
        for left, option in zip(range(size - 1, -1, -1), chosen, strict=True):
            place = self.options.index(option)
            rank += sum(comb(count - 1 - other, left) for other in range(after, place))
            after = place + 1
        return rank

    def move_at(self, rank: int) -> tuple[str, ...]:
        """Return the move at a place in the order of iteration."""
        count, size = len(self.options), self.low
        while rank >= (of_this_size := comb(count, size)):
            rank -= of_this_size
            size += 1
        chosen, place = [], 0
        while size:
            if rank < (with_this := comb(count - 1 - place, size - 1)):
                chosen.append(self.options[place])
                size -= 1
            else:
                rank -= with_this
            place += 1
        return tuple(chosen)

    def count(self) -> int:
        """Return the number of moves."""
        return sum(comb(len(self.options), size) for size in range(self.low, self.high + 1))

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        """Iterate over the moves, lazily.  There may be very many, so look at count() first."""
        for size in range(self.low, self.high + 1):
            yield from combinations(self.options, size)

    def sample(self, rng: Random) -> tuple[str, ...]:
        """Return a random move, every move equally likely."""
        rank = below(self.count(), rng)
        size = self.low
        while rank >= (of_this_size := comb(len(self.options), size)):
            rank -= of_this_size
            size += 1
        chosen = set(shuffled(self.options, rng)[:size])
        return tuple(option for option in self.options if option in chosen)

    def to_json(self) -> dict[str, Json]:
        """Return the choice as a bot reads it."""
        return {"kind": "some", "options": list(self.options), "low": self.low, "high": self.high}


Choice: TypeAlias = OneOf | Some
"""All forms of a choice.  Bots in every language read them, so a third form would be a new protocol."""


class Event(NamedTuple):
    """Something that happened: the public fields, and the private fields that single seats see as well."""

    kind: str
    public: Mapping[str, Json] = NOTHING
    private: Mapping[Seat, Mapping[str, Json]] = NOTHING

    def seen_by(self, seat: Seat | None) -> dict[str, Json]:
        """Return the event as *seat* saw it; None is a spectator."""
        seen = {"event": self.kind, **self.public}
        if seat in self.private:
            seen.update(self.private[seat])  # type: ignore[index]  # None is never a key
        return seen


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a match.  Rank 1 is best; a rank is 1 + the number of strictly better seats."""

    ranks: tuple[int, ...]
    scores: tuple[int, ...]

    @classmethod
    def ranked(cls, scores: Sequence[int], tiebreak: Sequence[int] = ()) -> Outcome:
        """Return the outcome that ranks by *scores*, then by *tiebreak*; more is better in both."""
        keys = list(zip(scores, tiebreak or [0] * len(scores), strict=True))
        return cls(tuple(1 + sum(other > key for other in keys) for key in keys), tuple(scores))


class Step(NamedTuple, Generic[S]):
    """The state after a step, and the events of the step."""

    state: S
    events: tuple[Event, ...]


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
        """Return the seats that must act now, each with its choice.

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

    def text(self, view: Mapping[str, Json]) -> str:
        """Return *view* as text for people and language models: the same facts, no more."""
        ...

    def draw(self, *views: Mapping[str, Json]) -> Picture:
        """Return what the holders of *views* know together, as a picture: one view, or those of all seats.

        It reads nothing but the views.  A game that does not draw itself is drawn as its text.
        """
        from engines.drawing import draw_text  # no match needs it, and bots start fast

        return draw_text(self.name, [self.text(view) for view in views])

    def part_of(self, view: Mapping[str, Json], option: str) -> str | None:
        """Return the key of the part of draw(view) whose click means *option*; None if no part does.

        *option* is one of the options offered to the view's seat.  Several options may name the same part.
        """
        return None

    def begin(self, deal: Mapping[str, Json], seats: int) -> Position:
        """Return the first position of a match, with its first events.  Raises what `start` does."""
        from engines.position import PlainPosition  # matches of a game that has its own need no other

        return PlainPosition(self, *self.start(deal, seats))

    def position(self, state: S) -> Position:
        """Return *state* as a position: to search it, or to play it on in place.  *state* stays as it is."""
        from engines.position import PlainPosition

        return PlainPosition(self, state)

    def points(self, view: Mapping[str, Json]) -> tuple[int, ...] | None:
        """Return the points of every seat so far, if *view* tells them; a replay draws them as lines."""
        return None

    def tell(self, event: Mapping[str, Json], names: Sequence[str] = ()) -> str:
        """Return *event* in words, as one line: what a bot reads in `events`, for people.

        *names* are those of the seats, else `Seat 0`.  Fields that *event* does not have are secret to its
        reader.  A game that has no phrases for its events has them told field by field.
        """
        from engines.news import tell_event  # no match needs it

        return tell_event(event, {}, names)


class TellsLuck(Game[S], Protocol[S]):
    """A game that can tell how lucky a seat was, for `ladder duel --adjusted`.  No game must."""

    most_luck: ClassVar[float]
    """The bound of what `luck` returns."""

    def luck(self, state: S, moves: Sequence[Mapping[Seat, Move]], rng: Random) -> float:
        """Return what luck gave to seat 0 of a match of two: of a result, where a win is 1 and a loss -1.

        The match started with *state*, and *moves* are those of its steps.  The expectation over all luck of
        the match must be exactly 0, whatever the seats do, and the value lie within +-most_luck.  Draw with
        *rng* only, so that the value is always the same.
        """
        ...


def _moves(options: tuple[str, ...]) -> str:
    return f"the move {options[0]!r}" if len(options) == 1 else f"{len(options)} moves"


def _quote(move: Json) -> str:
    """Quote *move*, shortened: bots may send very long ones."""
    text = repr(move)
    return text if len(text) <= 80 else text[:77] + "..."
