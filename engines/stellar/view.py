"""Views as the JSON that bots get: all that a seat knows, built up from nothing (ST31, A17)."""

from typing import Final

from engines.game import Seat
from engines.json_bytes import SMALL, dumps, quote_words, write_list
from engines.stellar.cards import NAMES, NO_CARD
from engines.stellar.moves import PLAYS, QUOTED
from engines.stellar.scoring import breakdown
from engines.stellar.turns import OVER, STEPS, TURNS, Turns

_LAID: Final[list[tuple[str, str]]] = [(play.slot, play.lies) for play in PLAYS.values()]
"""The slot and the card in a telescope after an option."""


CARD_WORDS: Final[list[bytes]] = [*quote_words(NAMES), b"null"]
"""The name of every card as JSON; the last one, at NO_CARD, is a gap."""
_LAID_WORDS: Final[list[bytes]] = [b"%b:%b" % (dumps(slot), dumps(lies)) for slot, lies in _LAID]
_HEADS: Final[list[bytes]] = [
    b'{"seats":2,"options":{"face_down_number":%b},"first":%d,"turn":%d,"step":' % (value, first, turn)
    for value in (b'"printed"', b'"three"')
    for first in (0, 1)
    for turn in range(TURNS + 1)
]
"""The beginning of a view, for every rule option, first seat and turn."""
_STEP_WORDS: Final[list[bytes]] = [
    b'%b,"satellite":%b,"row":[' % (dumps(step), satellite)
    for step in STEPS
    for satellite in (b"false", b"true")
]
_PILE_WORDS: Final[list[bytes]] = [b'],"pile":%d,"discards":[' % cards for cards in range(61)]
_MOST: Final = 4
_HAND_WORDS: Final[list[bytes]] = [
    b']],"hands":[%d,%d],"known":[[' % (one, other) for one in range(_MOST) for other in range(_MOST)
]
"""What a view says of the sizes of both hands, which are below _MOST."""
_SEAT_WORDS: Final[list[bytes]] = [b',"seat":0,"hand":', b',"seat":1,"hand":']


def choice_bytes(options: list[int]) -> bytes:
    """Return a choice among *options*."""
    return b'{"kind":"one","options":[' + b",".join([QUOTED[option] for option in options]) + b"]}"


def row_bytes(row: list[int]) -> bytes:
    """Return the cards of a row; null for a gap."""
    return write_list(CARD_WORDS, row)


def view_bytes(state: Turns, seat: Seat | None) -> bytes:
    """Return everything that *seat* knows; None is a spectator, who knows what is public."""
    hands, known, notebooks, telescopes = state.hands, state.known, state.notebooks, state.telescopes
    words = CARD_WORDS
    # the place of these two in _HEADS
    variant = 2 * state.always_three + state.first
    pieces = [
        _HEADS[(TURNS + 1) * variant + state.turn],
        _STEP_WORDS[2 * state.stage + state.satellite],
        b",".join([words[card] for card in state.row]),
        _PILE_WORDS[len(state.pile)],
        _write_kept(state, 4, words, state.discards),
        b'],"reshuffles":',
        SMALL[state.reshuffles],
        b',"telescopes":[{',
        _write_kept(state, 0, _LAID_WORDS, telescopes[0]),
        b"},{",
        _write_kept(state, 1, _LAID_WORDS, telescopes[1]),
        b'}],"notebooks":[[',
        _write_kept(state, 2, words, notebooks[0]),
        b"],[",
        _write_kept(state, 3, words, notebooks[1]),
        _HAND_WORDS[_MOST * len(hands[0]) + len(hands[1])],
        b",".join([words[card] for card in known[0]]),
        b"],[",
        b",".join([words[card] for card in known[1]]),
        b"]]",
    ]
    if seat is not None:
        pieces.append(_SEAT_WORDS[seat])
        pieces.append(write_list(words, hands[seat]))
    if state.waiting != NO_CARD:
        pieces.append(b',"waiting":')
        pieces.append(words[state.waiting])
    if state.reshuffles:
        pieces.append(b',"pile_cards":')
        pieces.append(write_list(words, sorted(state.pile)))
    if state.stage == OVER:
        pieces.append(b',"thrown":')
        pieces.append(write_list(words, state.thrown))
        pieces.append(b',"scores":')
        pieces.append(scores_bytes(state))
    pieces.append(b"}")
    return b"".join(pieces)


def _write_kept(state: Turns, place: int, words: list[bytes], codes: list[int]) -> bytes:
    """Return the *words* of *codes*, a list that never changes, and keep them for the next view."""
    kept = state.written[place]
    if kept[0] is codes:  # lists are replaced, not changed, and comparing takes as long as writing
        return kept[1]
    written = b",".join([words[code] for code in codes])
    state.written[place] = (codes, written)
    return written


def scores_bytes(state: Turns) -> bytes:
    """Return the points of both seats."""
    return dumps(breakdown(state))
