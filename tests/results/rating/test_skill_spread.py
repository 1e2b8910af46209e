"""How likely one bot is better than another, by the spread of all skills."""

import math
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from results.rating.skill_spread import SPREADS, SkillSpread, weigh_spreads

NOISE = math.sqrt(2) * 25 / 6
ONE = tuple([float(spread == 4.0) for spread in SPREADS])
"""The weights of a spread that is surely 4."""


@pytest.mark.parametrize("spread", [1.0, 4.0, 16.0])
def test_the_spread_of_many_bots_is_found(spread):
    rng = Random(f"spread/{spread}")
    mu = [rng.gauss(25, math.hypot(spread, 1.0)) for _ in range(200)]
    found = weigh_spreads(mu, [1.0] * 200, NOISE)
    assert 1.0 == pytest.approx(sum(found.weights))
    assert 0.7 < SPREADS[found.weights.index(max(found.weights))] / spread < 1.5


def test_of_bots_that_differ_by_no_more_than_chance_the_spread_is_small():
    rng = Random("alike")
    found = weigh_spreads([rng.gauss(25, 3.0) for _ in range(50)], [9.0] * 50, NOISE)
    assert sum(found.weights[:4]) > 0.8


def test_one_bot_or_none_says_nothing_of_a_spread():
    for mu in ([], [25.0]):
        assert {1 / 13} == {*weigh_spreads(mu, [1.0] * len(mu), NOISE).weights}


def test_a_known_spread_draws_a_difference_towards_0_as_bayes_rule_says():
    """Two skills of spread 4 differ by sqrt(32); half of an estimate with that error is left."""
    known = SkillSpread(ONE, NOISE)
    expected = 0.5 * math.erfc(-(3.0 / math.sqrt(32)) * math.sqrt(0.5) / math.sqrt(2))
    assert expected == pytest.approx(known.chance_above(3.0, math.sqrt(32)))
    assert 0.5 == known.chance_above(0.0, 1.0)


@given(st.floats(-60, 60), st.floats(0.01, 30))
def test_chances_of_both_are_1_together_and_never_surer_than_the_estimate(difference, se):
    known = weigh_spreads([20.0, 25.0, 26.0], [1.0, 2.0, 4.0], NOISE)
    chance = known.chance_above(difference, se)
    assert 1.0 == pytest.approx(chance + known.chance_above(-difference, se))
    alone = 0.5 * math.erfc(-difference / se / math.sqrt(2))
    assert abs(chance - 0.5) <= abs(alone - 0.5) + 1e-12


@pytest.mark.parametrize("wins", [1, 2, 6, 50])
def test_a_bot_that_won_all_is_better_as_likely_as_an_integral_over_its_skill_says(wins):
    known = SkillSpread(ONE, NOISE)
    low, high = -8 * NOISE, 8 * NOISE  # where the chance to win all is 1 in 40
    for _ in range(80):
        middle = (low + high) / 2
        won_all = (0.5 * math.erfc(-middle / NOISE / math.sqrt(2))) ** wins
        low, high = (low, middle) if won_all > 0.025 else (middle, high)
    width = math.sqrt(32)
    steps = [(k + 0.5) / 1000 * 6 * width for k in range(1000)]

    def weight(d):
        return math.exp(-0.5 * (d / width) ** 2) * (0.5 * math.erfc(-d / NOISE / math.sqrt(2))) ** wins

    above, below = sum(map(weight, steps)), sum(weight(-d) for d in steps)
    assert above / (above + below) == pytest.approx(known.chance_at_least(low), abs=5e-4)


@given(st.floats(-1e3, 1e3), st.floats(-1e3, 1e3))
@example(0.0, 222.0)  # where a chance is smaller than any normal float
def test_a_higher_end_is_never_less_likely(one, other):
    known = weigh_spreads([20.0, 25.0, 26.0], [1.0, 2.0, 4.0], NOISE)
    low, high = sorted((one, other))
    assert 0.5 - 1e-12 <= known.chance_at_least(low) <= known.chance_at_least(high) + 1e-12 <= 1.0 + 1e-12
