"""The events of the last step of a match, as JSON; engines.position.read_events makes values of them.

A state remembers what its last step did, in its fields last_...; the rest of an event is the state itself.
"""

from typing import Final

from engines.game import Seat
from engines.json_bytes import dumps, quote_words, write_list
from engines.starry_sky.boards import IS_LARGE, NAMES, PLACES
from engines.starry_sky.moves import STAR_IN, TOKEN_IN
from engines.starry_sky.tokens import HIDDEN
from engines.starry_sky.turns import JUST_BEGUN, NO_BOARD, NOT_REMEMBERED, Turns
from engines.starry_sky.view import TOKEN_WORDS, scored_bytes

_START: Final = b'{"event":"start","options":{},"first":%d,"boards":%b}'
_PLACED: Final[list[bytes]] = [b'{"event":"place","seat":%d,"star":' % seat for seat in range(5)]
_STAR_WORDS: Final[list[bytes]] = [b'%b,"token":' % dumps(place) for place in PLACES]
_OPEN_WORDS: Final[list[bytes]] = [b'{"event":"open","board":%b,"at":' % dumps(name) for name in NAMES]
_SKIP_WORDS: Final[list[bytes]] = [b'{"event":"skip","seat":%d}' % seat for seat in range(5)]
_NAME_WORDS: Final[list[bytes]] = quote_words([*NAMES])
_HIDDEN_WORD: Final = dumps(HIDDEN)


def event_bytes(state: Turns, seat: Seat | None) -> list[bytes]:
    """Return the events of the last step as *seat* saw them; None is a spectator."""
    option = state.last_option
    if option == NOT_REMEMBERED:
        return []
    if option == JUST_BEGUN:
        return [_START % (state.first, write_list(_NAME_WORDS, state.boards))]
    star, face = STAR_IN[option], TOKEN_WORDS[TOKEN_IN[option]]
    if IS_LARGE[star] and seat != state.last_seat:
        face = _HIDDEN_WORD
    told = [_PLACED[state.last_seat] + _STAR_WORDS[star] + face + b"}"]
    if state.last_board != NO_BOARD:
        told.append(b'{"event":"score",' + scored_bytes(state, len(state.scored) - 1) + b"}")
        if state.last_opened:
            following = state.pile[state.opened - 1]
            told.append(_OPEN_WORDS[following] + b"%d}" % state.boards.index(following))
    if state.last_skips:
        seats = len(state.hands)
        told += [_SKIP_WORDS[(state.last_seat + 1 + steps) % seats] for steps in range(state.last_skips)]
    return told
