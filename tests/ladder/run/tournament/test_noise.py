"""How much chance there is in a deal: measured here, taken from the house bots, or pure chance."""

from math import isclose, sqrt

import pytest
from programs.block_noise import STYLES, deviation_of
from support import ladders
from support.stored_events import store_event

from engines import GAMES
from ladder.run.tournament.noise import HOUSE, Noise, blocks_needed, find_noise, pool_deviation
from results.storage.store import Store


def test_a_home_without_matches_takes_the_noise_of_the_house_bots(tmp_path):
    contents = Store(tmp_path / "results").contents()
    for game in STYLES:
        for seats in GAMES[game].seats:
            assert Noise(HOUSE[game, seats], "house", 300) == find_noise(contents, game, seats)


def test_a_game_without_house_bots_has_that_of_pure_chance(tmp_path):
    """At two seats a match is won or lost: a block of two has a variance of 1/8."""
    found = find_noise(Store(tmp_path / "results").contents(), "toy", 2)
    assert ("chance", 0) == (found.source, found.blocks)
    assert isclose(sqrt(1 / 8), found.deviation)


def test_a_home_with_matches_has_its_own(tmp_path):
    home = ladders.a_home(tmp_path / "home", {})
    store_event(home, "cup", "round-robin", ["a", "b", "c", "d"], deals=40, rated=True)
    found = find_noise(Store(home.results).contents(), "stellar", 2)
    assert "home" == found.source
    assert found.blocks > 100


def test_only_bots_that_are_near_each_other_tell_it():
    near, far = [0.0, 1.0] * 30, [1.0] * 500
    assert pool_deviation([near]) == pool_deviation([near, far])
    assert pool_deviation([far, near[:40]]) is None


@pytest.mark.parametrize(("deviation", "blocks"), [(sqrt(1 / 8), 36), (0.0, 1)])
def test_a_round_is_as_long_as_tells_55_of_100_with_80_percent(deviation, blocks):
    """The normal quantile of 0.8 is 0.8416: (0.8416 x 0.3536 / 0.05)^2 = 35.4."""
    assert blocks == blocks_needed(Noise(deviation, "chance", 0))


@pytest.mark.slow
def test_the_figures_of_the_house_bots_are_what_their_command_finds():
    """With 300 deals the standard error is a 24th of a deviation; here are 60."""
    found = deviation_of("stella-quest", 3, 60)
    assert isclose(HOUSE["stella-quest", 3], found, rel_tol=0.4)
