"""How far the skills of a field spread, and what that says of which of two bots is better.

An interval rests on matches alone.  "How likely is this bot the better one?" cannot: of twenty bots that
play alike, the two whose results differ most look far apart, and chance alone made them so.  So that question
rests on the spread of all skills, too.  The spread is not measured and then taken for true: each is weighed
by how well it explains the ratings, in a hierarchical normal model.  Before the matches the spread has a
half-Cauchy distribution, whose scale is the spread that TrueSkill starts from (Gelman, Prior distributions
for variance parameters in hierarchical models, Bayesian Analysis, 2006).

This draws differences towards 0: hardly where matches are many or bots differ, much where neither is so.
"""

import operator
from collections.abc import Sequence
from functools import cache
from math import exp, log, sqrt
from statistics import NormalDist
from typing import NamedTuple

from results.rating.linear import add_up
from results.rating.one_sided import RARE, chance_below, log_chance
from results.rating.parameters import NEW

SPREADS = tuple([0.5 * 2 ** (step / 2) for step in range(13)])
"""The standard deviations of skills that are weighed: 0.5 to 32, each the square root of 2 times the last."""
VARIANCES = tuple([2.0 * spread * spread for spread in SPREADS])
"""Those of the differences of two skills."""
NO_DOUBT = 1e-200
"""A chance to lose that is smaller counts as 0: a float cannot hold the number of wins that would show it."""
PARTS = 24
"""A normal distribution is cut into as many parts of equal probability..."""
MIDDLES = tuple([NormalDist().inv_cdf((part + 0.5) / PARTS) for part in range(PARTS)])
"""...which have these quantiles in their middles.  Chances are exact to 0.0003."""


class SkillSpread(NamedTuple):
    """What is known of how far the skills of a field spread."""

    weights: tuple[float, ...]
    """How likely each of SPREADS is; together 1."""
    noise: float
    """The standard deviation of the luck of a match of two."""

    @property
    def deviation(self) -> float:
        """The standard deviation of the skills: the root of the mean of its square."""
        squares = [weight * spread**2 for spread, weight in zip(SPREADS, self.weights, strict=True)]
        return sqrt(add_up(squares))

    def chance_above(self, difference: float, se: float) -> float:
        """Return how likely a true difference is above 0, given an estimate and its standard error."""
        if se == 0.0:
            return 0.5 if difference == 0.0 else float(difference > 0.0)
        return add_up(
            weight * chance_below(difference / se * sqrt(kept))
            for kept, weight in zip(_shares_kept(se), self.weights, strict=True)
        )

    def share_kept(self, se: float) -> float:
        """Return what share of an estimated difference with this standard error is to be expected."""
        return add_up(map(operator.mul, self.weights, _shares_kept(se)))

    def expect(self, difference: float, se: float) -> tuple[float, float]:
        """Return the mean and the variance of a true difference, given an estimate and its standard error."""
        kept = _shares_kept(se)
        mean = difference * self.share_kept(se)
        variance = add_up(
            weight * (share * se * se + (share * difference - mean) ** 2)
            for weight, share in zip(self.weights, kept, strict=True)
        )
        return mean, variance

    def chance_at_least(self, low: float) -> float:
        """Return how likely a true difference is above 0 if all that is known is that it is at least *low*.

        Such a bot won all of its matches.  Their number is not asked for: it is the one that gives that end.
        """
        doubt = -log_chance(low / self.noise)
        if doubt < NO_DOUBT:
            return 1.0
        wins = RARE / doubt
        found = []
        for logs in _logs_of_wins(self.noise):
            likelihoods = [exp(wins * (each - logs[-1])) for each in logs]
            # The upper half of the parts are those in which the difference is above 0.
            found.append(add_up(likelihoods[PARTS // 2 :]) / add_up(likelihoods))
        return add_up(weight * chance for weight, chance in zip(self.weights, found, strict=True))


def weigh_spreads(mu: Sequence[float], variances: Sequence[float], noise: float) -> SkillSpread:
    """Return how likely each spread is, given the ratings of all bots and their variances.

    Ratings are taken for independent, less their mean: what they have in common says nothing of a spread.
    *noise* is the standard deviation of the luck of a match of two.
    """
    if len(mu) < 2:
        return SkillSpread(tuple([1.0 / len(SPREADS)] * len(SPREADS)), noise)
    logs = []
    for spread in SPREADS:
        weights = [1.0 / (spread * spread + variance) for variance in variances]
        mean = add_up(map(operator.mul, weights, mu)) / add_up(weights)
        likelihood = add_up(
            0.5 * log(weight) - 0.5 * weight * (each - mean) ** 2
            for weight, each in zip(weights, mu, strict=True)
        )
        # The half-Cauchy density, times the spread, because the steps are equal in the log of the spread.
        prior = log(spread / (1.0 + (spread / NEW.sigma) ** 2))
        logs.append((len(mu) - 1) / len(mu) * likelihood + prior)
    most = max(logs)
    found = [exp(each - most) for each in logs]
    total = add_up(found)
    return SkillSpread(tuple([each / total for each in found]), noise)


@cache
def _logs_of_wins(noise: float) -> tuple[tuple[float, ...], ...]:
    """Return by spread the log of the chance of a win at each of MIDDLES of the difference of two skills."""
    return tuple([tuple([log_chance(sqrt(2.0) * spread * x / noise) for x in MIDDLES]) for spread in SPREADS])


def _shares_kept(se: float) -> list[float]:
    """Return what is left of an estimated difference of two skills, for each of SPREADS."""
    noise = se * se
    return [own / (own + noise) for own in VARIANCES]
