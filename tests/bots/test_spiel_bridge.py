"""A tree search of a stranger, OpenSpiel's for information sets, plays the games through a bridge.

The bridge is written against bots/SEARCH.md alone, as a stranger would write it.
"""

from __future__ import annotations

from array import array
from random import Random
from types import SimpleNamespace

import pytest
from support.full import gate_or_full
from support.need import need

from engines import GAMES
from engines.position import read_view

pytestmark = pytest.mark.tools


class SpielState:
    """A match that is played on in place.  What a player knows of it is the numbers that its seat sees."""

    def __init__(self, game, seats, position, rng):
        self.game, self.seats, self.position, self.rng = game, seats, position, rng
        self.row = array("f", bytes(4 * len(game.columns(seats))))

    def get_game(self):
        """Return what a search asks of the game: here, whether it is one that it knows."""
        from pyspiel import GameType

        kind = SimpleNamespace(
            dynamics=GameType.Dynamics.SEQUENTIAL, information=GameType.Information.IMPERFECT_INFORMATION
        )
        return SimpleNamespace(get_type=lambda: kind)

    def clone(self):
        return SpielState(self.game, self.seats, self.position.copy(), self.rng)

    def current_player(self):
        return self.position.seat

    def legal_actions(self, player=None):
        return [*(self.position.options() if player is None else self.position.options_of(player))]

    def apply_action(self, option):
        self.position.play(int(option))

    def is_chance_node(self):
        return False

    def is_terminal(self):
        return self.position.over

    def returns(self):
        """Return the share of the others that each seat beat; a tie is half."""
        ranks = self.position.outcome().ranks
        others = len(ranks) - 1
        return [(sum((x > rank) + (x == rank) / 2 for x in ranks) - 0.5) / others for rank in ranks]

    def information_state_string(self):
        self.position.numbers(self.position.seat, self.row)
        return self.row.tobytes()

    def resample_from_infostate(self, player, _):
        world = self.game.position(self.game.imagine(read_view(self.position, player), self.rng))
        while world.seat != player:  # the seats before it have chosen in this step already, hidden from it
            world.play(self.rng.choice(world.options()))
        return SpielState(self.game, self.seats, world, self.rng)


@pytest.fixture(autouse=True)
def pyspiel():
    return need("pyspiel")


def search(simulations, seed):
    """Return OpenSpiel's search, which plays on at random."""
    import numpy as np
    from open_spiel.python.algorithms.ismcts import ISMCTSBot
    from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

    luck = np.random.RandomState(seed)
    return ISMCTSBot(None, RandomRolloutEvaluator(1, luck), 1.0, simulations, random_state=luck)


def share_beaten(name, seats, deals, simulations):
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
def test_it_decides_in_each_game(name):
    game, rng = GAMES[name], Random(1)
    seats, bot = game.seats[-1], search(20, 1)
    state = SpielState(game, seats, game.begin(game.deal(seats, rng), seats), rng)
    for _ in range(4):
        option = bot.step(state)
        assert option in state.legal_actions()
        state.apply_action(option)


@pytest.mark.slow
def test_it_beats_uniform_bots_by_far():
    assert share_beaten("stellar", 2, gate_or_full(2, 4), gate_or_full(30, 60)) > 0.8
