"""Views as the JSON that bots get: all that a seat knows, built up from nothing (SS26, B14, B15, B16)."""

from typing import Final

from engines.game import Seat
from engines.json_bytes import SMALL, dumps, quote_words, write_list
from engines.starry_sky.boards import BOARDS, IS_LARGE, NAMES, PLACES, STARS_ON
from engines.starry_sky.moves import moves_bytes
from engines.starry_sky.table import LAID, OWNER_IN, TOKEN_THAT
from engines.starry_sky.tokens import COUNT_OF, HIDDEN, TOKENS
from engines.starry_sky.tokens import NAMES as TOKENS_IN
from engines.starry_sky.turns import Turns

_PRINTED: Final = [(board.prizes, board.large, board.edges) for board in BOARDS.values()]


TOKEN_WORDS: Final[list[bytes]] = quote_words([*TOKENS])
"""The name of every token as JSON."""
_OWNER_WORDS: Final[list[bytes]] = [*[SMALL[seat] for seat in OWNER_IN], b"null"]
"""The seat of what lies on a star; the last one, at EMPTY, is null."""
_LAID_WORDS: Final[list[bytes]] = [*[TOKEN_WORDS[token] for token in TOKEN_THAT], b"null"]
"""The token that lies on a star; the last one, at EMPTY, is null."""
_FACE_WORDS: Final[list[list[bytes]]] = [
    [*[dumps(HIDDEN)] * LAID, b"null"] if large else _LAID_WORDS for large in IS_LARGE
]
"""For each star the public face of what lies there."""
_PLACE_WORDS: Final[list[bytes]] = [b"%b:" % dumps(place) for place in PLACES]
_TOKENS_WORDS: Final[list[bytes]] = [dumps([*tokens]) for tokens in TOKENS_IN]
"""Every set of tokens as a list."""
_HEADS: Final[list[bytes]] = [
    b'{"seats":%d,"options":{},"first":%d,"turn":' % (seats, first)
    for seats in range(6)
    for first in range(5)
]
"""The beginning of a view, for every number of seats and first seat."""
_NEXT_WORDS: Final[list[bytes]] = [b',"next":%b,"coins":[' % seat for seat in (*SMALL[:5], b"null")]
_PILE_WORDS: Final[list[bytes]] = [b'],"pile":%d,"excluded":{' % boards for boards in range(len(NAMES))]
_SEAT_WORDS: Final[list[bytes]] = [b'],"seat":%d,"hand":' % seat for seat in range(5)]
_BOARD_HEADS: Final[list[bytes]] = [
    dumps({"board": name, "prizes": prizes, "large": large, "edges": edges})[:-1] + b',"owners":['
    for name, (prizes, large, edges) in zip(NAMES, _PRINTED, strict=True)
]
_SCORED_HEADS: Final[list[bytes]] = [b'"board":%b,"owners":[' % dumps(name) for name in NAMES]


def choice_bytes(state: Turns, seat: Seat) -> bytes:
    """Return the choice of *seat*, which must be asked."""
    return b'{"kind":"one","options":[' + moves_bytes(state.free, state.hands[seat]) + b"]}"


def view_bytes(state: Turns, seat: Seat | None) -> bytes:
    """Return everything that *seat* knows; None is a spectator, who knows what is public."""
    hands, boards = state.hands, state.boards
    pieces = [
        _HEADS[5 * len(hands) + state.first],
        SMALL[state.turn],
        _NEXT_WORDS[state.seat if boards else -1],
        b",".join([SMALL[coins] for coins in state.coins]),
        b'],"hands":[',
        b",".join([SMALL[COUNT_OF[hand]] for hand in hands]),
        b'],"boards":[',
        b",".join([_write_board(state, board) for board in boards]),
        _PILE_WORDS[len(state.pile) - state.opened],
        _write_known(state),
        _write_scored(state),
    ]
    if seat is None:
        pieces.append(b"]}")
    else:
        pieces.append(_SEAT_WORDS[seat])
        pieces.append(_TOKENS_WORDS[hands[seat]])
        pieces.append(_write_hidden(state, seat))
    return b"".join(pieces)


def _write_board(state: Turns, board: int) -> bytes:
    """Return a board in play, and keep it for the next view."""
    if not state.board_words[board]:
        laid, stars = state.laid, STARS_ON[board]
        state.board_words[board] = b"".join(
            [
                _BOARD_HEADS[board],
                b",".join([_OWNER_WORDS[laid[star]] for star in stars]),
                b'],"tokens":[',
                b",".join([_FACE_WORDS[star][laid[star]] for star in stars]),
                b"]}",
            ]
        )
    return state.board_words[board]


def _write_known(state: Turns) -> bytes:
    """Return what is publicly known of tokens that lie face down, and keep it for the next view."""
    if not state.known_words:
        excluded = [_PLACE_WORDS[star] + _TOKENS_WORDS[tokens] for star, tokens in state.excluded.items()]
        rarer = [_PLACE_WORDS[star] + b"%d" % times for star, times in state.rarer.items()]
        state.known_words = b'%b},"rarer":{%b},"scored":[' % (b",".join(excluded), b",".join(rarer))
    return state.known_words


def _write_scored(state: Turns) -> bytes:
    """Return the boards that were scored, and keep them for the next view."""
    while state.scored_written < len(state.scored):
        comma = b"," if state.scored_written else b""
        state.scored_words += comma + b"{" + scored_bytes(state, state.scored_written) + b"}"
        state.scored_written += 1
    return state.scored_words


def scored_bytes(state: Turns, place: int) -> bytes:
    """Return the board that was scored at *place*, counted from the oldest, without braces."""
    laid, board = state.laid, state.scored[place]
    stars = STARS_ON[board]
    return b"".join(
        [
            _SCORED_HEADS[board],
            b",".join([_OWNER_WORDS[laid[star]] for star in stars]),
            b'],"tokens":[',
            b",".join([_LAID_WORDS[laid[star]] for star in stars]),
            b'],"coins":',
            write_list(SMALL, state.paid[place]),
        ]
    )


def _write_hidden(state: Turns, seat: Seat) -> bytes:
    """Return the end of the view of *seat*, its tokens that lie face down, and keep it for the next view."""
    if not state.hidden_words[seat]:
        laid = state.laid
        mine = [_PLACE_WORDS[star] + _LAID_WORDS[laid[star]] for star in state.hidden[seat]]
        state.hidden_words[seat] = b',"mine":{' + b",".join(mine) + b"}}"
    return state.hidden_words[seat]
