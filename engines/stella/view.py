"""Views as the JSON that bots get: all that a seat knows, built up from nothing (D4 to D9, SD17)."""

from functools import lru_cache
from typing import Final

from engines.game import Seat
from engines.json_bytes import SMALL, dumps, write_list
from engines.stella.cards import Grid, Luck
from engines.stella.deck import options_json
from engines.stella.grid import SEATS_IN, places_in
from engines.stella.moves import FEWEST, MOST, VOTE_CHOICE
from engines.stella.scoring import NO_SEAT
from engines.stella.table import SEAT_BITS, Past
from engines.stella.turns import SHOW, STEPS, VOTE, Turns

IN_SEATS: Final = (1 << SEAT_BITS) - 1
"""The part of a card that was shown, as Table.shown keeps it, that is the set of seats."""


def crosses_names(grid: Grid, places: int) -> list[str]:
    """Return the names of the cards on *places*, a set."""
    return [*map(grid.names.__getitem__, places_in(places))]


_STEP_WORDS: Final[list[bytes]] = [b',"step":%b,"grid":[' % dumps(step) for step in STEPS]
_FLIPPED_WORDS: Final[list[bytes]] = [b',"flipped":false', b',"flipped":true']
SEAT_WORDS: Final[list[bytes]] = [*SMALL[:6], b"null"]
"""Every seat as JSON; the last one, at NO_SEAT, is null."""
SEATS_WORDS: Final[list[bytes]] = [write_list(SMALL, seats) for seats in SEATS_IN]
"""Every set of seats as JSON."""
_VOTE_CHOICE: Final = dumps(VOTE_CHOICE.to_json())
_CROSS_CHOICE_END: Final = b'],"low":%d,"high":%d}' % (FEWEST, MOST)


@lru_cache(maxsize=1024)  # a word card may be any text, and the words of a match are in each of its views
def write_word(word: str) -> bytes:
    """Return *word*, any text."""
    return dumps(word)


def option_bytes(luck: Luck) -> bytes:
    """Return all rule options."""
    return dumps(options_json(luck.word_vote, luck.first_game, luck.cards.deck))


def choice_bytes(state: Turns, seat: Seat) -> bytes:
    """Return the choice of *seat*, which must be asked."""
    grid, cards = state.grid, state.luck.cards
    if state.stage == SHOW:
        codes, words = grid.cards, cards.show_words
        shows = b",".join([words[codes[place]] for place in state.to_show(seat)])
        return b'{"kind":"one","options":[' + shows + b"]}"
    if state.stage == VOTE:
        return _VOTE_CHOICE
    if not grid.choice_written:
        words = cards.name_words
        names = b",".join([words[card] for card in grid.cards])
        grid.choice_written = b'{"kind":"some","options":[' + names + _CROSS_CHOICE_END
    return grid.choice_written


def view_bytes(state: Turns, seat: Seat | None) -> bytes:
    """Return everything that *seat* knows; None is a spectator, who knows what is public."""
    luck, grid, stage = state.luck, state.grid, state.stage
    if not luck.written:
        luck.written = _begin_view(luck)
    if not grid.written:
        words = luck.cards.picture_words
        grid.written = b",".join([words[card] for card in grid.cards])
    pieces = [
        luck.written,
        SMALL[state.number],
        _STEP_WORDS[stage],
        grid.written,
        b'],"word":',
        b"null" if stage == VOTE else write_word(luck.words[state.number - 1][state.flipped]),
        _FLIPPED_WORDS[state.flipped],
        b',"counts":',
        write_list(SMALL, state.counts),
        b',"dark":',
        SEAT_WORDS[state.dark],
        b',"scout":',
        SEAT_WORDS[state.seat if stage == SHOW else NO_SEAT],
        b',"shown":{',
        _shown_bytes(luck, grid, state.shown),
        b'},"fallen":',
        SEATS_WORDS[state.fallen],
        b',"stars":',
        write_list(SMALL, state.stars),
        b',"sparks":',
        write_list(SMALL, state.sparks),
        b',"rounds":[',
        b",".join([_past_bytes(luck, number, past) for number, past in enumerate(state.past)]),
        b'],"scores":',
        write_list(SMALL, state.scores),
    ]
    if stage == VOTE:
        top, upside_down = luck.words[state.number - 1]
        pieces.append(b',"words":[' + write_word(top) + b"," + write_word(upside_down) + b"]")
    if seat is not None:
        pieces.append(b',"seat":%d,"crosses":' % seat)
        pieces.append(crosses_bytes(luck, grid, state.crosses[seat] if state.crosses else 0))
        pieces.append(b',"past_crosses":[')
        pieces.append(b",".join([_past_crosses_bytes(luck, past, seat) for past in state.past]))
        pieces.append(b"]")
    pieces.append(b"}")
    return b"".join(pieces)


def _begin_view(luck: Luck) -> bytes:
    """Return the beginning of a view, which is the same in the whole match."""
    return b'{"seats":%d,"options":%b,"first":%d,"round":' % (luck.seats, option_bytes(luck), luck.first)


def crosses_bytes(luck: Luck, grid: Grid, places: int) -> bytes:
    """Return the names of the cards on *places*, a set."""
    words, cards = luck.cards.name_words, grid.cards
    return b"[" + b",".join([words[cards[place]] for place in places_in(places)]) + b"]"


def _shown_bytes(luck: Luck, grid: Grid, shown: list[int]) -> bytes:
    """Return the cards that were shown, each with all seats that had crossed it."""
    words, cards = luck.cards.name_words, grid.cards
    return b",".join(
        [words[cards[card >> SEAT_BITS]] + b":" + SEATS_WORDS[card & IN_SEATS] for card in shown]
    )


def _past_crosses_bytes(luck: Luck, past: Past, seat: Seat) -> bytes:
    """Return the crosses of *seat* in a finished round, and keep them for the next view."""
    written = past.crosses_written[seat]
    if not written:
        written = past.crosses_written[seat] = crosses_bytes(luck, past.grid, past.crosses[seat])
    return written


def _past_bytes(luck: Luck, number: int, past: Past) -> bytes:
    """Return the public facts about a finished round, and keep them for the next view."""
    if past.written:
        return past.written
    past.written = b"".join(
        [
            b'{"cards":',
            write_list(luck.cards.name_words, past.grid.cards),
            b',"word":',
            write_word(luck.words[number][past.flipped]),
            _FLIPPED_WORDS[past.flipped],
            b',"counts":',
            write_list(SMALL, past.counts),
            b',"dark":',
            SEAT_WORDS[past.dark],
            b',"shown":{',
            _shown_bytes(luck, past.grid, past.shown),
            b'},"fallen":',
            SEATS_WORDS[past.fallen],
            b',"stars":',
            write_list(SMALL, past.stars),
            b',"scores":',
            write_list(SMALL, past.scores),
            b"}",
        ]
    )
    return past.written
