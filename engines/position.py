"""A match that is played on in place, for searching bots and for a referee that counts microseconds.

A position is what Game.position returns.  Unlike a state it changes: play it on, or copy it first.  A move is
an option here, a small integer; `move_of` and `option_of` translate.  Where several seats choose at the same
time, they are asked one after another, in the order of their seats, and nothing happens before all have.

    world = game.position(game.imagine(view, rng))
    for option in world.options():
        after = world.copy()
        after.play(option)
        ranks, scores = after.playout(rng)

Every game has positions.  Those of a game that does nothing for it are PlainPosition: no faster than its
states.  A state of a built-in game is itself a position, made of integers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from operator import index
from random import Random
from typing import Any, Protocol, TypeAlias, cast

from engines.columns import no_numbers, write_row
from engines.json_bytes import dumps
from engines.types import NOTHING, Choice, Event, Json, Move, Outcome, Seat, Step


class Position(Protocol):
    """A match that is being played or is over."""

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        ...

    @property
    def seat(self) -> Seat:
        """The seat that chooses next; 0 at the end."""
        ...

    def seats(self) -> Sequence[Seat]:
        """Return the seats that are asked in this step: the keys of Game.choices.  None at the end."""
        ...

    def options(self) -> Sequence[int]:
        """Return the options of the seat that chooses next, in the order of its choice.  None at the end."""
        ...

    def options_of(self, seat: Seat) -> Sequence[int]:
        """Return the options of *seat*, which must be asked in this step."""
        ...

    def allows(self, seat: Seat, option: int) -> bool:
        """Return whether *option*, a number from option_of(), is open to *seat*, which must be asked."""
        ...

    def play(self, option: int) -> None:
        """Play *option* for the seat that chooses next.  It must be one of its options: nothing checks it."""
        ...

    def copy(self) -> Position:
        """Return a copy, to be played on by itself.  It does not remember the events of the last step."""
        ...

    def playout(self, rng: Random) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Play a copy to its end, every option equally likely; return ranks and scores by seat."""
        ...

    @property
    def round(self) -> int:
        """The number of the round, from 1; the page of the game says what a round is.

        1 for ever in a game whose views tell neither a round nor turns.
        """
        ...

    def points(self) -> Sequence[int] | None:
        """Return the points of every seat so far, as Game.points tells them; None if the game tells none."""
        ...

    def play_on(self, rng: Random, policy: Policy | None = None, rounds: int = 1) -> Position:
        """Play a copy on until *rounds* rounds have ended, or the match; return it.

        Every option is equally likely, or *policy* chooses.  With *rounds* 1 it stops at the beginning of the
        next round.  Raises ValueError for fewer than one round, and for a policy that plays anything else.
        """
        ...

    def numbers(self, seat: Seat, buffer: Any) -> None:
        """Write all that *seat* sees into *buffer*, a number for each column of Game.columns.

        *buffer* is an array, a row of numpy or another writable buffer of that size; numbers are whole and
        at least 0.  Raises ValueError for another buffer, and NotImplementedError if the game has no numbers.
        """
        ...

    def outcome(self) -> Outcome:
        """Return the final ranking, once the match is over."""
        ...

    def move_of(self, option: int) -> Move:
        """Return the notation of *option* of the seat that chooses next."""
        ...

    def option_of(self, seat: Seat, move: Json) -> int:
        """Return the option that *move* means for *seat*, which must be asked.

        Raises IllegalMove, saying why, if it is not one.
        """
        ...

    def write_choice(self, seat: Seat) -> bytes:
        """Return the choice of *seat*, which must be asked, as the JSON that a bot reads."""
        ...

    def write_view(self, seat: Seat | None) -> bytes:
        """Return what Game.view says, as JSON, also while other seats have chosen already."""
        ...

    def write_events(self, seat: Seat | None) -> list[bytes]:
        """Return the events of the last step as *seat* saw them, each as JSON; none for a copy."""
        ...


Policy: TypeAlias = Callable[[Any, Seat, Random], int]
"""Returns an option of a seat that is asked, given the position, the seat and a generator for its own luck.
It reads only what that seat sees: worlds that look the same to the seat get the same answer."""


def chosen_by(policy: Policy, position: Position, rng: Random) -> int:
    """Return what *policy* chooses for the seat that is next.  Raises ValueError if that is not offered."""
    seat, ask = position.seat, cast("Any", policy)  # it may return anything
    option = ask(position, seat, rng)
    # allows() is for numbers of options alone
    if not hasattr(option, "__index__") or option not in position.options():
        raise ValueError(f"a policy chose {option!r} for seat {seat}, which is not among its options")
    return index(option)


def round_of(view: Mapping[str, Json]) -> int | None:
    """Return the round of a public view: its `round`, or its `turn` in rounds of all seats; from 1."""
    number = view.get("round")
    if isinstance(number, int):
        return number
    turn = view.get("turn")
    return 1 + turn // int(view["seats"]) if isinstance(turn, int) else None


def read_view(position: Position, seat: Seat | None) -> dict[str, Json]:
    """Return the view that *position* writes for *seat* as a dictionary: what Game.view returns."""
    view: dict[str, Json] = json.loads(position.write_view(seat))
    return view


