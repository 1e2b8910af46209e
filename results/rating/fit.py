"""One fit of all matches of a game: the likeliest skills, and how sure all their differences are.

The model is TrueSkill's; results.rating.chain says what an outcome means in it.  The skills are found by
Newton's method, always from the same start, so a fit is a function of the counts and the parameters.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import erfc, sqrt
from typing import TypeAlias

from results.rating import chain
from results.rating.block_factor import BlockFactor, block_factors, mean_factor, pool_factors
from results.rating.likelihood import Likelihood
from results.rating.linear import factorize, improve, invert, solve
from results.rating.outcomes import Bot, Counts
from results.rating.parameters import NEW, Parameters

__all__ = ["Z_95", "Fit", "Quadratic", "fit"]

logger = logging.getLogger(__name__)

Z_95 = 1.96
"""A normal variable lies within this many standard deviations of its mean with 95 %."""
STEPS = 50
"""The largest number of Newton's steps..."""
REST = 1e-9
"""...which end when no skill moves by more than this."""
ROUGH = 1e-2
"""How exact the first steps are.  Later ones are that exact for each unit of the step before."""
ROUNDS = 20
"""Factorize when conjugate gradients, with the last factor if there is one, take more rounds than this."""

Rows: TypeAlias = tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class Quadratic:
    """What earlier matches say of the skills, as a normal distribution.  The prior is included."""

    bots: tuple[Bot, ...]
    mean: tuple[float, ...]
    precision: Rows
    """The inverse of the covariance, by rows, as independent matches would give it."""
    block_factors: tuple[BlockFactor, ...] = ()

    def marginal(self, bots: Collection[Bot]) -> Quadratic:
        """Return the distribution of the skills of *bots* alone.  A fit of fewer bots takes less time."""
        kept = [i for i, bot in enumerate(self.bots) if bot in bots]
        if len(kept) == len(self.bots):
            return self
        covariance = invert(factorize([list(row) for row in self.precision]))
        part = invert(factorize([[covariance[i][j] for j in kept] for i in kept]))
        return Quadratic(
            tuple([self.bots[i] for i in kept]),
            tuple([self.mean[i] for i in kept]),
            tuple([tuple(row) for row in part]),
            self.block_factors,
        )


@dataclass(frozen=True, slots=True)
class Fit:
    """The skills of the bots of a game, and their uncertainty."""

    bots: tuple[Bot, ...]
    """The bots, sorted; all indices are places in here."""
    mu: tuple[float, ...]
    """The likeliest skills.  Only differences mean anything."""
    covariance: Rows
    """Their covariance by rows, times the deviation.

    What is common to all skills is taken out: it is unknown.  With an anchor, what is the anchor's is.
    """
    deviation: float
    """The factor by which matches in blocks make variances larger: 1.0 if they are as good as independent."""
    matches: tuple[int, ...]
    """The number of matches of each bot in the counts that were fitted."""
    block_factors: tuple[BlockFactor, ...]
    """The factors by table size of which `deviation` is the mean."""
    skills: tuple[float, ...]
    """The likeliest skills before the shift to the anchor."""
    precision: Rows
    """The inverse of their covariance, as independent matches would give it."""

    def sigma(self, i: int) -> float:
        """Return the standard deviation of a bot's mu."""
        return sqrt(max(0.0, self.covariance[i][i]))

    def difference(self, i: int, j: int) -> tuple[float, float]:
        """Return how much higher the mu of *i* is than that of *j*, and its standard deviation."""
        v = self.covariance
        return self.mu[i] - self.mu[j], sqrt(max(0.0, v[i][i] + v[j][j] - 2.0 * v[i][j]))

    def p_above(self, i: int, j: int) -> float:
        """Return the probability that *i* is better than *j*."""
        d, se = self.difference(i, j)
        if se == 0.0:
            return 0.5 if d == 0.0 else float(d > 0.0)
        return 0.5 * erfc(-d / se * sqrt(0.5))

    def surely_above(self, i: int, j: int) -> bool:
        """Return whether the 95 % interval of the difference says that *i* is better than *j*."""
        d, se = self.difference(i, j)
        return d > Z_95 * se

    def places(self, indices: Sequence[int]) -> list[tuple[int, int]]:
        """Return the first and the last place that each of *indices* may have among them, with 95 %."""
        found = []
        for i in indices:
            above = below = 0
            for j in indices:
                d, se = self.difference(i, j)
                above += d < -Z_95 * se
                below += d > Z_95 * se
            found.append((1 + above, len(indices) - below))
        return found

    def groups(self) -> tuple[tuple[Bot, ...], ...]:
        """Return the sets of bots that matches connect.  Between two of them no difference is known."""
        found: list[list[int]] = []
        for i, row in enumerate(self.precision):
            met = [group for group in found if any(row[j] != 0.0 for j in group)]
            found = [group for group in found if group not in met]
            found.append([*(j for group in met for j in group), i])
        return tuple(sorted(tuple(self.bots[i] for i in sorted(group)) for group in found))

    def quadratic(self) -> Quadratic:
        """Return the fit as what a later one starts from."""
        return Quadratic(self.bots, self.skills, self.precision, self.block_factors)


