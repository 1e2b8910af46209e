"""A rating against bots whose ratings are fixed: its model, and whether its interval holds what it says."""

from itertools import combinations
from math import erfc, inf, sqrt
from random import Random

import pytest
from support.pair_ratings import rate_each_other

from results.rating.reference_score import BETA, rate_against

RATINGS = [5.0, 14.0, 20.0, 24.0, 25.0, 26.5, 30.0, 38.0]
UNIT = sqrt(2) * BETA


def deals_of(rating, number, rng, luck):
    """Play deals of two matches, whose luck is partly that of the deal."""
    deals = []
    for deal in range(number):
        other = deal % len(RATINGS)
        shared = rng.gauss(0, luck)
        leads = [(rating - RATINGS[other]) / UNIT + shared + rng.gauss(0, sqrt(1 - luck**2)) for _ in "ab"]
        deals.append(tuple((other, float(lead > 0)) for lead in leads))
    return deals


def test_as_many_wins_as_losses_are_the_rating_of_the_other():
    assert 30.0 == pytest.approx(rate_against([((0, 1.0), (0, 0.0))] * 500, [30.0]).rating, abs=0.1)


def test_a_tie_is_half_a_win():
    ties = rate_against([((0, 0.5), (0, 0.5))] * 200, [30.0]).rating
    assert ties == rate_against([((0, 1.0), (0, 0.0))] * 200, [30.0]).rating


def test_a_lead_of_beta_wins_76_of_100():
    deals = [((0, float(i < 76)),) for i in range(100)] * 40
    assert 25.0 + BETA == pytest.approx(rate_against(deals, [25.0]).rating, abs=0.1)


def test_the_order_of_the_deals_changes_no_bit():
    deals = deals_of(27.0, 300, Random(1), 0.5)
    shuffled = [deal[::-1] for deal in Random(2).sample(deals, len(deals))]
    assert rate_against(deals, RATINGS) == rate_against(shuffled, RATINGS)


@pytest.mark.parametrize("number", [20, pytest.param(200, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("rating", "luck"), [(20.0, 0.0), (28.0, 0.8), (37.0, 0.5)])
def test_95_of_100_intervals_hold_the_rating(rating, luck, number):
    """Within the error of so many of them, three standard deviations."""
    rng = Random(f"{rating}")
    scores = [rate_against(deals_of(rating, 160, rng, luck), RATINGS) for _ in range(number)]
    held = sum(score.low <= rating <= score.high for score in scores)
    assert 0.95 == pytest.approx(held / number, abs=3 * sqrt(0.95 * 0.05 / number))


def test_a_bot_that_has_won_everything_has_a_rating_and_no_upper_end():
    score = rate_against([((7, 1.0), (7, 1.0))] * 100, RATINGS)
    assert 38.0 < score.low < score.rating < score.high == inf
    assert score.margin is None


def test_a_bot_that_has_lost_everything_has_no_lower_end():
    score = rate_against([((0, 0.0), (0, 0.0))] * 100, RATINGS)
    assert -inf == score.low < score.rating < score.high < 5.0


def test_results_that_are_surely_one_sided_are_no_reason_to_fail():
    assert 5.0 < rate_against([((0, 1.0),)] * 5000, [-300.0]).rating
    assert 45.0 > rate_against([((0, 0.0),)] * 5000, [300.0]).rating


def test_nothing_played_is_refused():
    with pytest.raises(ValueError, match="at least one deal"):
        rate_against([(), ()], RATINGS)


def test_bots_that_play_each_other_are_rated_from_the_anchor_on():
    bots = dict(zip("abcdefgh", RATINGS, strict=True))
    results = {}
    for one, other in combinations(bots, 2):
        wins = round(50_000 * erfc((bots[other] - bots[one]) / UNIT / sqrt(2)))
        results[one, other] = (wins, 0, 100_000 - wins)
    found = rate_each_other(results, "e")
    assert 25.0 == found["e"]
    assert bots == pytest.approx(found, abs=0.1)


def test_an_anchor_without_results_is_refused():
    with pytest.raises(LookupError, match="z has no results"):
        rate_each_other({("a", "b"): (1, 0, 1)}, "z")
