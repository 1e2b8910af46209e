"""Moves that come from outside: read them, and say why one is not legal."""

from engines.game import Json, Seat
from engines.int_state import NO_OPTION
from engines.stella.grid import BIT_OF
from engines.stella.moves import CROSSES, KEEP, SHOW_WORD, VOTE_MOVES
from engines.stella.turns import SHOW, VOTE, Turns


def find_option(state: Turns, move: Json) -> int:
    """Return the option that *move* means, or NO_OPTION.  It need not be open to a seat."""
    if state.stage == SHOW:
        if not isinstance(move, str):
            return NO_OPTION
        card, grid = state.luck.cards.show_codes.get(move, NO_OPTION), state.grid.cards
        return grid.index(card) if card in grid else NO_OPTION
    if state.stage == VOTE:
        return KEEP + VOTE_MOVES.index(move) if move in VOTE_MOVES else NO_OPTION
    return _crosses(state, move) if isinstance(move, (list, tuple)) else NO_OPTION


def _crosses(state: Turns, move: Json) -> int:
    """Return the option of decision 2 that *move*, a list, means; NO_OPTION if it is not one."""
    codes, grid, crosses = state.luck.cards.codes, state.grid.cards, CROSSES
    for name in move:
        card = codes.get(name, NO_OPTION) if isinstance(name, str) else NO_OPTION
        if card not in grid:
            return NO_OPTION
        bit = BIT_OF[grid.index(card)]
        if crosses - CROSSES & bit:
            return NO_OPTION  # the same card twice
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