def fit(counts: Counts, of: Parameters, before: Quadratic | None = None) -> Fit:
    """Fit the skills of all bots of a game to all outcomes at once.

    *before* stands for the matches that are not in *counts*.
    """
    from results.rating.trueskill_package import draw_margin

    bots = tuple(sorted({*counts.bots, *(before.bots if before else ())}))
    margins = {seats: draw_margin(of.draw_probability[seats], of.beta) for seats in counts.sizes}
    likelihood = Likelihood(counts.outcomes, bots, of.beta, margins)
    centre, prior = _prior(bots, before)
    skills, precision, lower = _climb(likelihood, centre, prior, 2.0 * of.beta)

    places = {bot: i for i, bot in enumerate(bots)}
    here = block_factors(counts.blocks, lambda outcome: likelihood.gradient_of(outcome, skills))
    factors = pool_factors([*(before.block_factors if before else ()), *here])
    deviation = mean_factor(factors)
    anchor = places.get(of.anchor) if of.anchor else None
    shift = 0.0 if anchor is None else of.anchor_rating - skills[anchor]
    return Fit(
        bots=bots,
        mu=tuple([skill + shift for skill in skills]),
        covariance=_covariance(invert(lower), deviation, anchor),
        deviation=deviation,
        matches=_matches(counts, places),
        block_factors=factors,
        skills=tuple(skills),
        precision=tuple([tuple(row) for row in precision]),
    )


def _prior(bots: Sequence[Bot], before: Quadratic | None) -> tuple[list[float], list[list[float]]]:
    """Return mean and precision of what is known before the matches."""
    centre = [NEW.mu] * len(bots)
    precision = [[0.0] * len(bots) for _ in bots]
    for i in range(len(bots)):
        precision[i][i] = 1.0 / (NEW.sigma * NEW.sigma)
    if before:
        places = {bot: i for i, bot in enumerate(bots)}
        known = [places[bot] for bot in before.bots]
        for i, mean, row in zip(known, before.mean, before.precision, strict=True):
            centre[i] = mean
            for j, value in zip(known, row, strict=True):
                precision[i][j] = value
    return centre, precision


def _climb(
    likelihood: Likelihood, centre: Sequence[float], prior: list[list[float]], longest: float
) -> tuple[list[float], list[list[float]], list[list[float]]]:
    """Return the likeliest skills, the precision there, and its factor.  No step is longer than *longest*."""
    skills = [NEW.mu] * len(centre)
    lower: list[list[float]] | None = None
    exact = ROUGH
    for _ in range(STEPS):
        gradient, precision = likelihood.differentiate(skills, exact)
        away = [skill - mean for skill, mean in zip(skills, centre, strict=True)]
        for i, row in enumerate(prior):
            pull = 0.0
            for j, value in enumerate(row):
                precision[i][j] += value
                pull += value * away[j]
            gradient[i] -= pull
        step = improve(precision, lower, gradient, ROUNDS)
        if step is None:
            lower = factorize(precision)
            step = solve(lower, gradient)
        reach = max(map(abs, step), default=0.0)
        share = longest / reach if reach > longest else 1.0
        skills = [skill + share * move for skill, move in zip(skills, step, strict=True)]
        if reach <= REST and exact == chain.REST:
            break
        exact = max(chain.REST, ROUGH * min(1.0, reach))
    else:
        logger.warning("the ratings still move by %.1e after %d steps", reach, STEPS)
    return skills, precision, factorize(precision)


def _covariance(inverse: list[list[float]], deviation: float, anchor: int | None) -> Rows:
    """Return *inverse* without what is common to all skills, or without what is the *anchor*'s."""
    size = len(inverse)
    if anchor is None:
        common = [_total(row) / size for row in inverse]
        twice = _total(common) / size if size else 0.0
    else:
        common = inverse[anchor]
        twice = inverse[anchor][anchor]
    return tuple(
        tuple([deviation * (value - common[i] - common[j] + twice) for j, value in enumerate(row)])
        for i, row in enumerate(inverse)
    )


def _total(values: Sequence[float]) -> float:
    """Return the sum; the built-in one rounds otherwise in other versions of Python."""
    total = 0.0
    for value in values:
        total += value
    return total


def _matches(counts: Counts, places: dict[Bot, int]) -> tuple[int, ...]:
    """Return the number of matches of each bot."""
    matches = [0] * len(places)
    for outcome, count in counts.outcomes.items():
        for bot in outcome.bots:
            matches[places[bot]] += count
    return tuple(matches)
