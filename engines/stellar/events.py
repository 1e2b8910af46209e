"""The events of the last step of a match, as values and as JSON.

A state remembers what its last step did, in its fields last_...; the rest of an event is the state itself.
"""

from __future__ import annotations

from typing import Final

from engines.game import NOTHING, Event, Json, Seat, new
from engines.json_bytes import write_list
from engines.stellar.cards import NAMES
from engines.stellar.moves import INTO_NOTEBOOK, MOVES, NO_SLOT, PLACES, QUOTED, WIPE_ROW
from engines.stellar.scoring import breakdown
from engines.stellar.turns import JUST_BEGUN, NOT_REMEMBERED, PLACE, PLAY, STARTER, TAKE, WIPE, Turns
from engines.stellar.view import CARD_WORDS, option_values, row_bytes, row_names, scores_bytes

__all__ = ["event_bytes", "events"]


def _names(cards: list[int]) -> list[str]:
    return [NAMES[card] for card in cards]


def _hands(state: Turns) -> dict[Seat, dict[str, Json]]:
    """Return what each seat sees of its own hand alone."""
    return {seat: {"hand": _names(hand)} for seat, hand in enumerate(state.hands)}


def events(state: Turns) -> tuple[Event, ...]:
    """Return the events of the last step; none if *state* is a copy or imagined."""
    stage, option = state.last_stage, state.last_option
    news: dict[str, Json]
    if stage == TAKE:
        news = {"seat": state.last_seat, "slot": state.last_slot + 1, "card": NAMES[state.last_card]}
        return (new(Event, ("take", news, NOTHING)),)
    if stage == WIPE:
        news = {"seat": state.last_seat}
        if option == WIPE_ROW:
            news["row"] = row_names(state.row)
            if state.last_reshuffled:
                news["reshuffled"] = True
        return (new(Event, (MOVES[option], news, NOTHING)),)
    if stage in (PLAY, PLACE):
        return _turn_events(state)
    if stage == NOT_REMEMBERED:
        return ()
    if stage == JUST_BEGUN:
        news = {"options": option_values(state), "first": state.first}
        return (Event("start", news, _hands(state)),)
    moves = [MOVES[option], MOVES[state.last_other]]
    if stage == STARTER:
        chosen = {"moves": moves, "notebooks": [_names(notebook) for notebook in state.notebooks]}
        return (Event("starters", chosen), Event("deal", {"row": row_names(state.row)}, _hands(state)))
    return (Event("final", {"moves": moves, "thrown": _names(state.thrown), "scores": breakdown(state)}),)


def _turn_events(state: Turns) -> tuple[Event, ...]:
    """Return the events of decisions c and d."""
    seat, option = state.last_seat, state.last_option
    told: tuple[Event, ...] = ()
    if state.last_stage == PLAY:
        slot = None if state.last_slot == NO_SLOT else state.last_slot + 1
        card = state.last_card
        news: dict[str, Json] = {"seat": seat, "move": MOVES[option], "slot": slot, "card": NAMES[card]}
        if state.last_reshuffled:
            news["reshuffled"] = True
        told = (new(Event, ("play", news, NOTHING)),)
        if state.stage == PLACE:
            return told
        option = PLACES * card + INTO_NOTEBOOK  # the notebook follows by itself
    news = {"seat": seat, "move": MOVES[option], "row": row_names(state.row)}
    if state.last_refilled:
        news["reshuffled"] = True
    return (*told, new(Event, ("place", news, NOTHING)))


# -- the same as JSON

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
