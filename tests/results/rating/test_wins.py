"""Wins of 100 and Elo, by hand."""

import pytest

from results.rating.duel_question import elo_of, score_of_wins, wins_of


@pytest.mark.parametrize(
    ("score", "wins", "elo"), [(0.0, 50, 0), (0.1, 55, 34.86), (-0.5, 25, -190.85), (9 / 11, 90.909, 400)]
)
def test_a_score_is_wins_of_100_and_a_difference_in_elo(score, wins, elo):
    assert wins == pytest.approx(wins_of(score), abs=0.001)
    assert elo == pytest.approx(elo_of(score), abs=0.01)
    assert score == pytest.approx(score_of_wins(wins), abs=0.0001)


def test_a_bot_that_wins_or_loses_all_has_no_elo():
    assert (None, None) == (elo_of(1.0), elo_of(-1.0))
