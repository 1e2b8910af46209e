"""The environment of all seats: PettingZoo's own tests, illegal actions, deals and pictures."""

import contextlib
import io
import warnings
from random import Random

import pytest
from support.learning import IDS, NUMBERED
from support.need import need

pytestmark = pytest.mark.tools


@pytest.fixture(autouse=True)
def pettingzoo():
    return need("pettingzoo")


def make(*arguments, **options):
    from ladder.learn import LadderEnv

    return LadderEnv(*arguments, **options)


@pytest.mark.parametrize(("game", "seats"), NUMBERED, ids=IDS)
def test_the_librarys_own_tests_pass(game, seats):
    from pettingzoo.test import api_test, seed_test

    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")  # it advises against dictionaries, and against masks of zeros
        api_test(make(game, seats), num_cycles=200)
        seed_test(lambda: make(game, seats), num_cycles=200)


def play(env, rng, *, until=10**9):
    """Play at random; return what each agent was rewarded."""
    earned = dict.fromkeys(env.possible_agents, 0.0)
    for number, agent in enumerate(env.agent_iter()):
        seen, reward, over, _, info = env.last()
        earned[agent] += reward
        if number == until:
            break
        if not over:
            assert seen["action_mask"] is info["action_mask"]
        legal = [] if over else [*seen["action_mask"].nonzero()[0]]
        env.step(rng.choice(legal) if legal else None)
    return earned


def test_the_result_is_the_reward_and_it_comes_at_the_end():
    env = make("starry-sky", 3)
    env.reset(seed=1)
    play(env, Random(1), until=3)
    assert {0.0} == {*env.rewards.values()}
    earned = play(env, Random(1))
    assert 0 == sum(earned.values())
    assert 1 == max(earned.values())
    assert [] == env.agents
    with pytest.raises(ValueError, match=r"no match is in progress: call reset\(\)"):
        env.step(0)


def test_an_illegal_action_loses_and_says_why_also_if_the_mask_is_overwritten():
    env = make("stella-quest", 3)
    env.reset(seed=1)
    agent, mask = env.agent_selection, env.last()[0]["action_mask"]
    wrong = int((mask == 0).argmax())
    mask[:] = 1
    env.step(wrong)
    assert -1 == env.rewards[agent] == -sum(env.rewards[other] for other in env.agents if other != agent)
    assert "got: " in env.infos[agent]["illegal"]
    assert [agent] == [each for each in env.agents if env.infos[each]]
    assert all(env.terminations.values())
    env.step(None)
    with pytest.raises(ValueError, match="only valid action is None"):
        env.step(1)


@pytest.mark.parametrize("wrong", [-1, 1257, 10**30])
def test_strict_raises_for_an_illegal_action_and_nothing_happens(wrong):
    env = make("stellar", strict=True)
    env.reset(seed=1)
    before = env.observe("seat_0")["observation"].tolist()
    with pytest.raises(ValueError, match="expected an action from 0 to 1256"):
        env.step(wrong)
    assert before == env.observe("seat_0")["observation"].tolist()
    with pytest.raises(TypeError, match="integer"):
        env.step(None)


def test_a_deal_can_be_given_and_options_are_those_of_the_table():
    env, other = make("stellar", options={"face_down_number": "three"}), make("stellar")
    env.reset(seed=5)
    deal, seen = env.deal, env.observe("seat_0")["observation"].tolist()
    assert "three" == deal["options"]["face_down_number"]
    env.reset()
    assert deal != env.deal
    env.reset(options={"deal": deal})
    assert seen == env.observe("seat_0")["observation"].tolist()
    with pytest.raises(ValueError, match="expected a deal with the options"):
        other.reset(options={"deal": deal})
    other.reset()
    other.reset(options={"deal": {key: value for key, value in other.deal.items() if key != "options"}})
    for wrong in ({}, [deal], "deal", {**other.deal, "first": 7}):
        with pytest.raises(ValueError, match="expected"):
            other.reset(options={"deal": wrong})


def test_what_a_seat_marks_is_shown_to_that_seat_alone():
    env = make("stella", 3)
    assert {"observation", "action_mask", "marked"} == env.observation_space("seat_0").spaces.keys()
    assert {"observation", "action_mask"} == make("stellar").observation_space("seat_0").spaces.keys()
    env.reset(seed=1)
    while env.last()[0]["action_mask"][:2].any():  # the votes
        env.step(0)
    env.step(int(env.last()[0]["action_mask"].argmax()))
    agent = env.agent_selection
    assert 1 == env.observe(agent)["marked"].sum()
    assert env.observe(agent)["action_mask"][-1], "done is legal once the fewest are marked"
    for other in {*env.agents} - {agent}:
        assert 0 == env.observe(other)["marked"].sum() == env.observe(other)["action_mask"].sum()


def test_it_can_be_looked_at():
    env = make("stellar", render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == env.table.game.text(
        env.table.game.view(env.match.position, int(env.agent_selection[5:]))
    )
    picture = make("stellar", render_mode="svg")
    picture.reset(seed=1)
    assert picture.render().startswith("<svg")
    plain = make("stellar")
    plain.reset(seed=1)
    assert plain.render() is None
    assert "ladder_stellar_v" in str(plain)
    with pytest.raises(ValueError, match="expected a render_mode of ansi, svg, got: 'human'"):
        make("stellar", render_mode="human")
