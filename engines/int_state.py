"""The base of states made of integers: each is a value, and a position that is played on in place."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar, Final, Self

from engines.moves import check_move
from engines.position import Policy, chosen_by
from engines.types import Choice, Json, Move, Outcome, Seat

NO_OPTION: Final = -1
"""Stands for a move that means nothing in this step."""


class IntState:
    """A match.  Equal states are equal values, however they were reached.

    A game adds the methods that raise NotImplementedError.  engines/position.py says what a position can do,
    also in the methods without a docstring.
    """

    __slots__ = ("seat",)

    FIELDS: ClassVar[tuple[str, ...]]
    """The names of all attributes except `seat`, for pickle."""
    seat: Seat
    """The seat that chooses next; 0 at the end."""

    # -- what the game says

    @property
    def over(self) -> bool:
        raise NotImplementedError

    @property
    def asked(self) -> Mapping[Seat, Choice]:
        """The choice of each seat that must decide."""
        raise NotImplementedError

    def seats(self) -> Sequence[Seat]:
        raise NotImplementedError

    def table_size(self) -> int:
        """Return the number of seats at the table."""
        raise NotImplementedError

    def options_of(self, seat: Seat) -> Sequence[int]:
        raise NotImplementedError

    def allows(self, seat: Seat, option: int) -> bool:
        raise NotImplementedError

    def play(self, option: int) -> None:
        raise NotImplementedError

    def copy(self) -> Self:
        raise NotImplementedError

    @property
    def round(self) -> int:
        raise NotImplementedError

    def points(self) -> list[int]:
        """Return the points of every seat as they stand, in a list that is the caller's."""
        raise NotImplementedError

    def key(self) -> tuple[Any, ...]:
        """Return all that makes the state what it is."""
        raise NotImplementedError

    def move_of(self, option: int) -> Move:
        raise NotImplementedError

    def numbers(self, seat: Seat, buffer: Any) -> None:
        raise NotImplementedError

    def find_option(self, move: Json) -> int:
        """Return the option that *move* means, or NO_OPTION.  It need not be open to a seat."""
        raise NotImplementedError

    def reason(self, seat: Seat, move: Json) -> str:
        """Return why *seat* may not make *move*, or "" if the error of the choice says enough."""
        raise NotImplementedError

    def write_choice(self, seat: Seat) -> bytes:
        raise NotImplementedError

    def write_view(self, seat: Seat | None) -> bytes:
        raise NotImplementedError

    def write_events(self, seat: Seat | None) -> list[bytes]:
        raise NotImplementedError

    # -- what follows from it

    def options(self) -> Sequence[int]:
        return self.options_of(self.seat)

    def option_of(self, seat: Seat, move: Json) -> int:
        option = self.find_option(move)
        if option == NO_OPTION or not self.allows(seat, option):
            # the choice says why not; or it takes the move in a form that only looks different
            return self.find_option(check_move(self, seat, self.asked[seat], move, type(self).reason))
        return option

    def sample(self, random: Callable[[], float]) -> int:
        """Return a random option of the seat that chooses next, every one equally likely."""
        options = self.options_of(self.seat)
        return options[int(random() * len(options))]

    def standing(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the ranks and the points of all seats as they stand; equal points are a shared rank."""
        points = self.points()
        return tuple([1 + sum([other > own for other in points]) for own in points]), tuple(points)

    def outcome(self) -> Outcome:
        return Outcome(*self.standing())

    def playout(self, rng: Random) -> tuple[tuple[int, ...], tuple[int, ...]]:
        state, random = self.copy(), rng.random
        while not state.over:
            state.play(state.sample(random))
        return state.standing()

    def play_on(self, rng: Random, policy: Policy | None = None, rounds: int = 1) -> Self:
        if rounds < 1:
            raise ValueError(f"expected at least one round, got {rounds}")
        state, random, end = self.copy(), rng.random, self.round + rounds
        while not state.over and state.round < end:
            state.play(state.sample(random) if policy is None else chosen_by(policy, state, rng))
        return state

    # -- values

    def __eq__(self, other: object) -> bool:
        return isinstance(other, IntState) and type(self) is type(other) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickle, (type(self), [getattr(self, name, None) for name in ("seat", *self.FIELDS)])


def _unpickle(kind: type[IntState], values: list[Any]) -> IntState:
    state = kind()
    for name, value in zip(("seat", *kind.FIELDS), values, strict=True):
        if value is not None:  # a copy does not have all of what the last step did
            setattr(state, name, value)
    return state
