"""A match as a value, and as a position that is searched, played on in place and written as JSON."""

from __future__ import annotations

from random import Random
from typing import Any, Final, final

from engines.game import Json, Outcome, Seat
from engines.moves import check_move
from engines.stella_quest import events, players, scoring, table, view
from engines.stella_quest.legality import reason
from engines.stella_quest.moves import MOVES, OPTIONS
from engines.stella_quest.players import NOBODY
from engines.stella_quest.table import TABLE_FIELDS
from engines.stella_quest.turns import NOT_ENDED, OVER, PLAY, TURN_FIELDS, Turns

__all__ = ["State", "new_state"]

# where earlier versions of the house bots, which homes keep, import them from
DRAWN, HAND, DUMMY, ORDERS = table.DRAWN, table.HAND, players.DUMMY, players.ORDERS


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
        other.opening = self.opening
        other.number = self.number
        other.leader = self.leader
        other.marker = self.marker
        other.stage = self.stage
        other.seat = self.seat
        other.ending = self.ending
        other.ended_by = self.ended_by
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
        """Return the result, the points counted as they stand."""
        return scoring.outcome(self)

    def playout(self, rng: Random) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Play a copy to its end, every option equally likely; return ranks and scores."""
        state = self.copy()
        random = rng.random
        while state.stage != OVER:
            options = state.options_of(state.seat)
            state.play(options[int(random() * len(options))])
        outcome = scoring.outcome(state)
        return outcome.ranks, outcome.scores

    # -- values

    def key(self) -> tuple[Any, ...]:
        """Return all that makes the state what it is."""
        return (
            self.first,
            self.opening,
            self.number,
            self.leader,
            self.marker,
            self.stage,
            self.seat,
            self.ending,
            self.ended_by,
            self.top,
            self.lead,
            tuple(self.pile),
            tuple(sorted(self.discards)),
            tuple(self.table),
            tuple(self.by),
            tuple(self.lights),
            tuple([tuple(cards) for cards in (*self.hands, *self.collections)]),
            tuple(self.past),
            self.period(),
            tuple(map(tuple, self.orders)),
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickle, ([getattr(self, name) for name in _FIELDS],)


_FIELDS: Final = (*TABLE_FIELDS, *TURN_FIELDS)


def _unpickle(values: list[Any]) -> State:
    state = State()
    for name, value in zip(_FIELDS, values, strict=True):
        setattr(state, name, value)
    return state


def new_state(seats: int, first: Seat, opening: int, orders: list[list[int]]) -> State:
    """Return a state before the first decision of *first*, whose cards are put away: only *opening* lies."""
    state = State()
    state.clear_table(seats)
    state.orders = orders
    state.top, state.discards = opening, [opening]
    state.first = state.leader = state.seat = first
    state.opening = opening
    state.number = 1
    state.marker = NOBODY
    state.stage = PLAY
    state.ending, state.ended_by = NOT_ENDED, NOBODY
    return state
