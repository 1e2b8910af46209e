"""A tree search of a stranger, OpenSpiel's for information sets, plays the games through a bridge."""

from random import Random
from typing import Any

import pytest
from support.need import need
from support.spiel_bridge import SpielState

from engines import GAMES

pytestmark = pytest.mark.tools


@pytest.fixture(autouse=True)
def pyspiel() -> Any:
    return need("pyspiel")


def search(simulations: int, seed: int) -> Any:
    """Return OpenSpiel's search, which plays on at random."""
    import numpy as np
    from open_spiel.python.algorithms.ismcts import ISMCTSBot
    from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

    luck = np.random.RandomState(seed)
    return ISMCTSBot(None, RandomRolloutEvaluator(1, luck), 1.0, simulations, random_state=luck)


def share_beaten(name: str, seats: int, deals: int, simulations: int) -> float:
    """Return the share of the other seats, uniform bots, that the search beats; each deal from every seat."""
    game, beaten = GAMES[name], 0.0
    for number in range(deals):
        deal = game.deal(seats, Random(number))
        for seat in range(seats):
            rng, bot = Random(f"{number}/{seat}"), search(simulations, number)
            state = SpielState(game, seats, game.begin(deal, seats), rng)
            while not state.is_terminal():
                mine = state.current_player() == seat
                state.apply_action(bot.step(state) if mine else rng.choice(state.legal_actions()))
            beaten += state.returns()[seat]
    return beaten / deals / seats


@pytest.mark.parametrize("name", GAMES)
def test_it_decides_in_each_game(name: str) -> None:
    game, rng = GAMES[name], Random(1)
    seats, bot = game.seats[-1], search(20, 1)
    state = SpielState(game, seats, game.begin(game.deal(seats, rng), seats), rng)
    for _ in range(4):
        option = bot.step(state)
        assert option in state.legal_actions()
        state.apply_action(option)


@pytest.mark.slow
def test_it_beats_uniform_bots_by_far() -> None:
    assert share_beaten("stellar", 2, 4, 60) > 0.8
