"""Moves that come from outside: read them, and say why one is not legal."""

from __future__ import annotations

from collections.abc import Mapping

from engines.game import Json, Seat
from engines.moves import check_move, check_moves
from engines.starry_sky.boards import BOARD_OF, NAMES, PLACES
from engines.starry_sky.moves import OPTIONS, STAR_IN, TOKEN_IN
from engines.starry_sky.table import EMPTY
from engines.starry_sky.tokens import TOKENS
from engines.starry_sky.turns import Turns

__all__ = ["read_option", "read_options"]


def read_options(state: Turns, moves: Mapping[Seat, Json]) -> list[int]:
    """Return the option that *moves* mean, as a list of one.

    Raises ValueError unless just the seat that is asked moves; IllegalMove for a move that is not offered.
    """
    if len(moves) == 1 and state.boards:  # the ordinary case, without a list of all options
        seat = state.seat
        move = moves.get(seat)
        option = OPTIONS.get(move) if isinstance(move, str) else None
        if option is not None and state.allows(seat, option):
            return [option]
    return [OPTIONS[move] for _, move in check_moves(state, moves, reason)]


def read_option(state: Turns, seat: Seat, move: Json) -> int:
    """Return the option that *move* means for *seat*, which must be asked.  Raises IllegalMove if none."""
    option = OPTIONS.get(move) if isinstance(move, str) else None
    if option is None or not state.allows(seat, option):
        return OPTIONS[check_move(state, seat, state.asked[seat], move, reason)]
    return option


def reason(state: Turns, seat: Seat, move: str) -> str:
    """Return why *seat*, which must act, may not make *move*."""
    option = OPTIONS.get(move, -1)
    if option < 0:
        return "not a move of starry-sky"
    star = STAR_IN[option]
    if BOARD_OF[star] not in state.boards:
        return f"{NAMES[BOARD_OF[star]]} is not in play"
    if state.laid[star] != EMPTY:
        return f"{PLACES[star]} is not free"
    return f"{TOKENS[TOKEN_IN[option]]} is not in hand"
