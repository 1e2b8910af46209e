"""Views: everything that a seat knows, built up from nothing (SS26, B14, B15, B16)."""

from __future__ import annotations

from typing import Final

from engines.game import Json, Seat
from engines.starry_sky.boards import BOARDS
from engines.starry_sky.state import OpenBoard, State
from engines.starry_sky.tokens import NAMES

__all__ = ["view"]

_PRINTED: Final = {name: (board.prizes, board.large, board.edges) for name, board in BOARDS.items()}


def view(state: State, seat: Seat | None) -> dict[str, Json]:
    """Return everything that *seat* knows; None is a spectator, who knows what is public."""
    hands = state.hands
    seen: dict[str, Json] = {
        "seats": len(hands),
        "options": {},
        "first": state.first,
        "turn": state.turn,
        "next": next(iter(state.asked), None),
        "coins": [*state.coins],
        "hands": [*map(int.bit_count, hands)],
        "boards": [*map(_board, state.boards)],
        "pile": len(state.pile),
        "excluded": {place: [*NAMES[tokens]] for place, tokens in state.excluded.items()},
        "rarer": state.rarer.copy(),
        "scored": [
            {"board": name, "owners": [*owners], "tokens": [*tokens], "coins": [*coins]}
            for name, owners, tokens, coins in state.scored
        ],
    }
    if seat is not None:
        seen["seat"] = seat
        seen["hand"] = [*NAMES[hands[seat]]]
        seen["mine"] = state.mine[seat].copy()
    return seen


def _board(board: OpenBoard) -> dict[str, Json]:
    name, owners, _, shown = board
    prizes, large, edges = _PRINTED[name]
    return {
        "board": name,
        "prizes": [*prizes],
        "large": [*large],
        "edges": [*map(list, edges)],
        "owners": [*owners],
        "tokens": [*shown],
    }
