"""What is expected of a tournament, by what its home has played."""

from types import SimpleNamespace

import pytest

from ladder.run.tournament.certainty import SkillBelief
from ladder.run.tournament.forecast import believe
from results.rating.parameters import NEW, Rating
from results.rating.skill_spread import SPREADS, weigh_spreads

BOTS = [(name, "1") for name in "abcd"]


def a_rated(ratings):
    """Ratings of the first bots, as a fit has them."""
    mu, sigma = zip(*ratings, strict=True)
    spread = weigh_spreads(mu, [each**2 for each in sigma], 5.9)
    return SimpleNamespace(
        standings=dict(zip(BOTS, map(Rating, mu, sigma), strict=False)), fit=SimpleNamespace(spread=spread)
    )


def test_where_no_bot_has_a_rating_all_have_that_of_new_ones():
    assert [SkillBelief(*NEW)] * 4 == believe(BOTS, None)


def test_ratings_of_many_matches_stay_as_they_are():
    field = believe(BOTS, a_rated([(35, 0.3), (30, 0.3), (25, 0.3), (20, 0.3)]))
    assert [35, 30, 25, 20] == pytest.approx([belief.mu for belief in field], abs=0.05)
    assert [0.3] * 4 == pytest.approx([belief.sigma for belief in field], abs=0.01)


def test_ratings_of_few_matches_are_drawn_towards_those_of_all():
    """Else skills that may be anything would differ so much that the best could not be missed."""
    field = believe(BOTS, a_rated([(44, 17), (6, 17), (26, 3), (24, 3)]))
    assert all(abs(belief.mu - 25) < 5 for belief in field)
    assert all(belief.sigma < NEW.sigma for belief in field)


def test_a_bot_without_a_rating_may_be_anywhere_in_the_spread_of_the_others():
    field = believe(BOTS, a_rated([(20, 0.5), (24, 0.5), (28, 0.5)]))
    assert 24 == pytest.approx(field[3].mu)
    assert 2 < field[3].sigma < 7


def test_an_anchor_has_a_rating_without_doubt():
    assert 0.1 > believe(BOTS, a_rated([(25, 0.0), (28, 1.0), (22, 1.0)]))[0].sigma


def test_the_deviation_of_a_spread_is_the_root_of_the_mean_square():
    sure = weigh_spreads([0, 0], [1, 1], 5.9)._replace(weights=tuple(float(each == 4.0) for each in SPREADS))
    assert 4.0 == pytest.approx(sure.deviation)
