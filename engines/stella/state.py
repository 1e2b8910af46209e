"""A match as a value, and as a position that is searched, played on in place and written as JSON."""

from typing import Any, Final, final

from engines.game import Json, Move, Seat
from engines.int_state import NO_OPTION
from engines.json_bytes import SMALL, write_list
from engines.stella import numbers, view
from engines.stella.cards import Grid, Luck, cards_of
from engines.stella.grid import BIT_OF, places_in, places_of_round
from engines.stella.moves import CROSSES, KEEP, SHOW_WORD, VOTE_MOVES
from engines.stella.scoring import NO_SEAT
from engines.stella.table import SEAT_BITS, past_of_key
from engines.stella.turns import JUST_BEGUN, NOT_REMEMBERED, SHOW, VOTE, Turns
from engines.stella.view import IN_SEATS, SEAT_WORDS, SEATS_WORDS, crosses_bytes, option_bytes, write_word


def _last_show(state: Turns) -> tuple[Grid, int, list[int]]:
    """Return the grid of the last show, the card as Table.shown keeps it, and the stars after it."""
    if state.stage == SHOW:
        return state.grid, state.shown[-1], state.stars
    past = state.past[-1]
    return past.grid, past.shown[-1], past.stars


_FALLS: Final[list[bytes]] = [b'{"event":"fall","seat":%d}' % seat for seat in range(6)]
_VOTED: Final[list[bytes]] = [b'{"event":"vote","flipped":%b,"word":' % said for said in (b"false", b"true")]


def _round_bytes(state: Turns) -> bytes:
    """Return the event of a round that begins."""
    number, top, upside_down = state.number, *state.luck.words[state.number - 1]
    places, words, cards = places_of_round(number), state.luck.cards.picture_words, state.grid.cards
    if state.stage == VOTE:
        word = b',"words":[' + write_word(top) + b"," + write_word(upside_down) + b"]}"
    else:
        word = b',"word":' + write_word(top) + b"}"
    return b"".join(
        [
            b'{"event":"round","round":%d,"places":' % number,
            write_list(SMALL, [*places]),
            b',"cards":[',
            b",".join([words[cards[place]] for place in places]),
            b"]",
            word,
        ]
    )


def _show_bytes(state: Turns) -> list[bytes]:
    """Return the events of decision 3, and of the round that it may have ended."""
    seat, going_on = state.last_seat, state.stage == SHOW
    grid, card, stars = _last_show(state)
    crossed, filled = card & IN_SEATS, write_list(SMALL, stars)
    show = b"".join(
        [
            b'{"event":"show","seat":',
            SMALL[seat],
            b',"card":',
            state.luck.cards.name_words[grid.cards[card >> SEAT_BITS]],
            b',"crossed":',
            SEATS_WORDS[crossed],
            b',"stars":',
            filled,
            b',"scout":',
            SEAT_WORDS[state.seat if going_on else NO_SEAT],
            b"}",
        ]
    )
    told = [show]
    if not crossed & (crossed - 1):
        told.append(_FALLS[seat])
    if going_on:
        return told
    past = state.past
    scores = write_list(SMALL, past[-1].scores)
    told.append(b'{"event":"score","round":%d,"stars":%b,"scores":%b}' % (len(past), filled, scores))
    if not state.over:
        told.append(_round_bytes(state))
    return told


