"""Why a move that comes from outside is not legal."""

from engines.game import Seat
from engines.stellar.cards import BIT_OF, NAMES, NO_CARD
from engines.stellar.moves import CARD_IN, IS_DOWN, KEEP, MOVES, NO_SLOT, OPTIONS, SLOT_IN
from engines.stellar.turns import Turns


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
