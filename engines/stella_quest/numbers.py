"""Moves and views as numbers, for programs that learn.

What a view says is written from left to right, in the order of the columns.  The last field is the history:
the periods of the view, one after another, in a row of codes as long as a match can make it.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from engines.columns import ViewColumn, clear_buffer, code, count, list_columns, names_by_seat, write_counts
from engines.game import Json, Seat
from engines.stella_quest.cards import BACK_NAMES, BACK_OF, DECK, NAMES
from engines.stella_quest.moves import MOVES
from engines.stella_quest.players import DUMMY_CODE, NOBODY
from engines.stella_quest.table import HAND, LIGHTS
from engines.stella_quest.turns import NUMBER_OF_ROUNDS, OVER, Turns

_CARDS: Final = 25
_BACKS: Final = 5
assert len(NAMES) == _CARDS
assert len(BACK_NAMES) == _BACKS
_COPIES: Final = 6
_TAKEN: Final = 11
"""The most cards of a collection: six numbers, and five that each cost a light or more."""
_OF_SEAT: Final = _BACKS + _CARDS
"""How many codes of the history each seat has."""


def _most_history(seats: int) -> int:
    """Return how long the history can be: how many codes a match at a table of *seats* can make.

    A seat plays at most a card a round, and has received no more than it played and holds.  What is not dealt
    at the start is drawn from the pile, so all piles together have no more cards than that, and the last.
    """
    dummy = NUMBER_OF_ROUNDS if seats == 2 else 0
    received = NUMBER_OF_ROUNDS + HAND
    drawn = seats * (received - 5) + dummy
    return seats * (received + NUMBER_OF_ROUNDS) + received + dummy + drawn + len(DECK)


@cache  # they take milliseconds, and bots start fast
def _list_columns(seats: int) -> tuple[ViewColumn, ...]:
    each, playing = names_by_seat(seats), [f"{place}" for place in range(max(seats, 3))]
    taken = names_by_seat(seats, [f"{place}" for place in range(_TAKEN)])
    history = [f"{place}" for place in range(_most_history(seats))]
    who = "1 you, 2 the next clockwise"
    codes = 2 * _CARDS + seats * _OF_SEAT + _CARDS
    return list_columns(
        [
            code("seat", seats - 1, "your seat"),
            code("first", seats, f"the leader of round 1: {who}"),
            code("opening", _CARDS, "the card that was turned up at the start"),
            count("round", NUMBER_OF_ROUNDS, "the round"),
            code("step", OVER, "the decision to make, in the order of `stage`"),
            code("turn", seats, f"the seat that is asked: {who}; 0: the match is over"),
            code("leader", seats, f"the leader of this round: {who}"),
            code("lead", _BACKS, "the leading colour, as a back; 0: none"),
            code("marker", 5, f"who has the Black Star: {who}; 5 the Dummy; 0: nobody"),
            code("top", _CARDS, "the top discard"),
            count("pile", len(DECK), "cards in the draw pile"),
            code("back", _BACKS, "the back of its next card; 0: none"),
            count("reshuffles", _most_history(seats), "times that the discards have become the draw pile"),
            code("why", 4, "`ending.why`: 1 enlightened, 2 eliminated, 3 rounds, 4 cards; 0: not over"),
            code("ended_by", seats, f"`ending.seat`: {who}; 0: none"),
            code("table", _CARDS, "the cards of this round, in the order played; 0: none", playing),
            code("by", 5, f"who played each of them: {who}; 5 the Dummy", playing),
            count("lights", LIGHTS, "by seat, lights", each),
            count("hands", HAND, "by seat, cards in hand", each),
            count("backs", HAND, "by seat, cards in hand with each back", names_by_seat(seats, BACK_NAMES)),
            count("hand", _COPIES, "copies of each card in your hand", NAMES),
            count("discards", _COPIES, "copies of each card in the discard pile", NAMES),
            code("collections", _CARDS, "by seat, the cards taken, in the order taken; 0: none", taken),
            code("history", codes, "the periods, as the text below says; 0: nothing more", history),
        ]
    )


def vocabulary(seats: int, options: Mapping[str, Json]) -> tuple[str, ...]:
    """Return the notation of every option, at the place that is its number.

    Two of them are never offered: no Break Card is taken, and none is chosen as the top.
    """
    return tuple(MOVES)


def columns(seats: int, options: Mapping[str, Json]) -> tuple[ViewColumn, ...]:
    """Return what each number is at a table of *seats*."""
    return _list_columns(seats)


def write_numbers(state: Turns, seat: Seat, buffer: Any) -> None:
    """Write all that *seat* knows, a card or back as its code + 1.  Raises ValueError for a wrong buffer."""
    seats = len(state.lights)
    out = clear_buffer(buffer, len(_list_columns(seats)))
    out[0] = seat
    out[1] = 1 + (state.first - seat) % seats
    out[2] = state.opening + 1
    out[3] = state.number
    out[4] = state.stage
    if state.stage != OVER:
        out[5] = 1 + (state.seat - seat) % seats
    out[6] = 1 + (state.leader - seat) % seats
    out[7] = state.lead + 1
    out[8] = _player(state.marker, seat, seats)
    out[9] = state.top + 1
    out[10] = len(state.pile)
    if state.pile:
        out[11] = BACK_OF[state.pile[-1]] + 1
    out[12] = len(state.past)
    out[13] = state.ending + 1
    out[14] = _player(state.ended_by, seat, seats)
    at, playing = 15, max(seats, 3)
    for place, card in enumerate(state.table):
        out[at + place] = card + 1
        out[at + playing + place] = _player(state.by[place], seat, seats)
    at = _write_seats(state, seat, out, at + 2 * playing)
    _write_history(state, seat, out, at)


def _player(who: int, seat: Seat, seats: int) -> int:
    """Return the number of a player as *seat* sees it: 1 is the own seat, 0 nobody."""
    if who in (NOBODY, DUMMY_CODE):
        return who + 1
    return 1 + (who - seat) % seats


def _write_seats(state: Turns, seat: Seat, out: memoryview, at: int) -> int:
    """Write from *at* on what lies before the seats, and the discards; return where the next number goes."""
    seats = len(state.lights)
    cards = at + 2 * seats + _BACKS * seats
    collections = cards + 2 * _CARDS
    for r in range(seats):
        who = (seat + r) % seats
        out[at + r] = state.lights[who]
        hand = state.hands[who]
        out[at + seats + r] = len(hand)
        first, before, count = at + 2 * seats + _BACKS * r, -1, 0
        for card in hand:  # sorted, so that cards with one back follow each other
            back = BACK_OF[card]
            count = count + 1 if back == before else 1
            before = back
            out[first + back] = count
        place = collections + _TAKEN * r
        for card in state.collections[who]:
            out[place] = card + 1
            place += 1
    write_counts(out, cards, state.hands[seat])
    write_counts(out, cards + _CARDS, sorted(state.discards))
    return collections + _TAKEN * seats


def _write_history(state: Turns, seat: Seat, out: memoryview, at: int) -> None:
    """Write the periods from *at* on: of each its pile, what each seat received and played, and the Dummy."""
    seats = len(state.lights)
    for period in state.past:
        at = _write_all(out, at, 1, period.cards)
        for r in range(seats):
            who = (seat + r) % seats
            at = _write_parts(out, at, 1 + _CARDS + _OF_SEAT * r, period.backs[who], period.played[who])
        at = _write_all(out, at, 1 + _CARDS + _OF_SEAT * seats, period.received[seat])
        at = _write_all(out, at, 1 + 2 * _CARDS + _OF_SEAT * seats, period.dummy)
    # the period that is not over yet: in the state, not among the past ones
    at = _write_all(out, at, 1, state.made_of)
    for r in range(seats):
        who = (seat + r) % seats
        at = _write_parts(out, at, 1 + _CARDS + _OF_SEAT * r, state.backs[who], state.played[who])
    at = _write_all(out, at, 1 + _CARDS + _OF_SEAT * seats, sorted(state.received[seat]))
    _write_all(out, at, 1 + 2 * _CARDS + _OF_SEAT * seats, sorted(state.dummy))


def _write_parts(
    out: memoryview, at: int, first: int, backs: Sequence[Sequence[int]], played: Sequence[Sequence[int]]
) -> int:
    """Write what a seat received and played, in turn; its codes begin at *first*."""
    for place, received in enumerate(backs):
        at = _write_all(out, at, first, received)
        at = _write_all(out, at, first + _BACKS, played[place])
    return at


def _write_all(out: memoryview, at: int, first: int, codes: Sequence[int]) -> int:
    """Write each of *codes*, counted from *first*; return where the next number goes."""
    for each in codes:
        out[at] = first + each
        at += 1
    return at
