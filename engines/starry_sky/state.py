"""A match as a value, and as a position that is searched, played on in place and written as JSON."""

from typing import Any, ClassVar, Final, final

from engines.game import Json, Seat
from engines.int_state import NO_OPTION
from engines.json_bytes import dumps, quote_words, write_list
from engines.starry_sky import numbers, view
from engines.starry_sky.boards import BOARD_OF, IS_LARGE, NAMES, PLACES
from engines.starry_sky.moves import MOVES, OPTIONS, STAR_IN, TOKEN_IN
from engines.starry_sky.table import EMPTY, TABLE_FIELDS
from engines.starry_sky.tokens import HIDDEN, TOKENS
from engines.starry_sky.turns import JUST_BEGUN, NO_BOARD, NOT_REMEMBERED, TURN_FIELDS, Turns
from engines.starry_sky.view import TOKEN_WORDS, scored_bytes

_START: Final = b'{"event":"start","options":{},"first":%d,"boards":%b}'
_PLACED: Final[list[bytes]] = [b'{"event":"place","seat":%d,"star":' % seat for seat in range(5)]
_STAR_WORDS: Final[list[bytes]] = [b'%b,"token":' % dumps(place) for place in PLACES]
_OPEN_WORDS: Final[list[bytes]] = [b'{"event":"open","board":%b,"at":' % dumps(name) for name in NAMES]
_SKIP_WORDS: Final[list[bytes]] = [b'{"event":"skip","seat":%d}' % seat for seat in range(5)]
_NAME_WORDS: Final[list[bytes]] = quote_words([*NAMES])
_HIDDEN_WORD: Final = dumps(HIDDEN)


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
        # the fields last_... are what the last step did; the rest of an event is the state itself
        option = self.last_option
        if option == NOT_REMEMBERED:
            return []
        if option == JUST_BEGUN:
            return [_START % (self.first, write_list(_NAME_WORDS, self.boards))]
        star, face = STAR_IN[option], TOKEN_WORDS[TOKEN_IN[option]]
        if IS_LARGE[star] and seat != self.last_seat:
            face = _HIDDEN_WORD
        told = [_PLACED[self.last_seat] + _STAR_WORDS[star] + face + b"}"]
        if self.last_board != NO_BOARD:
            told.append(b'{"event":"score",' + scored_bytes(self, len(self.scored) - 1) + b"}")
            if self.last_opened:
                following = self.pile[self.opened - 1]
                told.append(_OPEN_WORDS[following] + b"%d}" % self.boards.index(following))
        if self.last_skips:
            seats = len(self.hands)
            told += [_SKIP_WORDS[(self.last_seat + 1 + steps) % seats] for steps in range(self.last_skips)]
        return told

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
