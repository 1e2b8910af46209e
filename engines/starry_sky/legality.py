"""Why a move that comes from outside is not legal."""

from engines.game import Seat
from engines.starry_sky.boards import BOARD_OF, NAMES, PLACES
from engines.starry_sky.moves import OPTIONS, STAR_IN, TOKEN_IN
from engines.starry_sky.table import EMPTY
from engines.starry_sky.tokens import TOKENS
from engines.starry_sky.turns import Turns


def reason(state: Turns, seat: Seat, move: str) -> str:
    """Return why *seat*, which must decide, may not make *move*."""
    option = OPTIONS.get(move, -1)
    if option < 0:
        return "not a move of starry-sky"
    star = STAR_IN[option]
    if BOARD_OF[star] not in state.boards:
        return f"{NAMES[BOARD_OF[star]]} is not in play"
    if state.laid[star] != EMPTY:
        return f"{PLACES[star]} is not free"
    return f"{TOKENS[TOKEN_IN[option]]} is not in hand"
