"""The greedy policies of all games choose what is offered, wherever they and random moves lead."""

from random import Random

import pytest
from support.draws import times

from engines import GAMES
from engines.contract.game_schema import steps
from engines.contract.secrets import random_options
from engines.contract.subject import subject_of
from engines.games import BUILT_IN
from engines.position import chosen_by


@times(1, 8)
@pytest.mark.parametrize(
    ("name", "seats"), [(name, seats) for name in BUILT_IN for seats in GAMES[name].seats]
)
def test_every_choice_is_an_offered_move(name, seats, number):
    """Own moves and random ones by turns: good positions, and bad ones that no good move leads to."""
    game, rng, seen = GAMES[name], Random(f"{name}/{seats}"), set()
    for policy in [*game.policies().values()] * number:
        position = game.begin(game.deal(seats, rng, random_options(game, rng)), seats)
        while not position.over:
            seen.add(getattr(position, "step", None))
            option = chosen_by(policy, position, rng)
            position.play(option if rng.random() < 0.7 else position.sample(rng.random))
    assert steps(subject_of(game)) - {"over"} <= seen
