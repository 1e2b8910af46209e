"""A match as a value, and as a position that is searched, played on in place and written as JSON."""

from __future__ import annotations

from random import Random
from typing import Any, Final, final

from engines.game import Json, Outcome, Seat
from engines.moves import check_move
from engines.starry_sky import events, view
from engines.starry_sky.legality import reason
from engines.starry_sky.moves import MOVES, OPTIONS
from engines.starry_sky.table import TABLE_FIELDS
from engines.starry_sky.turns import NO_BOARD, NOT_REMEMBERED, TURN_FIELDS, Turns

__all__ = ["State", "new_state"]


@final
class State(Turns):
    """A match.  Equal states are equal values, however they were reached.

    See engines/position.py for what a position can do.
    """

    __slots__ = ()

    def copy(self) -> State:
        """Return a copy, to be played on by itself."""
        other = State()
        other.copy_table(self)
        other.first = self.first
        other.turn = self.turn
        other.seat = self.seat
        other.last_option = NOT_REMEMBERED
        return other

    def move_of(self, option: int) -> str:
        """Return the notation of *option*."""
        return MOVES[option]

    def option_of(self, seat: Seat, move: Json) -> int:
        """Return the option that *move* means for *seat*, which must be asked.

        Raises IllegalMove, saying why, if it is not one.
        """
        option = OPTIONS.get(move) if isinstance(move, str) else None
        if option is None or not self.allows(seat, option):
            return OPTIONS[check_move(self, seat, self.asked[seat], move, reason)]
        return option

    # -- written as JSON

    def write_choice(self, seat: Seat) -> bytes:
        """Return the choice of *seat*, which must be asked, as a bot reads it."""
        return view.choice_bytes(self, seat)

    def write_view(self, seat: Seat | None) -> bytes:
        """Return everything that *seat* knows; None is a spectator."""
        return view.view_bytes(self, seat)

    def write_events(self, seat: Seat | None) -> list[bytes]:
        """Return the events of the last step, as *seat* saw them."""
        return events.event_bytes(self, seat)

    # -- the end

    def outcome(self) -> Outcome:
        """Return the result: the coins as they are (B18)."""
        return Outcome.ranked(self.coins)

    def playout(self, rng: Random) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Play a copy to its end, every option equally likely; return ranks and scores."""
        state = self.copy()
        random = rng.random
        while state.boards:
            state.play(state.option_at(int(random() * state.count_options())))
        coins = state.coins
        ranks = [1 + len([other for other in coins if other > own]) for own in coins]
        return tuple(ranks), tuple(coins)

    # -- values

    def key(self) -> tuple[Any, ...]:
        """Return all that makes the state what it is."""
        return (
            self.first,
            self.turn,
            self.seat,
            tuple(self.pile[self.opened :]),
            tuple(self.boards),
            tuple(self.laid),
            tuple(self.hands),
            tuple(self.coins),
            tuple(map(frozenset, self.hidden)),
            frozenset(self.excluded.items()),
            frozenset(self.rarer.items()),
            tuple(self.scored),
            tuple(map(tuple, self.paid)),
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickle, ([getattr(self, name, None) for name in _FIELDS],)


_FIELDS: Final = (*TABLE_FIELDS, *TURN_FIELDS)


def _unpickle(values: list[Any]) -> State:
    state = State()
    for name, value in zip(_FIELDS, values, strict=True):
        if value is not None:  # a copy does not have all of what the last step did
            setattr(state, name, value)
    return state


def new_state(seats: int, first: Seat, boards: list[int], pile: list[int]) -> State:
    """Return a state before the first decision: all tokens in hand, *boards* in play, *pile* to come."""
    state = State()
    state.clear_table(seats, boards, pile)
    state.first = first
    state.turn = 0
    state.seat = first
    state.last_option = NOT_REMEMBERED
    state.last_seat = first
    state.last_board = NO_BOARD
    state.last_opened = False
    state.last_skips = 0
    return state
