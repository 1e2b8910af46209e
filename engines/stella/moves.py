"""The choices of a seat, and the reason why a move is not among them."""

from __future__ import annotations

from typing import Final

from engines.game import Json, OneOf, Seat, Some
from engines.stella.state import Grid, State, pick

__all__ = ["FLIP", "VOTE", "cross_choice", "reason", "show_choice"]

FLIP: Final = "flip"
VOTE: Final = OneOf(("keep", FLIP))
_FEWEST, _MOST = 1, 10  # crosses (SD3)
_SHOW: Final = "show "


def cross_choice(grid: Grid) -> Some:
    """Return the choice of decision 2: the cards that a seat associates with the word."""
    return Some(grid.cards, _FEWEST, _MOST)


def show_choice(grid: Grid, places: int) -> OneOf:
    """Return the choice of decision 3: a scout shows a card on *places*, its crosses not shown so far."""
    return OneOf(tuple(pick(grid.shows, places)))


def reason(state: State, seat: Seat, move: Json) -> str:
    """Return why *seat* may not make *move*, or "" if the error of the choice says enough."""
    cards = state.round.grid.bits
    if not isinstance(move, str):
        return "" if all(card in cards for card in move) else "not a card of the grid"
    if move in VOTE.options or (move.startswith(_SHOW) and state.step != "show"):
        return "not what is asked now"
    if not move.startswith(_SHOW):
        return "not a move of stella"
    card = move.removeprefix(_SHOW)
    if card not in cards:
        return "not a card of the grid"
    return f"{card} has been shown already" if card in state.shown else f"no cross of yours is on {card}"
