"""Views as the JSON that bots get: all that a seat knows, from nothing (SQ33, the precision on views)."""

from typing import Final

from engines.game import Json, Seat
from engines.json_bytes import SMALL, dumps, quote_words, write_list
from engines.stella_quest.cards import BACK_NAMES, BACK_OF, NAMES, backs_of, names_of
from engines.stella_quest.moves import QUOTED
from engines.stella_quest.periods import Parts, Period
from engines.stella_quest.players import ORDERS, PLAYERS
from engines.stella_quest.scoring import breakdown
from engines.stella_quest.turns import ENDS, NUMBER_OF_ROUNDS, OVER, STEPS, Turns


def _past(period: Period) -> dict[str, Json]:
    """Return what all know of a period that has ended."""
    cards, _, backs, played, dummy = period
    seen: dict[str, Json] = {
        "cards": names_of(cards) if cards else None,
        "received": [[backs_of(part) for part in parts] for parts in backs],
        "played": [[names_of(part) for part in parts] for parts in played],
    }
    if len(backs) == 2:
        seen["dummy"] = names_of(dummy)
    return seen


CARD_WORDS: Final[list[bytes]] = quote_words(NAMES)
"""The name of every card as JSON."""
_BACK_WORDS: Final[list[bytes]] = quote_words(BACK_NAMES)
"""The name of every back as JSON."""
CARD_BACK_WORDS: Final[list[bytes]] = [_BACK_WORDS[back] for back in BACK_OF]
"""The name of every card's back as JSON."""
WHO_WORDS: Final[list[bytes]] = [dumps(who) for who in (*PLAYERS, None)]
"""Every player as JSON; the last one, at NOBODY, is null."""
_HEADS: Final[list[bytes]] = [
    b'{"seats":%d,"options":{},"first":%d,"opening":' % (seats, first)
    for seats in ORDERS
    for first in range(4)
]
_ROUND_WORDS: Final[list[bytes]] = [b',"round":%d,"step":' % number for number in range(NUMBER_OF_ROUNDS + 1)]
_STEP_WORDS: Final[list[bytes]] = [
    b'%b,"turn":%b,"leader":' % (dumps(step), b"null" if step == STEPS[OVER] else SMALL[seat])
    for step in STEPS
    for seat in range(4)
]
_LEAD_WORDS: Final[list[bytes]] = [
    b'%d,"lead":%b,"table":[' % (leader, back) for leader in range(4) for back in (b"null", *_BACK_WORDS)
]
_LAID_WORDS: Final[list[bytes]] = [b"[%b,%b]" % (who, card) for who in WHO_WORDS[:-1] for card in CARD_WORDS]
"""A card on the table, for every player and card."""
_MARKER_WORDS: Final[list[bytes]] = [b'],"marker":%b,"top":' % who for who in WHO_WORDS]
_PILE_WORDS: Final[list[bytes]] = [b',"pile":%d,"back":' % cards for cards in range(54)]
_SEAT_WORDS: Final[list[bytes]] = [b',"seat":%d,"hand":' % seat for seat in range(4)]

# The places of lists whose JSON is kept in Table.written; those by seat have four places each.
_DISCARDS: Final = 0
_DUMMY: Final = 1
_PAST: Final = 2
_BACKS: Final = 3
_COLLECTION: Final = 7
_RECEIVED: Final = 11
_PLAYED: Final = 15
_DRAWN: Final = 19


def choice_bytes(options: list[int]) -> bytes:
    """Return a choice among *options*."""
    return b'{"kind":"one","options":[' + b",".join([QUOTED[option] for option in options]) + b"]}"


def next_back_bytes(state: Turns) -> bytes:
    """Return the back that the draw pile shows."""
    return CARD_BACK_WORDS[state.pile[-1]] if state.pile else b"null"


