"""The luck of a match, in tenths of a result."""

from fractions import Fraction
from statistics import fmean
from types import SimpleNamespace

import pytest

from engines import GAMES
from ladder.contest import match_luck
from ladder.contest.keys import Keys, secret_of_seed
from ladder.contest.match_luck import luck_of, most_luck, moves_of


class Fixed:
    """A game in which seat 0 is always as lucky as this."""

    def __init__(self, value):
        self.value, self.most_luck = value, 1.5

    def luck(self, state, moves, rng):
        return self.value


def rounded(monkeypatch, value, number=0):
    monkeypatch.setattr(match_luck, "GAMES", {"fixed": Fixed(value)})
    match = SimpleNamespace(game="fixed", number=number, moves="[]")
    return luck_of(match, None, Keys(secret_of_seed(1)))


def test_only_stellar_of_the_built_in_games_tells_its_luck():
    assert {"stellar": 15} == {game: most_luck(game) for game in GAMES if most_luck(game)}


def test_luck_is_rounded_up_or_down_so_that_its_mean_stays(monkeypatch):
    found = [rounded(monkeypatch, -0.23, number) for number in range(2_000)]
    assert {-3, -2} == {*found}
    assert fmean(found) == pytest.approx(-2.3, abs=0.05)
    assert {15} == {rounded(monkeypatch, 1.5, number) for number in range(50)}
    assert {-15} == {rounded(monkeypatch, -1.5, number) for number in range(50)}


@pytest.mark.parametrize("value", [1.6, float("nan"), Fraction(-16, 10)])
def test_luck_out_of_the_bounds_of_a_game_is_an_error(monkeypatch, value):
    with pytest.raises(ValueError, match=r"fixed has the bounds of luck \+-1.5, but returned"):
        rounded(monkeypatch, value)


def test_moves_of_a_record_are_those_of_a_step():
    assert {0: "keep", 1: ("a", "b")} == moves_of([[0, "keep", "referee"], [1, ["a", "b"]]])
