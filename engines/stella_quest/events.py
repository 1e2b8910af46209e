"""The events of the last step of a match, as values and as JSON.

A state remembers what its last step did in its `news`.  The event of the draw pile comes once, at the end,
so it does not reveal the order of the cards of a step.
"""

from __future__ import annotations

from typing import Final

from engines.game import NOTHING, Event, Json, Seat, new
from engines.json_bytes import SMALL, dumps, write_list
from engines.stella_quest.cards import NAMES, names_of
from engines.stella_quest.players import DUMMY_CODE, NOBODY
from engines.stella_quest.scoring import breakdown
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
from engines.stella_quest.turns import ENDS, Turns
from engines.stella_quest.view import (
    CARD_BACK_WORDS,
    CARD_WORDS,
    WHO_NAMES,
    WHO_WORDS,
    ending_bytes,
    hand_backs,
    next_back,
    next_back_bytes,
    scores_bytes,
)

__all__ = ["event_bytes", "events"]


def events(state: Turns) -> tuple[Event, ...]:
    """Return the events of the last step; none if *state* is a copy or imagined."""
    told = [_event(state, news) for news in state.news]
    if _has_new_pile(state):
        public: dict[str, Json] = {"pile": len(state.pile), "back": next_back(state)}
        told.append(new(Event, ("pile", public, NOTHING)))
    return tuple(told)


def _has_new_pile(state: Turns) -> bool:
    """Return whether the last step changed the draw pile: a card came off it, or a reshuffle made it."""
    moved = [
        kind for kind, who, _, _ in state.news if kind <= RESHUFFLED or (kind == PLAYED and who == DUMMY_CODE)
    ]
    return len(moved) > 0 and (len(state.pile) > 0 or moved[0] != RESHUFFLED)  # else as empty as before


def _event(state: Turns, news: News) -> Event:
    kind, who, number, cards = news
    public: dict[str, Json]
    if kind == PLAYED:
        return new(Event, ("play", {"seat": WHO_NAMES[who], "card": NAMES[number]}, NOTHING))
    if kind in (DREW, REFILLED):
        public = {"seat": who, "lights": number, "backs": hand_backs(cards)}
        return new(Event, ("draw" if kind == DREW else "refill", public, {who: {"cards": names_of(cards)}}))
    if kind == WON:
        public = {"seat": WHO_NAMES[who]}
        if who not in (NOBODY, DUMMY_CODE):
            public["lights"] = number
        return new(Event, ("win", public, NOTHING))
    if kind == TOOK:
        public = {"seat": who, "card": NAMES[cards[0]], "lights": number}
        return new(Event, ("take", public, NOTHING))
    if kind == CLEARED:
        return new(Event, ("discard", {"top": NAMES[number], "marker": WHO_NAMES[who]}, NOTHING))
    if kind == BEGAN:
        return new(Event, ("round", {"round": number, "leader": who}, NOTHING))
    if kind == RESHUFFLED:
        return Event("reshuffle", {"cards": names_of(cards)})
    if kind == SKIPPED:
        return Event("skip", {"seat": WHO_NAMES[who]})
    return _start(state) if kind == STARTED else _end(state)


def _start(state: Turns) -> Event:
    public: dict[str, Json] = {
        "options": {},
        "first": state.first,
        "top": NAMES[state.top],
        "backs": [hand_backs(hand) for hand in state.hands],
        "back": next_back(state),
    }
    return Event("start", public, {seat: {"hand": names_of(hand)} for seat, hand in enumerate(state.hands)})


def _end(state: Turns) -> Event:
    why, seat = ENDS[state.ending], WHO_NAMES[state.ended_by]
    return Event("over", {"why": why, "seat": seat, "scores": breakdown(state)})


# -- the same as JSON


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
        return dumps(_start(state).seen_by(seat))
    return b'{"event":"over",' + ending_bytes(state) + b',"scores":' + scores_bytes(state) + b"}"
