"""Moves that come from outside: read them, and say why one is not legal."""

from __future__ import annotations

from collections.abc import Mapping

from engines.game import Json, Seat
from engines.moves import check_move, check_moves
from engines.stella_quest.cards import BACK_NAMES, COLOURS
from engines.stella_quest.moves import DRAW, OPTIONS
from engines.stella_quest.table import HAND
from engines.stella_quest.turns import OVER, PLAY, STEPS, Turns

__all__ = ["read_move", "read_option"]


def read_move(state: Turns, moves: Mapping[Seat, Json]) -> int:
    """Return the option that the move of the seat that is asked means.

    Raises ValueError unless exactly that seat moves; IllegalMove for a move that is not offered.
    """
    if len(moves) == 1 and state.stage != OVER:  # the ordinary case, without a list of all options
        seat = state.seat
        move = moves.get(seat)
        option = OPTIONS.get(move) if isinstance(move, str) else None
        if option is not None and state.allows(seat, option):
            return option
    ((_, move),) = check_moves(state, moves, reason)
    return OPTIONS[move]


def read_option(state: Turns, seat: Seat, move: Json) -> int:
    """Return the option that *move* means for *seat*, which must be asked.  Raises IllegalMove if none."""
    option = OPTIONS.get(move) if isinstance(move, str) else None
    if option is None or not state.allows(seat, option):
        return OPTIONS[check_move(state, seat, state.asked[seat], move, reason)]
    return option


def reason(state: Turns, seat: Seat, move: str) -> str:
    """Return why *seat*, which is asked, may not make *move*."""
    option = OPTIONS.get(move, -1)
    if option < 0:
        return "not a move of stella-quest"
    kind, _, card = move.partition(" ")
    if state.stage == PLAY:
        if option == DRAW:
            return _no_draw(state, seat)
        if option < DRAW:
            if option not in state.hands[seat]:
                return f"{card} is not in hand"
            return f"{COLOURS[BACK_NAMES[state.lead]]} is led and in hand"
    elif STEPS[state.stage] == kind:
        return f"{card} is not on the table"
    return "not what is asked now"


def _no_draw(state: Turns, seat: Seat) -> str:
    if state.lights[seat] < 2:
        return "the last light cannot be burnt"
    if len(state.hands[seat]) >= HAND:
        return f"{HAND} cards are in hand"
    return "there is no card to draw"
