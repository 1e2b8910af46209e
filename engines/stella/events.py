"""The events of the last step of a match, as JSON; engines.position.read_events makes values of them.

A state remembers what its last step was, in its fields last_...; the rest of an event is the state itself.
"""

from typing import Final

from engines.game import Seat
from engines.json_bytes import SMALL, write_list
from engines.stella.cards import Grid
from engines.stella.grid import places_of_round
from engines.stella.scoring import NO_SEAT
from engines.stella.table import SEAT_BITS
from engines.stella.turns import JUST_BEGUN, NOT_REMEMBERED, SHOW, VOTE, Turns
from engines.stella.view import IN_SEATS, SEAT_WORDS, SEATS_WORDS, crosses_bytes, option_bytes, write_word


def _last_show(state: Turns) -> tuple[Grid, int, list[int]]:
    """Return the grid of the last show, the card as Table.shown keeps it, and the stars after it."""
    if state.stage == SHOW:
        return state.grid, state.shown[-1], state.stars
    past = state.past[-1]
    return past.grid, past.shown[-1], past.stars


_FALLS: Final[list[bytes]] = [b'{"event":"fall","seat":%d}' % seat for seat in range(6)]
_VOTED: Final[list[bytes]] = [b'{"event":"vote","flipped":%b,"word":' % said for said in (b"false", b"true")]


def event_bytes(state: Turns, seat: Seat | None) -> list[bytes]:
    """Return the events of the last step as *seat* saw them; None is a spectator."""
    stage, luck = state.last_stage, state.luck
    if stage == SHOW:
        return _show_bytes(state)
    if stage == NOT_REMEMBERED:
        return []
    if stage == JUST_BEGUN:
        told = (luck.seats, option_bytes(luck), luck.first)
        return [b'{"event":"start","seats":%d,"options":%b,"first":%d}' % told, _round_bytes(state)]
    if stage == VOTE:
        return [_VOTED[state.flipped] + write_word(luck.words[state.number - 1][state.flipped]) + b"}"]
    pieces = [
        b'{"event":"announce","counts":',
        write_list(SMALL, state.counts),
        b',"dark":',
        SEAT_WORDS[state.dark],
        b',"scout":',
        SEAT_WORDS[state.seat],
    ]
    if seat is not None:
        pieces.append(b',"crosses":')
        pieces.append(crosses_bytes(luck, state.grid, state.crosses[seat]))
    pieces.append(b"}")
    return [b"".join(pieces)]


def _round_bytes(state: Turns) -> bytes:
    """Return the event of a round that begins."""
    number, top, upside_down = state.number, *state.luck.words[state.number - 1]
    places, words, cards = places_of_round(number), state.luck.cards.picture_words, state.grid.cards
    if state.stage == VOTE:
        word = b',"words":[' + write_word(top) + b"," + write_word(upside_down) + b"]}"
    else:
        word = b',"word":' + write_word(top) + b"}"
    return b"".join(
        [
            b'{"event":"round","round":%d,"places":' % number,
            write_list(SMALL, [*places]),
            b',"cards":[',
            b",".join([words[cards[place]] for place in places]),
            b"]",
            word,
        ]
    )


def _show_bytes(state: Turns) -> list[bytes]:
    """Return the events of decision 3, and of the round that it may have ended."""
    seat, going_on = state.last_seat, state.stage == SHOW
    grid, card, stars = _last_show(state)
    crossed, filled = card & IN_SEATS, write_list(SMALL, stars)
    show = b"".join(
        [
            b'{"event":"show","seat":',
            SMALL[seat],
            b',"card":',
            state.luck.cards.name_words[grid.cards[card >> SEAT_BITS]],
            b',"crossed":',
            SEATS_WORDS[crossed],
            b',"stars":',
            filled,
            b',"scout":',
            SEAT_WORDS[state.seat if going_on else NO_SEAT],
            b"}",
        ]
    )
    told = [show]
    if not crossed & (crossed - 1):
        told.append(_FALLS[seat])
    if going_on:
        return told
    past = state.past
    scores = write_list(SMALL, past[-1].scores)
    told.append(b'{"event":"score","round":%d,"stars":%b,"scores":%b}' % (len(past), filled, scores))
    if not state.over:
        told.append(_round_bytes(state))
    return told