@final
class State(Turns):
    """A match."""

    __slots__ = ()

    def copy(self) -> "State":
        other = State()
        other.copy_table(self)
        other.stage = self.stage
        other.seat = self.seat
        other.chosen = self.chosen.copy()
        other.last_stage = NOT_REMEMBERED
        other.last_seat = 0
        return other

    def move_of(self, option: int) -> Move:
        if option < KEEP:
            return self.luck.cards.shows[self.grid.cards[option]]
        if option < CROSSES:
            return VOTE_MOVES[option - KEEP]
        names = self.grid.names
        return tuple([names[place] for place in places_in(option - CROSSES)])

    def find_option(self, move: Json) -> int:
        if self.stage == SHOW:
            if not isinstance(move, str):
                return NO_OPTION
            card, grid = self.luck.cards.show_codes.get(move, NO_OPTION), self.grid.cards
            return grid.index(card) if card in grid else NO_OPTION
        if self.stage == VOTE:
            return KEEP + VOTE_MOVES.index(move) if move in VOTE_MOVES else NO_OPTION
        return self._find_crosses(move) if isinstance(move, (list, tuple)) else NO_OPTION

    def _find_crosses(self, move: Json) -> int:
        """Return the option of decision 2 that *move*, a list, means; NO_OPTION if it is not one."""
        codes, grid, crosses = self.luck.cards.codes, self.grid.cards, CROSSES
        for name in move:
            card = codes.get(name, NO_OPTION) if isinstance(name, str) else NO_OPTION
            if card not in grid:
                return NO_OPTION
            bit = BIT_OF[grid.index(card)]
            if crosses - CROSSES & bit:
                return NO_OPTION  # the same card twice
            crosses += bit
        return crosses

    def reason(self, seat: Seat, move: Json) -> str:
        cards = self.grid.names
        if not isinstance(move, str):
            return "" if all(card in cards for card in move) else "not a card of the grid"
        if move in VOTE_MOVES or (move.startswith(SHOW_WORD) and self.stage != SHOW):
            return "not what is asked now"
        if not move.startswith(SHOW_WORD):
            return "not a move of stella"
        card = move.removeprefix(SHOW_WORD)
        if card not in cards:
            return "not a card of the grid"
        shown = not self.hidden & BIT_OF[cards.index(card)]
        return f"{card} has been shown already" if shown else f"no cross of yours is on {card}"

    def write_choice(self, seat: Seat) -> bytes:
        return view.choice_bytes(self, seat)

    def write_view(self, seat: Seat | None) -> bytes:
        return view.view_bytes(self, seat)

    def write_events(self, seat: Seat | None) -> list[bytes]:
        # the fields last_... are what the last step did; the rest of an event is the state itself
        stage, luck = self.last_stage, self.luck
        if stage == SHOW:
            return _show_bytes(self)
        if stage == NOT_REMEMBERED:
            return []
        if stage == JUST_BEGUN:
            told = (luck.seats, option_bytes(luck), luck.first)
            return [b'{"event":"start","seats":%d,"options":%b,"first":%d}' % told, _round_bytes(self)]
        if stage == VOTE:
            return [_VOTED[self.flipped] + write_word(luck.words[self.number - 1][self.flipped]) + b"}"]
        pieces = [
            b'{"event":"announce","counts":',
            write_list(SMALL, self.counts),
            b',"dark":',
            SEAT_WORDS[self.dark],
            b',"scout":',
            SEAT_WORDS[self.seat],
        ]
        if seat is not None:
            pieces.append(b',"crosses":')
            pieces.append(crosses_bytes(luck, self.grid, self.crosses[seat]))
        pieces.append(b"}")
        return [b"".join(pieces)]

    def numbers(self, seat: Seat, buffer: Any) -> None:
        numbers.write_numbers(self, seat, buffer)

    def table_size(self) -> int:
        return self.luck.seats

    @property
    def round(self) -> int:
        return self.number

    def points(self) -> list[int]:
        return self.scores.copy()  # of the finished rounds (SD25)

    def key(self) -> tuple[Any, ...]:
        luck = self.luck
        return (
            (
                luck.seats,
                luck.first,
                luck.word_vote,
                luck.first_game,
                luck.cards.deck,
                tuple(luck.order),
                luck.words,
            ),
            (self.stage, self.seat, self.number),
            (
                tuple(self.grid.cards),
                self.flipped,
                tuple(self.crosses),
                tuple(self.shown),
                self.fallen,
                tuple(self.stars),
                tuple(self.sparks),
            ),
            tuple(self.scores),
            tuple([past.key() for past in self.past]),
            tuple(self.chosen),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return False
        # decks with the same pictures in another order are equal, but their codes mean other pictures
        return self.luck.cards.names == other.luck.cards.names and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_key, self.key()


def _from_key(
    luck: tuple[Any, ...], asked: tuple[int, int, int], round_: tuple[Any, ...], *more: tuple[Any, ...]
) -> State:
    seats, first, word_vote, first_game, deck, order, words = luck
    scores, past, chosen = more
    cards = cards_of(deck)
    state = new_state(Luck(seats, first, word_vote, first_game, cards, [*order], words))
    state.stage, state.seat, state.number = asked
    grid, flipped, crosses, shown, fallen, stars, sparks = round_
    state.restore_round(Grid([*grid], cards), flipped, [*crosses], [*shown], fallen, [*stars], [*sparks])
    state.scores, state.past, state.chosen = [*scores], [past_of_key(key, cards) for key in past], [*chosen]
    return state


def new_state(luck: Luck) -> State:
    """Return a state without a round: begin one, or restore one and tell its number and the decision."""
    state = State()
    state.luck = luck
    state.scores = [0] * luck.seats
    state.past, state.chosen = [], []
    state.last_stage = NOT_REMEMBERED
    state.last_seat = 0
    return state