def view_bytes(state: Turns, seat: Seat | None) -> bytes:
    """Return everything that *seat* knows; None is a spectator, who knows what is public."""
    seats, by, reshuffles = range(len(state.lights)), state.by, len(state.past)
    pieces = [
        _HEADS[4 * len(state.lights) + state.first - 8],
        CARD_WORDS[state.opening],
        _ROUND_WORDS[state.number],
        _STEP_WORDS[4 * state.stage + state.seat],
        _LEAD_WORDS[6 * state.leader + state.lead + 1],
        b",".join([_LAID_WORDS[25 * by[at] + card] for at, card in enumerate(state.table)]),
        _MARKER_WORDS[state.marker],
        CARD_WORDS[state.top],
        b',"discards":',
        _kept_sorted(state, _DISCARDS, state.discards),
        _PILE_WORDS[len(state.pile)],
        next_back_bytes(state),
        b',"reshuffles":',
        SMALL[reshuffles] if reshuffles < len(SMALL) else b"%d" % reshuffles,
        b',"hands":[',
        b",".join([SMALL[len(hand)] for hand in state.hands]),
        b'],"backs":[',
        b",".join([_keep_list(state, _BACKS + at, CARD_BACK_WORDS, state.hands[at]) for at in seats]),
        b'],"lights":[',
        b",".join([SMALL[lights] for lights in state.lights]),
        b'],"collections":[',
        b",".join([_keep_list(state, _COLLECTION + at, CARD_WORDS, state.collections[at]) for at in seats]),
        b'],"periods":[',
        _past_bytes(state),
        b'"received":[',
        b",".join([_kept_parts(state, _RECEIVED + at, _BACK_WORDS, state.backs[at]) for at in seats]),
        b'],"played":[',
        b",".join([_kept_parts(state, _PLAYED + at, CARD_WORDS, state.played[at]) for at in seats]),
    ]
    if len(state.lights) == 2:
        pieces.append(b'],"dummy":')
        pieces.append(_kept_sorted(state, _DUMMY, state.dummy))
        pieces.append(b"}]")
    else:
        pieces.append(b"]}]")
    if seat is not None:
        pieces.append(_SEAT_WORDS[seat])
        pieces.append(write_list(CARD_WORDS, state.hands[seat]))
        pieces.append(b',"drawn":')
        pieces.append(_drawn_bytes(state, seat))
    if state.stage == OVER:
        pieces.append(b',"ending":{' + ending_bytes(state) + b'},"scores":' + scores_bytes(state))
    pieces.append(b"}")
    return b"".join(pieces)


def _keep_list(state: Turns, place: int, words: list[bytes], codes: list[int]) -> bytes:
    """Return the list of the *words* of *codes*, a list that never changes, and keep it for the next view."""
    kept = state.written[place]
    if kept[0] is codes:
        return kept[1]
    written = write_list(words, codes)
    state.written[place] = (codes, written)
    return written


def _kept_sorted(state: Turns, place: int, cards: list[int]) -> bytes:
    """Return the sorted list of *cards*, a list that never changes, and keep it for the next view."""
    kept = state.written[place]
    if kept[0] is cards:
        return kept[1]
    written = write_list(CARD_WORDS, sorted(cards))
    state.written[place] = (cards, written)
    return written


def _kept_parts(state: Turns, place: int, words: list[bytes], parts: Parts) -> bytes:
    """Return *parts*, a list that never changes, and keep it for the next view."""
    kept = state.written[place]
    if kept[0] is parts:
        return kept[1]
    written = b"[" + b",".join([write_list(words, part) for part in parts]) + b"]"
    state.written[place] = (parts, written)
    return written


def _past_bytes(state: Turns) -> bytes:
    """Return the periods that have ended, and the cards of this one, by whose list they are kept."""
    # a reshuffle ends a period and replaces `made_of`, and nothing else does: it stands for all periods
    kept = state.written[_PAST]
    if kept[0] is state.made_of:
        return kept[1]
    periods = [dumps(_past(period)) for period in state.past]
    cards = write_list(CARD_WORDS, state.made_of) if state.past else b"null"
    written = b",".join([*periods, b'{"cards":' + cards + b","])
    state.written[_PAST] = (state.made_of, written)
    return written


def _drawn_bytes(state: Turns, seat: Seat) -> bytes:
    """Return the cards that *seat* received, period by period, kept by the list of those of this period."""
    cards = state.received[seat]
    kept = state.written[_DRAWN + seat]
    if kept[0] is cards:
        return kept[1]
    drawn = [write_list(CARD_WORDS, list(period.received[seat])) for period in state.past]
    drawn.append(write_list(CARD_WORDS, sorted(cards)))
    written = b"[" + b",".join(drawn) + b"]"
    state.written[_DRAWN + seat] = (cards, written)
    return written


def ending_bytes(state: Turns) -> bytes:
    """Return the fields that say why the match is over."""
    return b'"why":' + dumps(ENDS[state.ending]) + b',"seat":' + WHO_WORDS[state.ended_by]


def scores_bytes(state: Turns) -> bytes:
    """Return the points of all seats."""
    return dumps(breakdown(state))
