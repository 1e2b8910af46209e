"""Moves that come from outside: read them, and say why one is not legal."""

from __future__ import annotations

from collections.abc import Mapping

from engines.game import Json, Seat
from engines.moves import check_move, check_moves
from engines.stellar.cards import BIT_OF, NAMES, NO_CARD
from engines.stellar.moves import CARD_IN, IS_DOWN, KEEP, MOVES, NO_SLOT, OPTIONS, SLOT_IN
from engines.stellar.turns import ALONE, Turns

__all__ = ["read_option", "read_options"]


def read_options(state: Turns, moves: Mapping[Seat, Json]) -> list[int]:
    """Return the options that *moves* mean, in the order of the seats that are asked.

    Raises ValueError unless exactly the seats that are asked move; IllegalMove for a move that none offers.
    """
    if len(moves) == 1 and state.stage in ALONE:  # the ordinary case, without a list of all options
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
    """Return why *seat* may not make *move*."""
    option = OPTIONS.get(move, -1)
    if option < 0:
        return "not a move of stellar"
    if option >= KEEP:
        return "not what is asked now"
    card, slot, waiting = CARD_IN[option], SLOT_IN[option], state.waiting
    if waiting != NO_CARD and card != waiting:
        return f"{NAMES[waiting]} must be placed"
    if waiting == NO_CARD and card not in state.hands[seat]:
        return f"{NAMES[card]} is not in hand"
    place = MOVES[option].partition("@")[2]
    if slot != NO_SLOT and not state.free[seat] & BIT_OF[slot]:
        return f"{place.split()[0]} is not free"
    if slot != NO_SLOT and not IS_DOWN[option] and not state.upright(seat, card) & BIT_OF[slot]:
        return f"{place} is not beside a card of the type of {NAMES[card]}"
    return "not what is asked now"
