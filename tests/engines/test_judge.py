"""Values without replies: what prospects says of a position that is reached, and judges without."""

from random import Random

import pytest

from engines import GAMES
from engines.judge import valuing
from engines.template import Toy

TABLES = [(name, seats) for name in ("stella-quest", "starry-sky") for seats in GAMES[name].seats]


def positions_of(game, seats, seed):
    """Yield the positions of a random match, the end as well."""
    rng = Random(seed)
    position = game.begin(game.deal(seats, rng), seats)
    while True:
        yield position
        if position.over:
            return
        position.play(position.sample(rng.random))


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_prospects_is_the_value_of_what_is_reached(name, seats):
    game = GAMES[name]
    judge = valuing(game.judge(seats), name)
    for position in positions_of(game, seats, 5):
        reached = judge.value(judge.onward(position, Random(3)))
        assert judge.prospects(position, Random(3)) == reached


def test_at_stellar_a_lead_as_it_stands_counts_more_the_fewer_turns_are_left():
    judge = valuing(GAMES["stellar"].judge(2), "stellar")
    last = None
    for position in positions_of(GAMES["stellar"], 2, 5):
        points, (results, told) = position.points(), judge.value(position)
        assert points == told
        if not position.over:
            assert (results[0] > 0.5, results[0] == 0.5) == (points[0] > points[1], points[0] == points[1])
            earlier = position.copy()
            earlier.turn = 0
            assert abs(judge.value(earlier).results[0] - 0.5) <= abs(results[0] - 0.5)
        last = results
    assert {0, 1} == {*last}


@pytest.mark.parametrize("judge", [Toy().judge(3), None])
def test_a_judge_without_values_says_what_to_write(judge):
    with pytest.raises(
        NotImplementedError, match=r"^toy has no values: implement onward\(position, rng\) and"
    ):
        valuing(judge, "toy")
