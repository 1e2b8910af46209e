"""The environment of one seat: Gymnasium's own test, deals from every seat, and policies that are wrong."""

import warnings
from random import Random

import pytest
from support.learning import IDS, NUMBERED, play_first, policy_for
from support.need import need

pytestmark = pytest.mark.tools


@pytest.fixture(autouse=True)
def gymnasium():
    need("pettingzoo")
    return need("gymnasium")


def make(*arguments, **options):
    from ladder.learn import SeatEnv

    return SeatEnv(*arguments, **options)


def play(env, rng, **reset):
    """Play a match at random; return all that was seen and the reward."""
    seen, info = env.reset(**reset)
    rows, over = [seen.tolist()], False
    while not over:
        assert info["action_mask"].tolist() == env.action_masks().tolist()
        seen, reward, over, cut, info = env.step(rng.choice([*info["action_mask"].nonzero()[0]]))
        assert not cut
        rows.append(seen.tolist())
    return rows, reward


@pytest.mark.parametrize(("game", "seats"), NUMBERED, ids=IDS)
def test_the_librarys_own_test_passes(game, seats):
    from gymnasium.utils.env_checker import check_env

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it knows no environments that are not registered
        check_env(make(game, seats, policy_for(game)))
    play(make(game, seats, policy_for(game)), Random(1), seed=1)


def test_each_deal_is_played_from_every_seat_before_the_next():
    env = make("starry-sky", 3)
    env.reset(seed=3)
    met = []
    for _ in range(6):
        met.append((env.seat, env.deal["options"], str(env.deal)))
        env.reset()
    assert [0, 1, 2, 0, 1, 2] == [seat for seat, _, _ in met]
    assert [1, 1, 2, 2, 2] == [len({deal for _, _, deal in met[: at + 1]}) for at in (0, 2, 3, 4, 5)]


def test_deals_do_not_depend_on_how_matches_are_played():
    one, other = make("stellar"), make("stellar", others=play_first)
    for number in range(5):
        play(one, Random(number), seed=7 if number == 0 else None)
        play(other, Random(99), seed=7 if number == 0 else None)
        assert one.deal == other.deal


def test_the_same_seed_and_actions_make_the_same_match():
    env = make("stella-quest", 3)
    assert play(env, Random(1), seed=8) == play(env, Random(1), seed=8)


def test_a_given_deal_is_played_from_every_seat():
    env = make("stellar")
    env.reset(seed=1)
    deal = env.deal
    for seat in (0, 1):
        env.reset(seed=5 if seat == 0 else None, options={"deal": deal})
        assert (seat, deal) == (env.seat, env.deal)


def test_others_sit_clockwise_from_the_own_seat():
    asked = []

    def remember(name):
        def policy(position, seat, rng):
            asked.append((name, seat))
            return position.options()[0]

        return policy

    env = make("starry-sky", 4, [remember("next"), "greedy-1", remember("last")], seat=2)
    play(env, Random(1), seed=1)
    assert {("next", 3), ("last", 1)} == {*asked}


def test_an_illegal_action_loses_or_raises():
    env = make("stella-quest", 4)
    _, info = env.reset(seed=1)
    wrong = int((info["action_mask"] == 0).argmax())
    _, reward, over, _, info = env.step(wrong)
    assert (-1, True) == (reward, over)
    assert "got: " in info["illegal"]
    assert not env.action_masks().any()
    with pytest.raises(ValueError, match="no match is in progress"):
        env.step(0)
    env = make("stella-quest", 4, strict=True)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="got: "):
        env.step(wrong)
    with pytest.raises(TypeError, match="integer"):
        env.step("0")


@pytest.mark.parametrize(
    ("reset", "error", "words"),
    [
        ({"seed": "x"}, TypeError, "expected a seed as an integer, got: 'x'"),
        ({"options": {"foo": 1}}, ValueError, "expected no option but 'deal', got: 'foo'"),
        ({"options": 5}, TypeError, "expected options as a dictionary, got: 5"),
    ],
)
def test_a_reset_by_nonsense_is_refused(reset, error, words):
    with pytest.raises(error, match=words):
        make("stellar").reset(**reset)


def raises(position, seat, rng):
    raise KeyError("a fault of its own")


def chooses_what_is_not_offered(position, seat, rng):
    return 10**6


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (("stellar", 2, "clever-9"), LookupError, "stellar has no policy 'clever-9': it has greedy-1"),
        (("starry-sky", 3, ["greedy-1"]), ValueError, "expected one policy for each of 2 others, got: 1"),
        (("starry-sky", 3, 5), ValueError, "names of policies or as functions, got: 5"),
        (("starry-sky", 3, ["greedy-1", 5]), ValueError, "names of policies or as functions, got: 5"),
        ((5,), ValueError, "expected one of the games .*, got: 5"),
        (("stellar", 2, lambda *_: "x", 1), ValueError, "a policy chose 'x' for seat 0"),
        (("starry-sky", 3, lambda *_: -1, 1), ValueError, "a policy chose -1 for seat"),
        (("starry-sky", 3, "greedy-1", 3), ValueError, "expected a seat from 0 to 2, got: 3"),
        (("stellar", 2, raises, 1), KeyError, "a fault of its own"),
        (("stellar", 2, chooses_what_is_not_offered, 1), ValueError, "a policy chose 1000000 for seat"),
    ],
)
def test_wrong_others_are_refused(arguments, error, words):
    with pytest.raises(error, match=words):
        play(make(*arguments), Random(1))


def test_a_match_that_ends_before_the_own_seat_is_asked_is_left_out(monkeypatch):
    env = make("starry-sky", 3)
    short, begin = [2], env.table.begin

    def begin_at_the_end(*arguments):
        match = begin(*arguments)
        if short:
            short.pop()
            while not match.position.over:
                match.position.play(match.position.options()[0])
        return match

    monkeypatch.setattr(env.table, "begin", begin_at_the_end)
    env.reset(seed=1)
    assert 1 == env.seat
    short[:] = [1] * 1000
    with pytest.raises(ValueError, match="100 ended before that"):
        env.reset()


def test_every_game_is_registered(gymnasium):
    env = gymnasium.make("ladder.learn.seat_env:ladder/starry-sky", seats=4, others="rival-2")
    seen, _ = env.reset(seed=1)
    assert (550,) == seen.shape
