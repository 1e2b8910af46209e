"""The types of the games: choices, moves, events and outcomes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from random import Random
from typing import Any, Final, Generic, NamedTuple, TypeAlias, TypeVar

from engines.dice import below, shuffled

Json: TypeAlias = Any
"""What json.loads returns."""
Seat: TypeAlias = int
"""A place at the table, 0-based, clockwise."""
Move: TypeAlias = str | tuple[str, ...]
"""What a seat does: an option of a OneOf, or options of a Some in their order."""
S = TypeVar("S")
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
    def ranked(cls, scores: Sequence[int], tiebreak: Sequence[int] = ()) -> "Outcome":
        """Return the outcome that ranks by *scores*, then by *tiebreak*; more is better in both."""
        keys = list(zip(scores, tiebreak or [0] * len(scores), strict=True))
        return cls(tuple(1 + sum(other > key for other in keys) for key in keys), tuple(scores))


class Step(NamedTuple, Generic[S]):
    """The state after a step, and the events of the step."""

    state: S
    events: tuple[Event, ...]


def _moves(options: tuple[str, ...]) -> str:
    return f"the move {options[0]!r}" if len(options) == 1 else f"{len(options)} moves"


def _quote(move: Json) -> str:
    """Quote *move*, shortened: bots may send very long ones."""
    text = repr(move)
    return text if len(text) <= 80 else text[:77] + "..."
