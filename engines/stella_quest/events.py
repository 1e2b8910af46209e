"""The events of the last step of a match, as JSON; engines.position.read_events makes values of them.

A state remembers what its last step did in its `news`.  The event of the draw pile comes once, at the end,
so it does not reveal the order of the cards of a step.
"""

from typing import Final

from engines.game import Seat
from engines.json_bytes import SMALL, write_list
from engines.stella_quest.players import DUMMY_CODE, NOBODY
from engines.stella_quest.table import (
    BEGAN,
    CLEARED,
    DREW,
    PLAYED,
    REFILLED,
    RESHUFFLED,
    SKIPPED,
    STARTED,
    TOOK,
    WON,
    News,
)
from engines.stella_quest.turns import Turns
from engines.stella_quest.view import (
    CARD_BACK_WORDS,
    CARD_WORDS,
    WHO_WORDS,
    ending_bytes,
    next_back_bytes,
    scores_bytes,
)


def _has_new_pile(state: Turns) -> bool:
    """Return whether the last step changed the draw pile: a card came off it, or a reshuffle made it."""
    moved = [
        kind for kind, who, _, _ in state.news if kind <= RESHUFFLED or (kind == PLAYED and who == DUMMY_CODE)
    ]
    return len(moved) > 0 and (len(state.pile) > 0 or moved[0] != RESHUFFLED)  # else as empty as before


def _by_player(kind: bytes, field: bytes) -> list[bytes]:
    """Return the beginning of an event of this *kind* for every player, up to *field*."""
    return [b'{"event":"%b","seat":%b%b' % (kind, who, field) for who in WHO_WORDS]


_PLAYED: Final[list[bytes]] = _by_player(b"play", b',"card":')
_DREW: Final[list[bytes]] = _by_player(b"draw", b',"lights":')
_REFILLED: Final[list[bytes]] = _by_player(b"refill", b',"lights":')
_WON: Final[list[bytes]] = _by_player(b"win", b"")
_TOOK: Final[list[bytes]] = _by_player(b"take", b',"card":')
_SKIPPED: Final[list[bytes]] = _by_player(b"skip", b"}")
_CLEARED: Final[list[bytes]] = [b',"marker":%b}' % who for who in WHO_WORDS]


def event_bytes(state: Turns, seat: Seat | None) -> list[bytes]:
    """Return the events of the last step as *seat* saw them; None is a spectator."""
    told = [_event_bytes(state, news, seat) for news in state.news]
    if _has_new_pile(state):
        back = next_back_bytes(state)
        told.append(b'{"event":"pile","pile":' + SMALL[len(state.pile)] + b',"back":' + back + b"}")
    return told


def _event_bytes(state: Turns, news: News, seat: Seat | None) -> bytes:
    kind, who, number, cards = news
    if kind == PLAYED:
        return _PLAYED[who] + CARD_WORDS[number] + b"}"
    if kind in (DREW, REFILLED):
        head = _DREW[who] if kind == DREW else _REFILLED[who]
        own = b',"cards":' + write_list(CARD_WORDS, cards) + b"}" if seat == who else b"}"
        return head + SMALL[number] + b',"backs":' + write_list(CARD_BACK_WORDS, cards) + own
    if kind == WON:
        lights = b',"lights":' + SMALL[number] if who not in (NOBODY, DUMMY_CODE) else b""
        return _WON[who] + lights + b"}"
    if kind == TOOK:
        return _TOOK[who] + CARD_WORDS[cards[0]] + b',"lights":' + SMALL[number] + b"}"
    if kind == CLEARED:
        return b'{"event":"discard","top":' + CARD_WORDS[number] + _CLEARED[who]
    if kind == BEGAN:
        return b'{"event":"round","round":' + SMALL[number] + b',"leader":' + SMALL[who] + b"}"
    if kind == RESHUFFLED:
        return b'{"event":"reshuffle","cards":' + write_list(CARD_WORDS, cards) + b"}"
    if kind == SKIPPED:
        return _SKIPPED[who]
    if kind == STARTED:
        backs = b",".join([write_list(CARD_BACK_WORDS, hand) for hand in state.hands])
        own = b"}" if seat is None else b',"hand":' + write_list(CARD_WORDS, state.hands[seat]) + b"}"
        told = (state.first, CARD_WORDS[state.top], backs, next_back_bytes(state))
        return b'{"event":"start","options":{},"first":%d,"top":%b,"backs":[%b],"back":%b' % told + own
    return b'{"event":"over",' + ending_bytes(state) + b',"scores":' + scores_bytes(state) + b"}"
