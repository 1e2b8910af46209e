"""Answers that are no moves: each is refused with a reason in one short line, and changes nothing."""

from random import Random

import pytest
from hypothesis import strategies as st
from support.broken_deals import JUNK, check_told_well
from support.draws import draws

from engines import GAMES, IllegalMove, playout
from engines.games import BUILT_IN

ALIKE = ["M9.9@T1", "P1.3@notebook down", "10@Ari.9", "D@Ori.0", "play B1", "top XX", "show c99", ["c01", 7]]
"""Answers that read as moves."""


@pytest.mark.parametrize("name", BUILT_IN)
@draws(6, 60, seed=st.integers(0, 10**6), junk=st.lists(JUNK, min_size=1, max_size=5))
def test_whatever_is_not_offered_is_refused_with_a_reason_and_changes_nothing(name, seed, junk):
    game, rng, before = GAMES[name], Random(seed), []
    seats = rng.choice(game.seats)
    for step in playout(game, game.deal(seats, rng), seats, rng):
        moves = {seat: choice.sample(rng) for seat, choice in game.choices(step.state).items()}
        was = hash(step.state), game.view(step.state, 0)
        for seat, choice in game.choices(step.state).items():
            for answer in (*junk, *ALIKE, *before):
                if answer not in choice.options:
                    with pytest.raises(IllegalMove, match=r"^expected ") as refusal:
                        game.play(step.state, moves | {seat: answer})
                    check_told_well(refusal.value)
            before = [*choice.options[:5]]
        assert was == (hash(step.state), game.view(step.state, 0))
