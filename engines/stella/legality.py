"""Moves that come from outside: read them, and say why one is not legal."""

from __future__ import annotations

from collections.abc import Mapping

from engines.game import Json, Seat
from engines.moves import check_move, check_moves
from engines.stella.grid import BIT_OF
from engines.stella.moves import CROSSES, KEEP, SHOW_WORD, VOTE_MOVES
from engines.stella.turns import SHOW, VOTE, Turns

__all__ = ["read_option", "read_options"]

_NO_MOVE = -1


def read_options(state: Turns, moves: Mapping[Seat, Json]) -> list[int]:
    """Return the options that *moves* mean, in the order of the seats that are asked.

    Raises ValueError unless exactly the seats that are asked move; IllegalMove for a move that none offers.
    """
    seats = state.seats()
    options: list[int] = []
    if seats and len(moves) == len(seats):  # the ordinary case, without a list of all options
        for seat in seats:
            option = _option(state, moves.get(seat))
            if option == _NO_MOVE or not state.allows(seat, option):
                break
            options.append(option)
        else:
            return options
    return [_option(state, move) for _, move in check_moves(state, moves, reason)]


def read_option(state: Turns, seat: Seat, move: Json) -> int:
    """Return the option that *move* means for *seat*, which must be asked.  Raises IllegalMove if none."""
    option = _option(state, move)
    if option == _NO_MOVE or not state.allows(seat, option):
        return _option(state, check_move(state, seat, state.asked[seat], move, reason))
    return option


def _option(state: Turns, move: Json) -> int:
    """Return the option that *move* means, or _NO_MOVE if it means none in this step."""
    if state.stage == SHOW:
        if not isinstance(move, str):
            return _NO_MOVE
        card, grid = state.luck.cards.show_codes.get(move, _NO_MOVE), state.grid.cards
        return grid.index(card) if card in grid else _NO_MOVE
    if state.stage == VOTE:
        return KEEP + VOTE_MOVES.index(move) if move in VOTE_MOVES else _NO_MOVE
    return _crosses(state, move) if isinstance(move, (list, tuple)) else _NO_MOVE


def _crosses(state: Turns, move: Json) -> int:
    """Return the option of decision 2 that *move*, a list, means; _NO_MOVE if it is none."""
    codes, grid, crosses = state.luck.cards.codes, state.grid.cards, CROSSES
    for name in move:
        card = codes.get(name, _NO_MOVE) if isinstance(name, str) else _NO_MOVE
        if card not in grid:
            return _NO_MOVE
        bit = BIT_OF[grid.index(card)]
        if crosses - CROSSES & bit:
            return _NO_MOVE  # the same card twice
        crosses += bit
    return crosses


def reason(state: Turns, seat: Seat, move: Json) -> str:
    """Return why *seat* may not make *move*, or "" if the error of the choice says enough."""
    cards = state.grid.names
    if not isinstance(move, str):
        return "" if all(card in cards for card in move) else "not a card of the grid"
    if move in VOTE_MOVES or (move.startswith(SHOW_WORD) and state.stage != SHOW):
        return "not what is asked now"
    if not move.startswith(SHOW_WORD):
        return "not a move of stella"
    card = move.removeprefix(SHOW_WORD)
    if card not in cards:
        return "not a card of the grid"
    shown = not state.hidden & BIT_OF[cards.index(card)]
    return f"{card} has been shown already" if shown else f"no cross of yours is on {card}"
