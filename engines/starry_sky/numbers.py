"""Moves and views as numbers, for programs that learn; a view is written in the order of the columns."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from engines.columns import ViewColumn, clear_buffer, code, count, list_columns, names_by_seat
from engines.game import Json, Seat
from engines.starry_sky.boards import BOARD_OF, IS_LARGE, NAMES, PLACES, STARS
from engines.starry_sky.moves import MOVES
from engines.starry_sky.table import EMPTY, OWNER_IN, TOKEN_THAT
from engines.starry_sky.tokens import BOTH, COUNT_OF, EACH_IN, KINDS, KINDS_IN, SECOND, TOKENS
from engines.starry_sky.turns import Turns

_BOARDS: Final = 12
assert len(NAMES) == _BOARDS
_MOST_COINS: Final = 144
"""The prizes of all boards together; no board pays more than its two prizes."""
_MOST_PAID: Final = 16
_HIDDEN: Final = KINDS + 1
"""Stands for a token of another seat that lies face down."""
_LARGE: Final[list[str]] = [place for star, place in enumerate(PLACES) if IS_LARGE[star]]
_LARGE_BEFORE: Final[list[int]] = [sum(IS_LARGE[:star]) for star in range(STARS)]
"""For each star, how many large ones there are before it."""


@cache  # they take milliseconds, and bots start fast
def _list_columns(seats: int) -> tuple[ViewColumn, ...]:
    each, places = names_by_seat(seats), [f"{place}" for place in range(_BOARDS)]
    paid = [f"{board}.{seat}" for board in NAMES for seat in range(seats)]
    excluded = [f"{star}.{token}" for star in _LARGE for token in TOKENS]
    return list_columns(
        [
            code("seat", seats - 1, "your seat"),
            code("first", seats, "the seat that began: 1 you, 2 the next clockwise"),
            count("turn", STARS, "tokens placed so far"),
            code("next", seats, "the seat that is asked: 1 you, 2 the next clockwise; 0: the match is over"),
            count("pile", _BOARDS, "boards still to come"),
            count("coins", _MOST_COINS, "by seat, coins", each),
            count("hands", 9, "by seat, tokens in hand", each),
            code("boards", _BOARDS, "the board at each place; 0: none", places[:seats]),
            code("scored", _BOARDS, "the boards that are scored, oldest first; 0: none", places),
            count("paid", _MOST_PAID, "coins won on each scored board, by seat", paid),
            count("hand", 2, "how many of each token are in your hand", TOKENS),
            code(
                "owner",
                seats,
                "whose token lies on each star: 1 yours, 2 that of the next clockwise; 0: none",
                PLACES,
            ),
            code("token", _HIDDEN, "which it is, 1 to 8; 9: face down, and not yours; 0: none", PLACES),
            count(
                "excluded",
                2,
                "for each large star, how many of each token of its owner it cannot be",
                excluded,
            ),
            count(
                "rarer", STARS, "for each large star, `rarer` as a power of 2; 0 if it is not there", _LARGE
            ),
        ]
    )


def vocabulary(seats: int, options: Mapping[str, Json]) -> tuple[str, ...]:
    """Return the notation of every option, at the place that is its number."""
    return tuple(MOVES)


def columns(seats: int, options: Mapping[str, Json]) -> tuple[ViewColumn, ...]:
    """Return what each number is at a table of *seats*."""
    return _list_columns(seats)


def write_numbers(state: Turns, seat: Seat, buffer: Any) -> None:
    """Write all that *seat* knows, a board or token as code + 1.  Raises ValueError for a wrong buffer."""
    seats = len(state.hands)
    out = clear_buffer(buffer, len(_list_columns(seats)))
    out[0] = seat
    out[1] = 1 + (state.first - seat) % seats
    out[2] = state.turn
    if state.boards:
        out[3] = 1 + (state.seat - seat) % seats
    out[4] = len(state.pile) - state.opened
    at = 5
    for r in range(seats):
        who = (seat + r) % seats
        out[at + r] = state.coins[who]
        out[at + seats + r] = COUNT_OF[state.hands[who]]
    at += 2 * seats
    for place, board in enumerate(state.boards):
        out[at + place] = board + 1
    at += seats
    for place, board in enumerate(state.scored):
        out[at + place] = board + 1
        coins = state.paid[place]
        first = at + _BOARDS + seats * board
        for r in range(seats):
            out[first + r] = coins[(seat + r) % seats]
    at += _BOARDS + seats * _BOARDS
    for token in KINDS_IN[state.hands[seat]]:
        out[at + token] = 2 if token == KINDS - 1 and state.hands[seat] & SECOND else 1
    _write_stars(state, seat, out, at + KINDS)


def _write_stars(state: Turns, seat: Seat, out: memoryview, at: int) -> None:
    """Write from *at* on what lies on the stars, and what is known of that."""
    laid, seats, boards = state.laid, len(state.hands), state.boards
    for star in range(STARS):
        lies = laid[star]
        if lies != EMPTY:
            owner = OWNER_IN[lies]
            out[at + star] = 1 + (owner - seat) % seats
            secret = owner != seat and IS_LARGE[star] and BOARD_OF[star] in boards
            out[at + STARS + star] = _HIDDEN if secret else 1 + TOKEN_THAT[lies]
    at += 2 * STARS
    for star, tokens in state.excluded.items():
        # a block of KINDS columns for each large star, in the order of the stars
        first = at + KINDS * _LARGE_BEFORE[star]
        for token in EACH_IN[tokens]:
            out[first + token] = 1
        if tokens & BOTH == BOTH:
            out[first + KINDS - 1] = 2
    at += KINDS * len(_LARGE)
    for star, times in state.rarer.items():
        out[at + _LARGE_BEFORE[star]] = times.bit_length() - 1
