"""The house bot `search`: better than greedy, the same moves for the same work, and short programs."""

import math
from random import Random

import pytest
from programs.search_duels import SAMPLE, SearchDuel, chooser, play_duel
from support.full import FULL
from support.places import ROOT

from engines import GAMES

FOLDER = ROOT / "bots" / "search"


@pytest.mark.slow
@pytest.mark.parametrize("game", SAMPLE)
def test_with_little_work_it_beats_most_of_greedy(game):
    """A sample with fixed deals; tests/programs/search_duels.py plays all table sizes at full work."""
    deals, work = (SAMPLE[game], 0.4) if FULL else (math.ceil(SAMPLE[game] / 2), 0.2)
    found = play_duel(SearchDuel(game, GAMES[game].seats[0], "greedy-1", deals, work))
    assert found.beaten > 0.5


@pytest.mark.parametrize("game", SAMPLE)
def test_the_same_luck_makes_the_same_move_and_the_position_is_offered_it(game):
    rules = GAMES[game]
    seats = rules.seats[-1]
    state = rules.start(rules.deal(seats, Random(4)), seats).state
    for _ in range(3):
        (seat, choice), *more = rules.choices(state).items()
        moves = [chooser(game)(rules.view(state, seat), Random(9), 0.1) for _ in range(2)]
        assert moves[0] == moves[1] == choice.check(moves[0])
        others = {other: next(iter(offered)) for other, offered in more}
        state = rules.play(state, {seat: moves[0], **others}).state


def test_a_program_is_short():
    assert all(len(path.read_text("utf-8").splitlines()) <= 150 for path in FOLDER.glob("*.py"))
