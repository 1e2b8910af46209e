"""A match as a value, and as a position that is searched, played on in place and written as JSON."""

from typing import Any, ClassVar, final

from engines.game import Json, Seat
from engines.int_state import NO_OPTION
from engines.stellar import events, numbers, view
from engines.stellar.cards import BIT_OF, NAMES, NO_CARD
from engines.stellar.moves import CARD_IN, IS_DOWN, KEEP, MOVES, NO_SLOT, OPTIONS, SLOT_IN
from engines.stellar.scoring import count
from engines.stellar.table import TABLE_FIELDS
from engines.stellar.turns import NOT_CHOSEN, NOT_REMEMBERED, STARTER, TURN_FIELDS, Turns


@final
class State(Turns):
    """A match."""

    __slots__ = ()
    FIELDS: ClassVar[tuple[str, ...]] = (*TABLE_FIELDS, *TURN_FIELDS)

    def copy(self) -> "State":
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
        return MOVES[option]

    def find_option(self, move: Json) -> int:
        return OPTIONS.get(move, NO_OPTION) if isinstance(move, str) else NO_OPTION

    def reason(self, seat: Seat, move: Json) -> str:
        option = self.find_option(move)
        if option == NO_OPTION:
            return "not a move of stellar"
        if option >= KEEP:
            return "not what is asked now"
        card, slot, waiting = CARD_IN[option], SLOT_IN[option], self.waiting
        if waiting != NO_CARD and card != waiting:
            return f"{NAMES[waiting]} must be placed"
        if waiting == NO_CARD and card not in self.hands[seat]:
            return f"{NAMES[card]} is not in hand"
        place = MOVES[option].partition("@")[2]
        if slot != NO_SLOT and not self.free[seat] & BIT_OF[slot]:
            return f"{place.split()[0]} is not free"
        if slot != NO_SLOT and not IS_DOWN[option] and not self.upright(seat, card) & BIT_OF[slot]:
            return f"{place} is not beside a card of the type of {NAMES[card]}"
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
        return 2

    @property
    def round(self) -> int:
        return 1 + self.turn // 2

    def points(self) -> list[int]:
        return [each["total"] for each in count(self.telescopes, self.notebooks)]

    def key(self) -> tuple[Any, ...]:
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
