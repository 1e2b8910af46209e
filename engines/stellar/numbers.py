"""Moves and views as numbers, for programs that learn.

What a view says is written from left to right, in the order of the columns.
"""

from collections.abc import Mapping
from typing import Any, Final

from engines.columns import ViewColumn, clear_buffer, list_columns, names_by_seat
from engines.game import Json, Seat
from engines.stellar.cards import NAMES, NO_CARD, SLOTS
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
            ("seat", [""], 1, True, "your seat"),
            ("three", [""], 1, False, "1 if `face_down_number` is `three`"),
            ("first", [""], 2, True, "the seat of turn 0: 1 you, 2 the other"),
            ("turn", [""], TURNS, False, "turns that are over"),
            ("step", [""], OVER, True, "the decision to make, in the order of `stage`"),
            ("satellite", [""], 1, False, "1 after a satellite was taken, until the end of that turn"),
            ("row", "12345", _CARDS, True, "the card in each row slot; 0: a gap"),
            ("waiting", [""], _CARDS, True, "the card to be placed; 0: none"),
            ("pile", [""], 60, False, "cards in the draw pile"),
            (
                "reshuffles",
                [""],
                _MOST_RESHUFFLES,
                False,
                "times that the discards have become the draw pile",
            ),
            ("thrown", names_by_seat(2), _CARDS, True, "at `over` the card left over, by seat; else 0"),
            ("hands", names_by_seat(2), 3, False, "cards in hand, by seat"),
            ("hand", NAMES, 2, False, "copies of each card in your hand"),
            ("discards", NAMES, 2, False, "copies of each card in the discard pile"),
            (
                "pile_cards",
                NAMES,
                2,
                False,
                "after a reshuffle, copies of each card in the draw pile; else 0",
            ),
            ("telescope", names_by_seat(2, SLOTS), _CARDS, True, "by seat, the card in each slot; 0: none"),
            ("down", names_by_seat(2, SLOTS), 1, False, "by seat, 1 for each slot whose card lies face down"),
            ("notebook", names_by_seat(2, NAMES), 2, False, "by seat, copies of each card in the notebook"),
            ("known", names_by_seat(2, NAMES), 2, False, "by seat, copies known to be in the hand"),
        ]
    )


def write_numbers(state: Turns, seat: Seat, buffer: Any) -> None:
    """Write all that *seat* knows into *buffer*, a number for each column.

    A card is its code + 1.  Raises ValueError for a buffer of another size.
    """
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
    at = _count(out, 18, state.hands[seat])
    at = _count(out, at, state.discards)
    at = _count(out, at, sorted(state.pile)) if state.reshuffles else at + _CARDS
    at = _lay(out, at, state.telescopes[seat])
    at = _lay(out, at, state.telescopes[other])
    at += 2 * _SLOTS  # _lay has written them as well
    at = _count(out, at, state.notebooks[seat])
    at = _count(out, at, state.notebooks[other])
    at = _count(out, at, state.known[seat])
    _count(out, at, state.known[other])


def _count(out: memoryview, at: int, cards: list[int]) -> int:
    """Write how many of each card are in *cards*, which are sorted; return where the next number goes."""
    before = NO_CARD
    copies = 0
    for card in cards:
        copies = copies + 1 if card == before else 1
        before = card
        out[at + card] = copies
    return at + _CARDS


def _lay(out: memoryview, at: int, telescope: list[int]) -> int:
    """Write the cards of a telescope, and behind both telescopes which of them lie face down."""
    for option in telescope:
        slot = at + SLOT_IN[option]
        out[slot] = CARD_IN[option] + 1
        if IS_DOWN[option]:
            out[slot + 2 * _SLOTS] = 1
    return at + _SLOTS
