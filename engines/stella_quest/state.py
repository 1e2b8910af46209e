"""A match as a value, and as a position that is searched, played on in place and written as JSON."""

from typing import Any, ClassVar, final

from engines.game import Json, Seat
from engines.int_state import NO_OPTION
from engines.stella_quest import events, numbers, players, scoring, table, view
from engines.stella_quest.cards import BACK_NAMES, COLOURS
from engines.stella_quest.moves import DRAW, MOVES, OPTIONS
from engines.stella_quest.players import NOBODY
from engines.stella_quest.table import TABLE_FIELDS
from engines.stella_quest.turns import NOT_ENDED, PLAY, STEPS, TURN_FIELDS, Turns

# where earlier versions of the house bots, which homes keep, import them from
DRAWN, HAND, DUMMY, ORDERS = table.DRAWN, table.HAND, players.DUMMY, players.ORDERS


@final
class State(Turns):
    """A match."""

    __slots__ = ()
    FIELDS: ClassVar[tuple[str, ...]] = (*TABLE_FIELDS, *TURN_FIELDS)

    def copy(self) -> "State":
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
        return MOVES[option]

    def find_option(self, move: Json) -> int:
        return OPTIONS.get(move, NO_OPTION) if isinstance(move, str) else NO_OPTION

    def reason(self, seat: Seat, move: Json) -> str:
        option = self.find_option(move)
        if option == NO_OPTION:
            return "not a move of stella-quest"
        kind, _, card = str(move).partition(" ")
        if self.stage == PLAY:
            if option == DRAW:
                if self.lights[seat] < 2:
                    return "the last light cannot be burnt"
                if len(self.hands[seat]) >= HAND:
                    return f"{HAND} cards are in hand"
                return "there is no card to draw"
            if option < DRAW:
                if option not in self.hands[seat]:
                    return f"{card} is not in hand"
                return f"{COLOURS[BACK_NAMES[self.lead]]} is led and in hand"
        elif STEPS[self.stage] == kind:
            return f"{card} is not on the table"
        return "not what is asked now"

    def write_choice(self, seat: Seat) -> bytes:
        return view.choice_bytes(self.options_of(seat))

    def write_view(self, seat: Seat | None) -> bytes:
        return view.view_bytes(self, seat)

    def write_events(self, seat: Seat | None) -> list[bytes]:
        return events.event_bytes(self, seat)

    def numbers(self, seat: Seat, buffer: Any) -> None:
        numbers.write_numbers(self, seat, buffer)

    def table_size(self) -> int:
        return len(self.lights)

    @property
    def round(self) -> int:
        return self.number

    def points(self) -> list[int]:
        return scoring.points(self)

    def standing(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return scoring.standing(self)

    def key(self) -> tuple[Any, ...]:
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
