"""What is remembered of boards, and the judge that rests on it: the same bits as what is worked out anew."""

from random import Random

import pytest

from engines import GAMES
from engines.judge import beaten_by, expect_results
from engines.starry_sky.boards import BOARD_OF
from engines.starry_sky.judge import _SECRET, _SURE, BoardMemory
from engines.starry_sky.outlook import expected_coins, option_gains
from engines.starry_sky.tokens import KINDS_IN

SKY = GAMES["starry-sky"]
GREEDY = SKY.policies()["greedy-1"]


def positions(seats, rng, matches=2):
    """Return positions of matches, good ones and others, each with another world that looks like it."""
    found = []
    for _ in range(matches):
        position = SKY.begin(SKY.deal(seats, rng), seats)
        while not position.over:
            found += [position.copy(), SKY.imagine(SKY.view(position, position.seat), rng)]
            greedily = rng.random() < 0.7
            position.play(GREEDY(position, position.seat, rng) if greedily else position.sample(rng.random))
    return found


def prospects_anew(position):
    """Return what the judge expects, with nothing remembered."""
    after = position.copy()
    for _ in range(len(after.hands) - 1):
        if not after.over:
            after.play(GREEDY(after, after.seat, Random(0)))
    if after.over:
        return beaten_by(after.outcome().ranks), [float(coins) for coins in after.coins]
    coins = expected_coins(after)
    coins[after.seat] += max(option_gains(after, after.seat))[0]
    for seat, stars in enumerate(after.hidden):
        for star in stars:
            coins[seat] += _SECRET if after.left[BOARD_OF[star]] else 0.0
    scale = _SURE[0] + _SURE[1] * (len(after.boards) + len(after.pile) - after.opened)
    return expect_results([each / scale for each in coins]), coins


@pytest.mark.parametrize("seats", [3, *(pytest.param(seats, marks=pytest.mark.slow) for seats in (4, 5))])
def test_a_judge_that_remembers_expects_what_one_does_that_works_all_out_anew(seats):
    rng = Random(seats)
    worlds = positions(seats, rng)
    expected = [prospects_anew(world) for world in worlds]
    kept, order = SKY.judge(seats), [*range(len(worlds))] * 2
    rng.shuffle(order)
    for number in order:
        assert expected[number] == kept.prospects(worlds[number], Random(0))
    for number in order[::9]:
        assert expected[number] == SKY.judge(seats).prospects(worlds[number], Random(0))


@pytest.mark.parametrize("most", [1, 7, 10_000])
def test_a_memory_of_all_tables_replies_as_greedy_does(most):
    rng, memory = Random(most), BoardMemory(most)
    worlds = [world for seats in SKY.seats for world in positions(seats, rng, 1)]
    for world in rng.sample(worlds, len(worlds)):
        assert GREEDY(world, world.seat, rng) == memory.reply(world, world.seat)


@pytest.mark.parametrize("seats", SKY.seats)
@pytest.mark.parametrize("seen_by_all", [False, True])
def test_gains_and_promises_are_those_of_the_outlooks(seats, seen_by_all):
    rng, memory = Random(f"{seats}/{seen_by_all}"), BoardMemory()
    for world in positions(seats, rng, 1):
        for who in range(seats):
            seat = None if seen_by_all else who
            boards, kinds = memory.boards(world, seat), KINDS_IN[world.hands[who]]
            coins = [float(each) for each in world.coins]
            for board in boards:
                coins = [so_far + more for so_far, more in zip(coins, board.promises(), strict=True)]
            assert expected_coins(world, seat) == coins
            if kinds:
                first = max(option_gains(world, who, seat), key=lambda each: each[0])
                assert first == max([board.best(who, kinds) for board in boards], key=lambda each: each[0])


def test_no_more_is_remembered_than_was_said():
    rng, memory = Random(1), BoardMemory(20)
    for world in positions(3, rng, 1):
        memory.reply(world, world.seat)
        assert 0 < len(memory._boards) <= 20