def read_events(position: Position, seats: int) -> tuple[Event, ...]:
    """Return the events that *position*, a match of *seats* seats, writes of its last step.

    What a spectator sees is public; what a seat sees besides, or instead, is private to it.
    """
    # Each view of an event is built up from nothing, so what is private can only be told by comparing.
    public = position.write_events(None)
    own = [position.write_events(seat) for seat in range(seats)] if public else []
    return tuple([_read_event(words, [each[at] for each in own]) for at, words in enumerate(public)])


def _read_event(words: bytes, own: Sequence[bytes]) -> Event:
    public = json.loads(words)
    # most events look the same to all: their bytes are equal, and only one of them is read
    private = {seat: _difference(json.loads(seen), public) for seat, seen in enumerate(own) if seen != words}
    kind = public.pop("event")
    return Event(kind, public, private or NOTHING)


def _difference(seen: Mapping[str, Json], public: Mapping[str, Json]) -> dict[str, Json]:
    """Return the fields of *seen* that *public* lacks or tells otherwise."""
    return {key: value for key, value in seen.items() if key not in public or public[key] != value}


class StateRules(Protocol):
    """What a position of states asks its game; engines/game.py says what each method does."""

    def choices(self, state: Any) -> Mapping[Seat, Choice]: ...

    def play(self, state: Any, moves: Mapping[Seat, Move]) -> Step[Any]: ...

    def outcome(self, state: Any) -> Outcome: ...

    def view(self, state: Any, seat: Seat | None) -> dict[str, Json]: ...

    def points(self, view: Mapping[str, Json]) -> tuple[int, ...] | None: ...


class PlainPosition:
    """The position of a game that does nothing for it: its states, one after another.

    An option is the rank of a move in its choice: 0 for the first.
    """

    def __init__(self, game: StateRules, state: Any, events: Sequence[Event] = ()) -> None:
        self.encode: Callable[[Json], bytes] = dumps
        """Returns a value as compact JSON.  A program with a faster encoder than json.dumps may set it."""
        self._game = game
        self._chosen: dict[Seat, Move] = {}
        self._reach(state, events)

    def _reach(self, state: Any, events: Sequence[Event]) -> None:
        self._state = state
        self._events = events
        self._public: list[bytes] | None = None
        """The events of the last step as a spectator saw them, once they have been written."""
        self._choices: Mapping[Seat, Choice] = self._game.choices(state)
        self._seats = tuple(self._choices)
        self._named: tuple[int, Move] | None = None
        """An option of the seat that chooses next, and its notation: a referee asks for it, then plays it."""

    @property
    def over(self) -> bool:
        return not self._choices

    @property
    def seat(self) -> Seat:
        return self._seats[len(self._chosen)] if self._seats else 0

    def seats(self) -> Sequence[Seat]:
        return self._seats

    def options(self) -> Sequence[int]:
        return () if self.over else self.options_of(self.seat)

    def options_of(self, seat: Seat) -> Sequence[int]:
        return range(self._choices[seat].count())

    def allows(self, seat: Seat, option: int) -> bool:
        return option in self.options_of(seat)

    def play(self, option: int) -> None:
        self._choose(self.move_of(option))

    def _choose(self, move: Move) -> None:
        self._chosen[self.seat] = move
        self._named = None
        if len(self._chosen) == len(self._choices):
            moves, self._chosen = self._chosen, {}  # the game may keep them
            self._reach(*self._game.play(self._state, moves))

    def copy(self) -> PlainPosition:
        other = PlainPosition(self._game, self._state)
        other.encode = self.encode
        other._chosen = dict(self._chosen)
        return other

    def playout(self, rng: Random) -> tuple[tuple[int, ...], tuple[int, ...]]:
        other = self.copy()
        while not other.over:
            other._choose(other._choices[other.seat].sample(rng))
        outcome = other.outcome()
        return outcome.ranks, outcome.scores

    @property
    def round(self) -> int:
        return round_of(self._game.view(self._state, None)) or 1

    def points(self) -> Sequence[int] | None:
        return self._game.points(self._game.view(self._state, None))

    def play_on(self, rng: Random, policy: Policy | None = None, rounds: int = 1) -> PlainPosition:
        if rounds < 1:
            raise ValueError(f"expected at least one round, got {rounds}")
        other, end = self.copy(), self.round + rounds
        while not other.over and other.round < end:
            if policy is None:
                other._choose(other._choices[other.seat].sample(rng))
            else:
                other.play(chosen_by(policy, other, rng))
        return other

    def numbers(self, seat: Seat, buffer: Any) -> None:
        if not hasattr(self._game, "numbers"):  # it fits the interface without having it from Game
            raise no_numbers(getattr(self._game, "name", "this game"))
        write_row(buffer, self._game.numbers(self._game.view(self._state, seat)))

    def outcome(self) -> Outcome:
        return self._game.outcome(self._state)

    def move_of(self, option: int) -> Move:
        named = self._named
        if named is None or named[0] != option:
            named = self._named = option, self._choices[self.seat].move_at(option)
        return named[1]

    def option_of(self, seat: Seat, move: Json) -> int:
        return self._choices[seat].rank_of(move)

    def write_choice(self, seat: Seat) -> bytes:
        return self.encode(self._choices[seat].to_json())

    def write_view(self, seat: Seat | None) -> bytes:
        return self.encode(self._game.view(self._state, seat))

    def write_events(self, seat: Seat | None) -> list[bytes]:
        public = self._public
        if public is None:
            public = self._public = [self.encode(event.seen_by(None)) for event in self._events]
        return [
            self.encode(event.seen_by(seat)) if seat in event.private else told
            for event, told in zip(self._events, public, strict=True)
        ]
