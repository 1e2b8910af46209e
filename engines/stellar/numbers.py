"""Moves and views as numbers, for programs that learn; a view is written in the order of the columns."""

from collections.abc import Mapping
from typing import Any, Final

from engines.columns import ViewColumn, clear_buffer, code, count, list_columns, names_by_seat, write_counts
from engines.game import Json, Seat
from engines.stellar.cards import NAMES, SLOTS
from engines.stellar.moves import CARD_IN, IS_DOWN, MOVES, SLOT_IN
from engines.stellar.turns import OVER, TURNS, Turns

_CARDS: Final = 50
_SLOTS: Final = 12
assert len(NAMES) == _CARDS
assert len(SLOTS) == _SLOTS
_MOST_RESHUFFLES: Final = 7 * TURNS
"""A turn draws at most seven cards, and each reshuffle is for one of them."""
_WIDTH: Final = 416
"""The number of columns."""


def vocabulary(seats: int, options: Mapping[str, Json]) -> tuple[str, ...]:
    """Return the notation of every option, at the place that is its number."""
    return tuple(MOVES)


def columns(seats: int, options: Mapping[str, Json]) -> tuple[ViewColumn, ...]:
    """Return what each number is: the same at every table."""
    return list_columns(
        [
            code("seat", 1, "your seat"),
            count("three", 1, "1 if `face_down_number` is `three`"),
            code("first", 2, "the seat of turn 0: 1 you, 2 the other"),
            count("turn", TURNS, "turns that are over"),
            code("step", OVER, "the decision to make, in the order of `stage`"),
            count("satellite", 1, "1 after a satellite was taken, until the end of that turn"),
            code("row", _CARDS, "the card in each row slot; 0: a gap", "12345"),
            code("waiting", _CARDS, "the card to be placed; 0: none"),
            count("pile", 60, "cards in the draw pile"),
            count("reshuffles", _MOST_RESHUFFLES, "times that the discards have become the draw pile"),
            code("thrown", _CARDS, "at `over` the card left over, by seat; else 0", names_by_seat(2)),
            count("hands", 3, "cards in hand, by seat", names_by_seat(2)),
            count("hand", 2, "copies of each card in your hand", NAMES),
            count("discards", 2, "copies of each card in the discard pile", NAMES),
            count("pile_cards", 2, "after a reshuffle, copies of each card in the draw pile; else 0", NAMES),
            code("telescope", _CARDS, "by seat, the card in each slot; 0: none", names_by_seat(2, SLOTS)),
            count("down", 1, "by seat, 1 for each slot whose card lies face down", names_by_seat(2, SLOTS)),
            count("notebook", 2, "by seat, copies of each card in the notebook", names_by_seat(2, NAMES)),
            count("known", 2, "by seat, copies known to be in the hand", names_by_seat(2, NAMES)),
        ]
    )


def write_numbers(state: Turns, seat: Seat, buffer: Any) -> None:
    """Write all that *seat* knows, a card as its code + 1.  Raises ValueError for a wrong buffer."""
    out = clear_buffer(buffer, _WIDTH)
    other = 1 - seat
    out[0] = seat
    out[1] = int(state.always_three)
    out[2] = 1 if state.first == seat else 2
    out[3] = state.turn
    out[4] = state.stage
    out[5] = int(state.satellite)
    at = 6
    for card in state.row:
        out[at] = card + 1
        at += 1
    out[11] = state.waiting + 1
    out[12] = len(state.pile)
    out[13] = state.reshuffles
    if state.thrown:
        out[14] = state.thrown[seat] + 1
        out[15] = state.thrown[other] + 1
    out[16] = len(state.hands[seat])
    out[17] = len(state.hands[other])
    at = 18
    for cards in (state.hands[seat], state.discards, sorted(state.pile) if state.reshuffles else []):
        write_counts(out, at, cards)
        at += _CARDS
    at = _lay(out, at, state.telescopes[seat])
    at = _lay(out, at, state.telescopes[other])
    at += 2 * _SLOTS  # _lay has written them as well
    for cards in (state.notebooks[seat], state.notebooks[other], state.known[seat], state.known[other]):
        write_counts(out, at, cards)
        at += _CARDS


def _lay(out: memoryview, at: int, telescope: list[int]) -> int:
    """Write the cards of a telescope, and behind both telescopes which of them lie face down."""
    for option in telescope:
        slot = at + SLOT_IN[option]
        out[slot] = CARD_IN[option] + 1
        if IS_DOWN[option]:
            out[slot + 2 * _SLOTS] = 1
    return at + _SLOTS
