"""Views: everything that a seat knows, built up from nothing, so what is not put in stays secret."""

from engines.game import Json, Seat

from .scoring import public_points
from .state import State
from .turns import show_move


def view(state: State, seat: Seat | None) -> dict[str, Json]:
    """Return all that *seat* knows; None is a spectator."""
    seen: dict[str, Json] = {
        "seats": len(state.hands),
        "options": {"rounds": state.rounds},
        "step": state.step,
        "moves": [[who, show_move(move)] for who, move in state.moves],
        "points": public_points(state),
    }
    if seat is not None:
        seen["seat"] = seat
        seen["hand"] = [*state.hands[seat]]
        seen["kept"] = [[*move] for who, move in state.moves if who == seat and not isinstance(move, str)]
    return seen
