"""A match as a value, and as a position that is searched, played on in place and written as JSON."""

from typing import Any, ClassVar, Final, final

from engines.game import Json, Seat
from engines.int_state import NO_OPTION
from engines.json_bytes import SMALL, write_list
from engines.stella_quest import numbers, players, scoring, table, view
from engines.stella_quest.cards import BACK_NAMES, COLOURS
from engines.stella_quest.moves import DRAW, MOVES, OPTIONS
from engines.stella_quest.players import DUMMY_CODE, NOBODY
from engines.stella_quest.table import (
    BEGAN,
    CLEARED,
    DREW,
    PLAYED,
    REFILLED,
    RESHUFFLED,
    SKIPPED,
    STARTED,
    TABLE_FIELDS,
    TOOK,
    WON,
    News,
)
from engines.stella_quest.turns import NOT_ENDED, PLAY, STEPS, TURN_FIELDS, Turns
from engines.stella_quest.view import (
    CARD_BACK_WORDS,
    CARD_WORDS,
    WHO_WORDS,
    ending_bytes,
    next_back_bytes,
    scores_bytes,
)


def _has_new_pile(state: Turns) -> bool:
    """Return whether the last step changed the draw pile: a card came off it, or a reshuffle made it."""
    moved = [
        kind for kind, who, _, _ in state.news if kind <= RESHUFFLED or (kind == PLAYED and who == DUMMY_CODE)
    ]
    return len(moved) > 0 and (len(state.pile) > 0 or moved[0] != RESHUFFLED)  # else as empty as before


def _by_player(kind: bytes, field: bytes) -> list[bytes]:
    """Return the beginning of an event of this *kind* for every player, up to *field*."""
    return [b'{"event":"%b","seat":%b%b' % (kind, who, field) for who in WHO_WORDS]


_PLAYED: Final[list[bytes]] = _by_player(b"play", b',"card":')
_DREW: Final[list[bytes]] = _by_player(b"draw", b',"lights":')
_REFILLED: Final[list[bytes]] = _by_player(b"refill", b',"lights":')
_WON: Final[list[bytes]] = _by_player(b"win", b"")
_TOOK: Final[list[bytes]] = _by_player(b"take", b',"card":')
_SKIPPED: Final[list[bytes]] = _by_player(b"skip", b"}")
_CLEARED: Final[list[bytes]] = [b',"marker":%b}' % who for who in WHO_WORDS]


def _event_bytes(state: Turns, news: News, seat: Seat | None) -> bytes:
    kind, who, number, cards = news
    if kind == PLAYED:
        return _PLAYED[who] + CARD_WORDS[number] + b"}"
    if kind in (DREW, REFILLED):
        head = _DREW[who] if kind == DREW else _REFILLED[who]
        own = b',"cards":' + write_list(CARD_WORDS, cards) + b"}" if seat == who else b"}"
        return head + SMALL[number] + b',"backs":' + write_list(CARD_BACK_WORDS, cards) + own
    if kind == WON:
        lights = b',"lights":' + SMALL[number] if who not in (NOBODY, DUMMY_CODE) else b""
        return _WON[who] + lights + b"}"
    if kind == TOOK:
        return _TOOK[who] + CARD_WORDS[cards[0]] + b',"lights":' + SMALL[number] + b"}"
    if kind == CLEARED:
        return b'{"event":"discard","top":' + CARD_WORDS[number] + _CLEARED[who]
    if kind == BEGAN:
        return b'{"event":"round","round":' + SMALL[number] + b',"leader":' + SMALL[who] + b"}"
    if kind == RESHUFFLED:
        return b'{"event":"reshuffle","cards":' + write_list(CARD_WORDS, cards) + b"}"
    if kind == SKIPPED:
        return _SKIPPED[who]
    if kind == STARTED:
        backs = b",".join([write_list(CARD_BACK_WORDS, hand) for hand in state.hands])
        own = b"}" if seat is None else b',"hand":' + write_list(CARD_WORDS, state.hands[seat]) + b"}"
        told = (state.first, CARD_WORDS[state.top], backs, next_back_bytes(state))
        return b'{"event":"start","options":{},"first":%d,"top":%b,"backs":[%b],"back":%b' % told + own
    return b'{"event":"over",' + ending_bytes(state) + b',"scores":' + scores_bytes(state) + b"}"


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
        told = [_event_bytes(self, news, seat) for news in self.news]
        if _has_new_pile(self):  # told once, at the end: the order of the cards of a step stays hidden
            back = next_back_bytes(self)
            told.append(b'{"event":"pile","pile":' + SMALL[len(self.pile)] + b',"back":' + back + b"}")
        return told

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
