"""The events of the last step of a match, as JSON; engines.position.read_events makes values of them.

A state remembers what its last step did, in its fields last_...; the rest of an event is the state itself.
"""

from typing import Final

from engines.game import Seat
from engines.json_bytes import write_list
from engines.stellar.moves import INTO_NOTEBOOK, PLACES, QUOTED, WIPE_ROW
from engines.stellar.turns import JUST_BEGUN, NOT_REMEMBERED, PLACE, PLAY, STARTER, TAKE, WIPE, Turns
from engines.stellar.view import CARD_WORDS, row_bytes, scores_bytes

_TAKEN: Final[list[bytes]] = [
    b'{"event":"take","seat":%d,"slot":%d,"card":' % (seat, slot + 1) for seat in (0, 1) for slot in range(5)
]
_KEPT: Final[list[bytes]] = [b'{"event":"keep","seat":%d}' % seat for seat in (0, 1)]
_WIPED: Final[list[bytes]] = [b'{"event":"wipe","seat":%d,"row":' % seat for seat in (0, 1)]
_PLAYED: Final[list[bytes]] = [b'{"event":"play","seat":%d,"move":' % seat for seat in (0, 1)]
_PLACED: Final[list[bytes]] = [b'{"event":"place","seat":%d,"move":' % seat for seat in (0, 1)]
_SLOTS: Final[list[bytes]] = [b"%d" % (slot + 1) for slot in range(5)] + [b"null"]
"""The number of every row slot; the last one, at NO_SLOT, is the draw pile."""
_RESHUFFLED: Final = b',"reshuffled":true}'


def event_bytes(state: Turns, seat: Seat | None) -> list[bytes]:
    """Return the events of the last step as *seat* saw them; None is a spectator."""
    stage = state.last_stage
    if stage == TAKE:
        return [_TAKEN[5 * state.last_seat + state.last_slot] + CARD_WORDS[state.last_card] + b"}"]
    if stage == WIPE:
        if state.last_option != WIPE_ROW:
            return [_KEPT[state.last_seat]]
        end = _RESHUFFLED if state.last_reshuffled else b"}"
        return [_WIPED[state.last_seat] + row_bytes(state.row) + end]
    if stage in (PLAY, PLACE):
        return _turn_bytes(state)
    if stage == NOT_REMEMBERED:
        return []
    if stage == JUST_BEGUN:
        first, number = state.first, b'"three"' if state.always_three else b'"printed"'
        start = b'{"event":"start","options":{"face_down_number":%b},"first":%d' % (number, first)
        return [start + _hand_bytes(state, seat)]
    moves = b'"moves":' + write_list(QUOTED, [state.last_option, state.last_other])
    if stage == STARTER:
        notebooks = b",".join([write_list(CARD_WORDS, notebook) for notebook in state.notebooks])
        return [
            b'{"event":"starters",' + moves + b',"notebooks":[' + notebooks + b"]}",
            b'{"event":"deal","row":' + row_bytes(state.row) + _hand_bytes(state, seat),
        ]
    thrown = write_list(CARD_WORDS, state.thrown)
    return [
        b'{"event":"final",' + moves + b',"thrown":' + thrown + b',"scores":' + scores_bytes(state) + b"}"
    ]


def _hand_bytes(state: Turns, seat: Seat | None) -> bytes:
    """Return the end of an event that shows *seat* its hand."""
    if seat is None:
        return b"}"
    return b',"hand":' + write_list(CARD_WORDS, state.hands[seat]) + b"}"


def _turn_bytes(state: Turns) -> list[bytes]:
    """Return the events of decisions c and d."""
    seat, option = state.last_seat, state.last_option
    told: list[bytes] = []
    if state.last_stage == PLAY:
        card = state.last_card
        end = _RESHUFFLED if state.last_reshuffled else b"}"
        called = b',"slot":' + _SLOTS[state.last_slot] + b',"card":' + CARD_WORDS[card]
        told.append(_PLAYED[seat] + QUOTED[option] + called + end)
        if state.stage == PLACE:
            return told
        option = PLACES * card + INTO_NOTEBOOK  # the notebook follows by itself
    end = _RESHUFFLED if state.last_refilled else b"}"
    told.append(_PLACED[seat] + QUOTED[option] + b',"row":' + row_bytes(state.row) + end)
    return told
