"""A match as a value, and as a position that is searched, played on in place and written as JSON."""

from typing import Any, ClassVar, final

from engines.game import Json, Seat
from engines.int_state import NO_OPTION
from engines.starry_sky import events, numbers, view
from engines.starry_sky.boards import BOARD_OF, NAMES, PLACES
from engines.starry_sky.moves import MOVES, OPTIONS, STAR_IN, TOKEN_IN
from engines.starry_sky.table import EMPTY, TABLE_FIELDS
from engines.starry_sky.tokens import TOKENS
from engines.starry_sky.turns import NO_BOARD, NOT_REMEMBERED, TURN_FIELDS, Turns


@final
class State(Turns):
    """A match."""

    __slots__ = ()
    FIELDS: ClassVar[tuple[str, ...]] = (*TABLE_FIELDS, *TURN_FIELDS)

    def copy(self) -> "State":
        other = State()
        other.copy_table(self)
        other.first = self.first
        other.turn = self.turn
        other.seat = self.seat
        other.last_option = NOT_REMEMBERED
        return other

    def move_of(self, option: int) -> str:
        return MOVES[option]

    def find_option(self, move: Json) -> int:
        return OPTIONS.get(move, NO_OPTION) if isinstance(move, str) else NO_OPTION

    def reason(self, seat: Seat, move: Json) -> str:
        option = self.find_option(move)
        if option == NO_OPTION:
            return "not a move of starry-sky"
        star = STAR_IN[option]
        if BOARD_OF[star] not in self.boards:
            return f"{NAMES[BOARD_OF[star]]} is not in play"
        if self.laid[star] != EMPTY:
            return f"{PLACES[star]} is not free"
        return f"{TOKENS[TOKEN_IN[option]]} is not in hand"

    def write_choice(self, seat: Seat) -> bytes:
        return view.choice_bytes(self, seat)

    def write_view(self, seat: Seat | None) -> bytes:
        return view.view_bytes(self, seat)

    def write_events(self, seat: Seat | None) -> list[bytes]:
        return events.event_bytes(self, seat)

    def numbers(self, seat: Seat, buffer: Any) -> None:
        numbers.write_numbers(self, seat, buffer)

    def table_size(self) -> int:
        return len(self.hands)

    @property
    def round(self) -> int:
        return 1 + self.turn // len(self.hands)

    def points(self) -> list[int]:
        return self.coins.copy()  # as they are (B18)

    def key(self) -> tuple[Any, ...]:
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
