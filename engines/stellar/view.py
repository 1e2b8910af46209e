"""Views: everything that a seat knows, built up from nothing (ST31, A17)."""

from __future__ import annotations

from engines.game import Json, Seat
from engines.stellar.scoring import breakdown
from engines.stellar.state import State

__all__ = ["view"]


def view(state: State, seat: Seat | None) -> dict[str, Json]:
    """Return everything that *seat* knows; None is a spectator, who knows what is public."""
    one, other = state.players
    luck, discards = state.luck, state.discards
    seen: dict[str, Json] = {
        "seats": 2,
        "options": {"face_down_number": luck.face_down_number},
        "first": luck.first,
        "turn": state.turn,
        "step": state.step,
        "satellite": state.satellite,
        "row": [*state.row],
        "pile": len(state.pile),
        "discards": [*discards.cards],
        "reshuffles": discards.reshuffles,
        "telescopes": [one.telescope.cards.copy(), other.telescope.cards.copy()],
        "notebooks": [[*one.notebook], [*other.notebook]],
        "hands": [len(one.hand), len(other.hand)],
        "known": [[*one.known], [*other.known]],
    }
    if seat is not None:
        seen["seat"] = seat
        seen["hand"] = [*state.players[seat].hand]
    if state.waiting:
        seen["waiting"] = state.waiting
    if discards.reshuffles:
        seen["pile_cards"] = sorted(state.pile)
    if state.step == "over":
        seen["thrown"] = [*discards.thrown]
        seen["scores"] = breakdown(state)
    return seen
