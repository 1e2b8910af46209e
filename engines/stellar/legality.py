"""Moves that come from outside: read them, and say why one is not legal."""

from __future__ import annotations

from collections.abc import Mapping

from engines.game import Json, Seat
from engines.moves import check_moves
from engines.stellar.cards import BIT_OF, NAMES, NO_CARD
from engines.stellar.moves import CARD_IN, IS_DOWN, KEEP, MOVES, NO_SLOT, OPTIONS, SLOT_IN
from engines.stellar.state import State
from engines.stellar.turns import ALONE

__all__ = ["read_options", "reason"]


def read_options(state: State, moves: Mapping[Seat, Json]) -> list[int]:
    """Return the options that *moves* mean, in the order of the seats that are asked.

    Raises ValueError unless exactly the seats that are asked move; IllegalMove for a move that is not offered.
    """
    if len(moves) == 1 and state.stage in ALONE:  # the ordinary case, without a list of all options
        move = moves.get(state.seat)
        if isinstance(move, str):
            option = OPTIONS.get(move)
            if option is not None and state.allows(state.seat, option):
                return [option]
    return [OPTIONS[move] for _, move in check_moves(state, moves, reason)]


def reason(state: State, seat: Seat, move: str) -> str:
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
