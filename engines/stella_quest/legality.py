"""Why a move that comes from outside is not legal."""

from engines.game import Seat
from engines.stella_quest.cards import BACK_NAMES, COLOURS
from engines.stella_quest.moves import DRAW, OPTIONS
from engines.stella_quest.table import HAND
from engines.stella_quest.turns import PLAY, STEPS, Turns


def reason(state: Turns, seat: Seat, move: str) -> str:
    """Return why *seat*, which is asked, may not make *move*."""
    option = OPTIONS.get(move, -1)
    if option < 0:
        return "not a move of stella-quest"
    kind, _, card = move.partition(" ")
    if state.stage == PLAY:
        if option == DRAW:
            if state.lights[seat] < 2:
                return "the last light cannot be burnt"
            if len(state.hands[seat]) >= HAND:
                return f"{HAND} cards are in hand"
            return "there is no card to draw"
        if option < DRAW:
            if option not in state.hands[seat]:
                return f"{card} is not in hand"
            return f"{COLOURS[BACK_NAMES[state.lead]]} is led and in hand"
    elif STEPS[state.stage] == kind:
        return f"{card} is not on the table"
    return "not what is asked now"
