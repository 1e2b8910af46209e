"""The luck of the draws in a match of Stellar (AIVAT, Burch and others, 2018).

Each time cards are drawn, the same move is made with other cards from the pile, which are as likely, and
both seats are played to the end from there, many times.  How much better the real cards were for seat 0 than
the others is the luck of this draw.  Given all that happened before, its expectation is 0 whatever the bots
do and however bad the estimate is: real and other cards come from the same pile in random order, and the dice
are new for each draw.  The better the estimate, the more of the variance of results is taken out with it.
"""

import math
from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from engines.dice import shuffled
from engines.game import Move, Seat
from engines.stellar.moves import OPTIONS
from engines.stellar.playouts import play_out
from engines.stellar.state import State
from engines.stellar.turns import PLACE, TURNS

MOST_LUCK: Final = 1.5
"""The bound of the luck of a match.  In half of all matches it is below 0.4, in 99 of 100 below 1.5.  A test
that bets on results bets less where they may vary more, so the bound is no larger than it must be."""
SAMPLES: Final = 48
"""How many other draws are tried."""
FIRST_TURN: Final = 9
"""The first turn whose draws count, from 0: what a draw is worth early on cannot be told from few matches."""
WEIGHTS: Final = (0.5, 0.54, 0.58, 0.62, 0.66, 0.66, 0.66, 0.66, 0.66, 0.68, 0.69, 0.7, 0.72, 0.74)
"""How much of the luck of a draw is believed, by the turn that follows, from FIRST_TURN on."""
_CLOSE: Final = 2
"""At the end of a match, a lead of fewer points counts as part of a win only; before, of one more a turn.
Results of 1 and -1 only would vary more than the chance to win, which they are to tell."""
_NEVER_AGAIN: Final = 3
"""From this many reshuffles on, a deal repeats their orders, and then a bot may know the pile."""


def luck(state: State, moves: Sequence[Mapping[Seat, Move]], rng: Random, twins_apart: bool = True) -> float:
    """Return the luck of seat 0 in the match that starts with *state*; at most MOST_LUCK, either way.

    A draw counts with less weight where the bound is near: before it is known how lucky it was, so that its
    expectation stays 0.  Not *twins_apart*: as it was computed at first, with two equal cards as one.
    """
    total = 0.0
    for made in moves:
        after = _play(state, made)
        if after.turn >= FIRST_TURN and _is_open(state, after):
            weight = min(WEIGHTS[after.turn - FIRST_TURN], (MOST_LUCK - abs(total)) / 2)
            total += weight * _luck_of_draw(state, made, after, rng, twins_apart)
        state = after
    return max(-MOST_LUCK, min(MOST_LUCK, total))  # the last bit of a float may lie beyond


def _is_open(state: State, after: State) -> bool:
    """Return whether the cards drawn between *state* and *after* may decide something.

    This depends on how many were drawn, never on which: that is known before.
    """
    if len(after.pile) == len(state.pile) or (after.turn == TURNS and state.stage == PLACE):
        return False
    # what is drawn while the pile is made anew comes from no order of this one
    return after.reshuffles == state.reshuffles < _NEVER_AGAIN


def _luck_of_draw(
    state: State, moves: Mapping[Seat, Move], after: State, rng: Random, twins_apart: bool = True
) -> float:
    """Return how much better for seat 0 the cards that led to *after* were than others, from -2 to 2.

    Real and other cards are followed by the same ones as far as possible, so that the matches differ little.
    The pile is mixed by the places of its cards: two equal cards are two, or what follows the real ones would
    not be in random order.
    """
    drawn = len(state.pile) - len(after.pile)
    real = state.pile[len(after.pile) :][::-1]  # next card first, as in the piles below
    cards, close = sorted(state.pile), _CLOSE + TURNS - after.turn
    places = [cards.index(card) + real[:i].count(card) for i, card in enumerate(real)]
    values = []
    for _ in range(SAMPLES):
        order = shuffled(range(len(cards)), rng)
        pile = [cards[place] for place in order]
        other = state.copy()
        other.pile = pile[::-1]
        other = _play(other, moves)
        more = shuffled(other.discards, rng)
        values.append(-_value(play_out(other, [*pile[drawn:], *more]), close))
        for i, place in enumerate(places):
            j = order.index(place) if twins_apart else pile.index(cards[place], i)
            order[i], order[j] = order[j], order[i]
            pile[i], pile[j] = pile[j], pile[i]
        values.append(_value(play_out(after, [*pile[drawn:], *more]), close))
    return math.fsum(values) / SAMPLES


def _value(lead: int, close: int) -> float:
    """Return what a lead of *lead* points is worth: 1 for a win, less if it is below *close* points."""
    return max(-1.0, min(1.0, lead / close))


def _play(state: State, moves: Mapping[Seat, Move]) -> State:
    after = state.copy()
    for seat in sorted(moves):
        after.play(OPTIONS[str(moves[seat])])
    return after
