"""A match as a value, and as a position that is searched, played on in place and written as JSON."""

from typing import Any, ClassVar, Final, final

from engines.game import Json, Seat
from engines.int_state import NO_OPTION
from engines.json_bytes import write_list
from engines.stellar import numbers, view
from engines.stellar.cards import BIT_OF, NAMES, NO_CARD
from engines.stellar.moves import (
    CARD_IN,
    INTO_NOTEBOOK,
    IS_DOWN,
    KEEP,
    MOVES,
    NO_SLOT,
    OPTIONS,
    PLACES,
    QUOTED,
    SLOT_IN,
    WIPE_ROW,
)
from engines.stellar.scoring import count
from engines.stellar.table import TABLE_FIELDS
from engines.stellar.turns import (
    JUST_BEGUN,
    NOT_CHOSEN,
    NOT_REMEMBERED,
    PLACE,
    PLAY,
    STARTER,
    TAKE,
    TURN_FIELDS,
    WIPE,
    Turns,
)
from engines.stellar.view import CARD_WORDS, row_bytes, scores_bytes

_TAKEN: Final[list[bytes]] = [
    b'{"event":"take","seat":%d,"slot":%d,"card":' % (seat, slot + 1) for seat in (0, 1) for slot in range(5)
]
_KEPT: Final[list[bytes]] = [b'{"event":"keep","seat":%d}' % seat for seat in (0, 1)]
_WIPED: Final[list[bytes]] = [b'{"event":"wipe","seat":%d,"row":' % seat for seat in (0, 1)]
_PLAYED: Final[list[bytes]] = [b'{"event":"play","seat":%d,"move":' % seat for seat in (0, 1)]
_PLACED: Final[list[bytes]] = [b'{"event":"place","seat":%d,"move":' % seat for seat in (0, 1)]
_SLOTS: Final[list[bytes]] = [b"%d" % (slot + 1) for slot in range(5)] + [b"null"]
"""The number of every row slot; the last one, at NO_SLOT, is the draw pile."""
_RESHUFFLED: Final = b',"reshuffled":true}'


def _hand_bytes(state: Turns, seat: Seat | None) -> bytes:
    """Return the end of an event that shows *seat* its hand."""
    if seat is None:
        return b"}"
    return b',"hand":' + write_list(CARD_WORDS, state.hands[seat]) + b"}"


def _turn_bytes(state: Turns) -> list[bytes]:
    """Return the events of decisions c and d."""
    seat, option = state.last_seat, state.last_option
    told: list[bytes] = []
    if state.last_stage == PLAY:
        card = state.last_card
        end = _RESHUFFLED if state.last_reshuffled else b"}"
        called = b',"slot":' + _SLOTS[state.last_slot] + b',"card":' + CARD_WORDS[card]
        told.append(_PLAYED[seat] + QUOTED[option] + called + end)
        if state.stage == PLACE:
            return told
        option = PLACES * card + INTO_NOTEBOOK  # the notebook follows by itself
    end = _RESHUFFLED if state.last_refilled else b"}"
    told.append(_PLACED[seat] + QUOTED[option] + b',"row":' + row_bytes(state.row) + end)
    return told


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
        # the fields last_... are what the last step did; the rest of an event is the state itself
        stage = self.last_stage
        if stage == TAKE:
            return [_TAKEN[5 * self.last_seat + self.last_slot] + CARD_WORDS[self.last_card] + b"}"]
        if stage == WIPE:
            if self.last_option != WIPE_ROW:
                return [_KEPT[self.last_seat]]
            end = _RESHUFFLED if self.last_reshuffled else b"}"
            return [_WIPED[self.last_seat] + row_bytes(self.row) + end]
        if stage in (PLAY, PLACE):
            return _turn_bytes(self)
        if stage == NOT_REMEMBERED:
            return []
        if stage == JUST_BEGUN:
            first, number = self.first, b'"three"' if self.always_three else b'"printed"'
            start = b'{"event":"start","options":{"face_down_number":%b},"first":%d' % (number, first)
            return [start + _hand_bytes(self, seat)]
        moves = b'"moves":' + write_list(QUOTED, [self.last_option, self.last_other])
        if stage == STARTER:
            notebooks = b",".join([write_list(CARD_WORDS, notebook) for notebook in self.notebooks])
            return [
                b'{"event":"starters",' + moves + b',"notebooks":[' + notebooks + b"]}",
                b'{"event":"deal","row":' + row_bytes(self.row) + _hand_bytes(self, seat),
            ]
        thrown = write_list(CARD_WORDS, self.thrown)
        return [
            b'{"event":"final",' + moves + b',"thrown":' + thrown + b',"scores":' + scores_bytes(self) + b"}"
        ]

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
