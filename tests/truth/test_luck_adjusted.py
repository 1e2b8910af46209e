"""The experiment with luck-adjusted results at Stellar: they have the right mean and a smaller variance."""

from __future__ import annotations

import math
from random import Random
from statistics import fmean, variance

import pytest
from support.house_play import Act, chooser
from support.luck_adjusted import FIRST, STELLAR, estimate_luck, play_blocks, ratio_of

pytestmark = pytest.mark.slow


def test_adjusted_blocks_vary_less_and_have_the_same_mean():
    blocks = list(play_blocks(("greedy", "bold"), range(FIRST, FIRST + 24)))
    assert ratio_of(blocks) < 0.9
    moved = [block.adjusted - block.plain for block in blocks]
    assert abs(fmean(moved)) < 4 * math.sqrt(variance(moved) / len(moved))


@pytest.mark.parametrize("turn", [18, 20])
def test_luck_has_mean_zero_over_all_draws(turn):
    """From one state, with real draws as likely as the others: nothing is favoured by being real."""
    rng = Random(turn)
    state, moves = open_state(turn, rng)
    lucks = [draw_again(state, moves, rng) for _ in range(400)]
    assert abs(fmean(lucks)) < 4 * math.sqrt(variance(lucks) / len(lucks))


def draw_again(state, moves, rng):
    """Return the luck of a draw from *state*, as likely as any other."""
    drawn = state._replace(pile=tuple(rng.sample(state.pile, len(state.pile))))
    return estimate_luck(drawn, moves, STELLAR.play(drawn, moves).state, rng, 2)


def open_state(turn, rng):
    """Return a state and moves after which cards are drawn that may decide the match, and this turn comes."""
    bot = chooser("stellar", "greedy")
    for number in range(100):
        state = STELLAR.start(STELLAR.deal(2, Random(number)), 2).state
        while choices := STELLAR.choices(state):
            moves = {seat: bot(Act(STELLAR.view(state, seat), choice)) for seat, choice in choices.items()}
            after = STELLAR.play(state, moves).state
            draws = after.turn == turn and len(after.pile) < len(state.pile)
            if draws and sum(draw_again(state, moves, rng) != 0 for _ in range(20)) >= 5:
                return state, moves
            state = after
    raise AssertionError(f"no open match at turn {turn}")
