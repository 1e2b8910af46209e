"""Why a move is not among the choices of its seat: the engine says the rest."""

from engines.game import Json, Seat

from .cards import CARDS
from .state import State


def reason(state: State, seat: Seat, move: Json) -> str:
    """Return why *move* is not offered, as far as only the game can say."""
    strangers = [card for card in move if card not in state.hands[seat]] if isinstance(move, list) else []
    if state.step != "keep":
        return f"the step is {state.step}"
    known = CARDS[len(state.hands)]
    return f"{strangers[0]} is not in hand" if strangers and strangers[0] in known else ""
