"""A match as a value, and as a position that is searched, played on in place and written as JSON."""

from __future__ import annotations

from random import Random
from typing import Any, Final, final

from engines.game import Json, Outcome, Seat
from engines.moves import check_move
from engines.stellar import events, view
from engines.stellar.cards import NO_CARD
from engines.stellar.legality import reason
from engines.stellar.moves import MOVES, NO_SLOT, OPTIONS
from engines.stellar.scoring import count
from engines.stellar.table import TABLE_FIELDS
from engines.stellar.turns import NOT_CHOSEN, NOT_REMEMBERED, OVER, STARTER, TURN_FIELDS, Turns

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
        other.always_three = self.always_three
        other.turn = self.turn
        other.stage = self.stage
        other.seat = self.seat
        other.chosen = self.chosen
        other.satellite = self.satellite
        other.waiting = self.waiting
        other.last_stage = NOT_REMEMBERED
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
        return view.choice_bytes(self.options_of(seat))

    def write_view(self, seat: Seat | None) -> bytes:
        """Return everything that *seat* knows; None is a spectator."""
        return view.view_bytes(self, seat)

    def write_events(self, seat: Seat | None) -> list[bytes]:
        """Return the events of the last step, as *seat* saw them."""
        return events.event_bytes(self, seat)

    # -- the end

    def outcome(self) -> Outcome:
        """Return the result, the cards counted as they lie."""
        one, other = count(self.telescopes, self.notebooks)
        return Outcome.ranked((one.total, other.total))

    def playout(self, rng: Random) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Play a copy to its end, every option equally likely; return ranks and scores."""
        state = self.copy()
        random = rng.random
        while state.stage != OVER:
            options = state.options_of(state.seat)
            state.play(options[int(random() * len(options))])
        left, right = count(state.telescopes, state.notebooks)
        one, other = left.total, right.total
        return (1 + (other > one), 1 + (one > other)), (one, other)

    # -- values

    def key(self) -> tuple[Any, ...]:
        """Return all that makes the state what it is."""
        return (
            self.first,
            self.always_three,
            self.turn,
            self.stage,
            self.seat,
            self.chosen,
            self.satellite,
            self.waiting,
            self.reshuffles,
            tuple(self.row),
            tuple(self.pile),
            tuple(self.discards),
            tuple(self.thrown),
            tuple([tuple(cards) for cards in (*self.hands, *self.known, *self.notebooks, *self.telescopes)]),
            tuple(map(tuple, self.orders)),
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


def new_state(first: Seat, always_three: bool, orders: list[list[int]]) -> State:
    """Return a state before the first decision, with all cards put away."""
    state = State()
    state.clear_table()
    state.orders = orders
    state.first = first
    state.always_three = always_three
    state.turn = 0
    state.stage = STARTER
    state.seat = 0
    state.chosen = NOT_CHOSEN
    state.satellite = False
    state.waiting = NO_CARD
    state.last_stage = NOT_REMEMBERED
    state.last_seat = 0
    state.last_option = state.last_other = NOT_CHOSEN
    state.last_card = NO_CARD
    state.last_slot = NO_SLOT
    state.last_reshuffled = state.last_refilled = False
    return state
