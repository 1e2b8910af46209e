"""The games as games of OpenSpiel: its own simulation, and its search, which beats chance."""

import gc
import json
import subprocess
import sys
from random import Random

import pytest
from support.full import gate_or_full
from support.need import need

from engines import GAMES
from engines.judge import beaten_by

pytestmark = pytest.mark.tools
TABLES = [("stellar", 2), ("stella-quest", 2), ("stella-quest", 4), ("starry-sky", 3), ("stella", 6)]


@pytest.fixture(autouse=True)
def pyspiel():
    need("numpy")
    module = need("pyspiel")
    need("ladder.learn.spiel")
    return module


def load(name, players, **options):
    import pyspiel

    return pyspiel.load_game(
        f"ladder_{name.replace('-', '_')}", {"players": players, "rng_seed": 3, **options}
    )


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_openspiels_own_simulation_passes(name, players, pyspiel):
    pyspiel.random_sim_test(load(name, players), num_sims=2, serialize=False, verbose=False)


def test_a_match_is_dealt_by_chance_and_ends_with_the_rewards():
    game, rng = load("starry-sky", 4), Random(1)
    state = game.new_initial_state()
    assert (True, [0], "before the deal") == (state.is_chance_node(), state.legal_actions(), str(state))
    assert [0, 0, 0, 0] == state.returns()
    state.apply_action(0)
    while not state.is_terminal():
        player, action = state.current_player(), rng.choice(state.legal_actions())
        assert state.match.table.words[action] == state.action_to_string(player, action)
        assert [] == state.legal_actions((player + 1) % 4)
        state.apply_action(action)
    assert [2 * share - 1 for share in beaten_by(state.match.position.outcome().ranks)] == state.returns()


def test_a_seed_and_rule_options_are_parameters():
    deals = []
    for seed in (3, 3, 4):
        state = load("stellar", 2, rng_seed=seed, face_down_number="three").new_initial_state()
        gc.collect()  # the state alone keeps its game
        state.apply_action(0)
        assert {"face_down_number": "three"} == state.match.deal["options"]
        deals.append(state.match.deal)
    assert (True, False) == (deals[0] == deals[1], deals[0] == deals[2])


def test_a_clone_and_a_resampled_world_look_the_same_and_go_their_own_way():
    state, rng = load("stella", 4).new_initial_state(), Random(2)
    state.apply_action(0)
    for _ in range(40):
        player, action = state.current_player(), rng.choice(state.legal_actions())
        clone, world = state.clone(), state.resample_from_infostate(state.current_player(), rng.random)
        for other in (clone, world):
            assert state.information_state_string(player) == other.information_state_string(player)
            assert state.information_state_tensor(player) == other.information_state_tensor(player)
            assert (player, state.legal_actions()) == (other.current_player(), other.legal_actions())
        before = str(state), state.match.marked[:]
        clone.apply_action(action)
        world.apply_action(action)
        assert before == (str(state), state.match.marked)
        state.apply_action(action)
    seen = json.loads(state.information_state_string(0).rpartition(" [")[0])
    assert GAMES["stella"].view(state.match.position, 0) == seen


def test_python_ends_well_after_games_were_registered():
    program = "import ladder.learn.spiel, pyspiel; pyspiel.load_game('ladder_stellar').new_initial_state()"
    subprocess.run([sys.executable, "-c", program], check=True)


def search(simulations, seed):
    """Return OpenSpiel's search, which plays on at random."""
    import numpy as np
    from open_spiel.python.algorithms.ismcts import ISMCTSBot
    from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

    luck, rng = np.random.RandomState(seed), Random(seed)
    bot = ISMCTSBot(None, RandomRolloutEvaluator(1, luck), 1.0, simulations, random_state=luck)
    bot.set_resampler(lambda state, player: state.resample_from_infostate(player, rng.random))  # a seeded one
    return bot


@pytest.mark.parametrize("name", ["stellar", "stella-quest", "starry-sky"])
def test_its_search_decides_in_each_game(name):
    state, bot = load(name, GAMES[name].seats[-1]).new_initial_state(), search(10, 1)
    state.apply_action(0)
    for _ in range(3):
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)


@pytest.mark.slow
def test_its_search_beats_uniform_bots_by_far():
    earned, deals = [], gate_or_full(4, 8)
    for number in range(deals):
        for seat in range(2):
            rng, bot = Random(f"{number}/{seat}"), search(gate_or_full(30, 60), number)
            state = load("stellar", 2, rng_seed=number).new_initial_state()
            state.apply_action(0)
            while not state.is_terminal():
                mine = state.current_player() == seat
                state.apply_action(bot.step(state) if mine else rng.choice(state.legal_actions()))
            earned.append(state.returns()[seat])
    assert sum(earned) / len(earned) > 0.4
