"""Moves and views as numbers, for programs that learn.

What a view says is written from left to right, in the order of the columns.  Pictures and words are codes of
the deck: the options of a view say what they are.
"""

from collections.abc import Mapping
from typing import Any, Final

from engines.columns import ViewColumn, clear_buffer, code, count, list_columns, names_by_seat
from engines.game import Json, Seat
from engines.stella.cards import Cards, cards_of
from engines.stella.deck import DEFAULT
from engines.stella.grid import PLACES, ROUNDS, places_in
from engines.stella.moves import MOST, VOTE_MOVES
from engines.stella.scoring import NO_SEAT, SUPER_SPARK
from engines.stella.table import SEAT_BITS, Past
from engines.stella.turns import OVER, SHOW, VOTE, Turns

_HEAD: Final = 8
"""The columns before those by seat."""
_OF_ROUND: Final = 3 * PLACES + 3
"""The columns of a round, besides those of its seats."""
_OF_SEAT: Final = PLACES + 4
"""Those of each seat in a round."""


def vocabulary(seats: int, options: Mapping[str, Json]) -> tuple[str, ...]:
    """Return both votes, then the cards of the deck, then the moves that show them."""
    cards = cards_of(options.get("deck", DEFAULT))
    return (*VOTE_MOVES, *cards.names, *cards.shows)


def columns(seats: int, options: Mapping[str, Json]) -> tuple[ViewColumn, ...]:
    """Return what each number is at a table of *seats* with the deck of *options*."""
    cards = cards_of(options.get("deck", DEFAULT))
    rounds = [f"{number}" for number in range(1, ROUNDS + 1)]
    places = [f"{place}" for place in range(PLACES)]
    who, words, each = "1 you, 2 the next clockwise", len(cards.word_codes), names_by_seat(seats)
    most = PLACES * SUPER_SPARK
    head = [
        code("seat", seats - 1, "your seat"),
        count("word_vote", 1, "the option"),
        count("first_game", 1, "the option"),
        code("first", seats, f"the first scout of round 1: {who}"),
        count("round", ROUNDS, "the round"),
        code("step", OVER, "the decision to make, in the order of `stage`"),
        code("scout", seats, f"at `show` the seat that is asked: {who}; else 0"),
        code("upside_down", words, "at `vote` the word printed upside down; else 0"),
        count("scores", ROUNDS * most, "by seat, the points from all finished rounds", each),
        count("sparks", PLACES, "by seat, the cards that the stars of this round come from", each),
    ]
    assert len(head) == _HEAD + 2
    rest = []
    for number in rounds:
        rest += [
            code(
                f"word.{number}", words, "by round, its word, at `vote` the one at the top; 0: another text"
            ),
            count(f"flipped.{number}", 1, "by round, 1 if its word is the one printed upside down"),
            code(f"dark.{number}", seats, f"by round, the seat in the dark: {who}; 0: none"),
            code(
                f"grid.{number}",
                len(cards.names),
                "by round, the picture on each place; 0: the round has not begun",
                places,
            ),
            count(f"shown.{number}", 1, "by round, 1 for each place that was shown", places),
            count(f"crosses.{number}", 1, "by round, 1 for each place that you crossed", places),
            count(f"counts.{number}", MOST, "by round, how many crosses each seat made", each),
            count(f"fallen.{number}", 1, "by round, 1 for each seat that has fallen", each),
            count(f"stars.{number}", most, "by round, the stars that each seat filled", each),
            count(f"won.{number}", most, "by round, if it is finished, the points of each seat in it", each),
            count(
                f"crossed.{number}",
                1,
                "by round and seat, 1 for each place shown that the seat had crossed",
                names_by_seat(seats, places),
            ),
        ]
    return list_columns([*head, *rest])


def write_numbers(state: Turns, seat: Seat, buffer: Any) -> None:
    """Write all that *seat* knows, a picture as its place + 1.  Raises ValueError for a wrong buffer."""
    luck, seats = state.luck, state.luck.seats
    of_round = _OF_ROUND + _OF_SEAT * seats
    out = clear_buffer(buffer, _HEAD + 2 * seats + ROUNDS * of_round)
    out[0] = seat
    out[1] = int(luck.word_vote)
    out[2] = int(luck.first_game)
    out[3] = 1 + (luck.first - seat) % seats
    out[4] = state.number
    out[5] = state.stage
    if state.stage == SHOW:
        out[6] = 1 + (state.seat - seat) % seats
    elif state.stage == VOTE:
        out[7] = luck.cards.word_codes.get(luck.words[state.number - 1][1], 0)
    for r in range(seats):
        who = (seat + r) % seats
        out[_HEAD + r] = state.scores[who]
        out[_HEAD + seats + r] = state.sparks[who]
    at = _HEAD + 2 * seats
    for number, past in enumerate(state.past):
        _write_round(out, at, seat, luck.cards, luck.words[number][past.flipped], past)
        _write_by_seat(out, at + _OF_ROUND + 3 * seats, seat, past.scores)
        at += of_round
    if state.stage != OVER:  # else it is the last of those that are finished
        _write_round(out, at, seat, luck.cards, luck.words[state.number - 1][state.flipped], state)


def _write_round(out: memoryview, at: int, seat: Seat, cards: Cards, word: str, told: Past | Turns) -> None:
    """Write what *seat* knows of a round from *at* on, but not the points that it is worth."""
    shown, fallen, stars = told.shown, told.fallen, told.stars
    seats = len(stars)
    out[at] = cards.word_codes.get(word, 0)
    out[at + 1] = int(told.flipped)
    if told.dark != NO_SEAT:
        out[at + 2] = 1 + (told.dark - seat) % seats
    at += 3
    for place, card in enumerate(told.grid.cards):
        out[at + place] = card + 1
    at += PLACES
    crossed = at + 2 * PLACES + 4 * seats
    for card in shown:
        place = card >> SEAT_BITS
        out[at + place] = 1
        for r in range(seats):
            if card >> (seat + r) % seats & 1:
                out[crossed + PLACES * r + place] = 1
    at += PLACES
    if told.counts:
        for place in places_in(told.crosses[seat]):
            out[at + place] = 1
        _write_by_seat(out, at + PLACES, seat, told.counts)
    at += PLACES
    for r in range(seats):
        if fallen >> (seat + r) % seats & 1:
            out[at + seats + r] = 1
    _write_by_seat(out, at + 2 * seats, seat, stars)


def _write_by_seat(out: memoryview, at: int, seat: Seat, numbers: list[int]) -> None:
    """Write *numbers*, a list by seat, that of *seat* first."""
    seats = len(numbers)
    for r in range(seats):
        out[at + r] = numbers[(seat + r) % seats]
