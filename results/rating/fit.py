"""One fit of all matches of a game: the likeliest skills, and how sure all their differences are.

The model is TrueSkill's; results.rating.chain says what an outcome means in it.  The skills are found by
Newton's method, always from the same start, so a fit is a function of the counts and the parameters.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from typing import TypeAlias

from results.rating import chain, skill_prior
from results.rating.block_factor import BlockFactor, BlockSums, mean_factor, pool_factors
from results.rating.field_parts import Distance, Parts, find_own, find_parts, mirror, reaching
from results.rating.likelihood import Likelihood
from results.rating.linear import add_up, dot, factorize, improve, invert, sandwich, solve
from results.rating.one_sided import Z_95, Crossing, Lean, find_leans
from results.rating.outcomes import Bot, Counts, FinishOrder
from results.rating.pairs import PairLikelihood, Pairs
from results.rating.parameters import Parameters
from results.rating.skill_spread import SkillSpread, weigh_spreads
from results.rating.thin_joins import ThinJoin, find_thin_joins
from results.rating.update import draw_margin

logger = logging.getLogger(__name__)

STEPS = 50
"""The largest number of Newton's steps..."""
REST = 1e-9
"""...which end when no skill moves by more than this."""
ROUGH = 1e-2
"""How exact the first steps are.  Later ones are that exact for each unit of the step before."""
ROUNDS = 20
"""Factorize when conjugate gradients, with the last factor if there is one, take more rounds than this."""

SURE = 0.975
"""One bot is surely better than another if it is more likely than this to be."""

MOST_BOTS = 400
"""With more bots, all have the factor of the game: few of them met often, and it would take minutes."""
FEW_OF_BOT, FEW_OF_PAIR = 10, 2
"""The weights of the factor of a game, in blocks of a bot and of a pair, beside their own."""
LEAST, MOST = 0.25, 6.0
"""The limits of the factor of a pair."""

Rows: TypeAlias = tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class Quadratic:
    """What earlier matches say of the skills, as a normal distribution.  The prior is included."""

    bots: tuple[Bot, ...]
    mean: tuple[float, ...]
    precision: Rows
    """The inverse of the covariance, by rows, as independent matches would give it."""
    block_factors: tuple[BlockFactor, ...]
    parts: Parts
    leans: tuple[Lean | None, ...] = ()
    """By bot: whether its skill has no limit on one side.  Empty if none has."""

    def marginal(self, bots: Collection[Bot]) -> Quadratic:
        """Return the distribution of the skills of *bots* alone.  A fit of fewer bots takes less time."""
        kept = [i for i, bot in enumerate(self.bots) if bot in bots]
        if len(kept) == len(self.bots):
            return self
        # Rows of the covariance are what is left when the other skills are unknown.  Rows of the precision
        # would be the distribution with the other skills held at their means, which claims too much.
        covariance = invert(factorize([list(row) for row in self.precision]))
        part = invert(factorize([[covariance[i][j] for j in kept] for i in kept]))
        return Quadratic(
            tuple([self.bots[i] for i in kept]),
            tuple([self.mean[i] for i in kept]),
            tuple([tuple(row) for row in part]),
            self.block_factors,
            self.parts.among(kept),
            tuple([self.leans[i] for i in kept]) if self.leans else (),
        )


@dataclass(frozen=True, slots=True)
class Fit:
    """The skills of the bots of a game, and their uncertainty."""

    bots: tuple[Bot, ...]
    """The bots, sorted; all indices are places in here."""
    mu: tuple[float, ...]
    """The ratings: the likeliest skills, moved so that the zero point is at 25, or the anchor at its rating.

    Only differences mean anything.
    """
    covariance: Rows
    """The covariance of `mu` by rows, with the factors of blocks: that of the differences to the zero point.

    What is common to all skills is taken out: it is unknown.
    """
    deviation: float
    """The factor by which matches in blocks make variances larger: 1.0 if they are as good as independent."""
    matches: tuple[int, ...]
    """The number of matches of each bot in the counts that were fitted."""
    block_factors: tuple[BlockFactor, ...]
    """The factors by table size of which `deviation` is the mean."""
    skills: tuple[float, ...]
    """The likeliest skills before they are moved."""
    precision: Rows
    """The inverse of their covariance, as independent matches would give it."""
    spread: SkillSpread
    """How far the skills spread."""
    parts: Parts
    """Between which bots a difference has a lower and an upper end."""
    own: tuple[Distance, ...]
    """By bot: its distance to the core of its group, of which a rating has the interval."""
    leans: tuple[Lean | None, ...] = ()
    """By bot: whether its skill has no limit on one side.  Empty if none has."""
    thin_joins: tuple[ThinJoin, ...] = ()
    """Parts of the field that met in few blocks, so that the difference between them is hardly known."""

    def interval(self, i: int) -> tuple[float | None, float | None]:
        """Return the ends of the 95 % interval of mu; None for an end that matches do not set.

        A rating is a distance, so it is the interval of that to the core of its group, put at the rating.  A
        bot alone has neither end.
        """
        if len(self.bots) < 2:
            return None, None
        return self._ends(self.mu[i], self.own[i].error, i, self.own[i].core)

    def interval_of_difference(self, i: int, j: int) -> tuple[float | None, float | None]:
        """Return the ends of the 95 % interval of how much better *i* is than *j*, as `interval` does."""
        return self._ends(*self.difference(i, j), i, j)

    def _ends(self, middle: float, se: float, i: int, j: int) -> tuple[float | None, float | None]:
        low = middle - Z_95 * se if self.parts.reaches(i, j) else None
        return low, middle + Z_95 * se if self.parts.reaches(j, i) else None

    def sigma(self, i: int) -> float:
        """Return the standard deviation of a bot's mu that is stored, and hashed by digests.

        Where matches say only that a bot is at least, or at most, so good, it is that of the end they say.
        """
        lean = self.lean(i)
        return (lean.scale if lean else 1.0) * sqrt(max(0.0, self.covariance[i][i]))

    def lean(self, i: int) -> Lean | None:
        """Return on which side the skill of *i* has no limit; None if it has limits on both."""
        return self.leans[i] if self.leans else None

    def difference(self, i: int, j: int) -> tuple[float, float]:
        """Return how much higher the mu of *i* is than that of *j*, and a standard deviation.

        Schedules and predictions rest on it.  Print `interval_of_difference`, which says what ends it has.
        """
        v = self.covariance
        a = b = whole = 1.0
        one, other = self.lean(i), self.lean(j)
        if one and other and one.side == other.side:
            # Of two that are both at least so good, the one without which the other cannot move is above.
            ahead, behind = self.parts.reaches(i, j), self.parts.reaches(j, i)
            if ahead != behind:
                whole = (one if ahead == (one.side > 0) else other).scale
        else:
            # Each end by itself, and both together as in the "method of variance estimates recovery"
            # (Zou and Donner, 2008).
            a, b = one.scale if one else 1.0, other.scale if other else 1.0
        variance = a * a * v[i][i] + b * b * v[j][j] - 2.0 * a * b * v[i][j]
        return self.mu[i] - self.mu[j], whole * sqrt(max(0.0, variance))

    def p_above(self, i: int, j: int) -> float:
        """Return the probability that *i* is better than *j*, by the spread of the skills as well."""
        return self._chance_above(i, j, *self.difference(i, j))

    def _chance_above(self, i: int, j: int, d: float, se: float) -> float:
        match self._ends(d, se, i, j):
            case None, None:
                return 0.5
            case None, float() as high:
                return 1.0 - self.spread.chance_at_least(-high)
            case float() as low, None:
                return self.spread.chance_at_least(low)
        return self.spread.chance_above(d, se)

    def lead(self, i: int, j: int) -> float:
        """Return by how many standard errors *i* is above *j*; 0.0 where nothing says that it is."""
        d, se = self.difference(i, j)
        return d / se if d > 0.0 < se and self.parts.reaches(i, j) else 0.0

    def surely_above(self, i: int, j: int) -> bool:
        """Return whether *i* is better than *j*: with 97.5 %, and by the 95 % interval of the difference."""
        d, se = self.difference(i, j)
        return d > Z_95 * se and self.parts.reaches(i, j) and self._chance_above(i, j, d, se) > SURE

    def places(self, indices: Sequence[int]) -> list[tuple[int, int]]:
        """Return the first and the last place that each of *indices* may have among them, with 95 %."""
        found = find_places(sorted(indices, key=lambda i: -self.mu[i]), self.surely_above)
        return [found[i] for i in indices]

    def groups(self) -> tuple[tuple[Bot, ...], ...]:
        """Return the sets of bots that matches connect.  Between two of them no difference is known."""
        return tuple(sorted(tuple(self.bots[i] for i in group) for group in _connect(self.precision)))

    def quadratic(self) -> Quadratic:
        """Return the fit as what a later one starts from."""
        return Quadratic(self.bots, self.skills, self.precision, self.block_factors, self.parts, self.leans)


def find_places(order: Sequence[int], surely_above: Callable[[int, int], bool]) -> dict[int, tuple[int, int]]:
    """Return the first and the last place that each of *order* may have, which has the best first.

    *surely_above* tells whether one is better than another that comes later.
    """
    above, below = dict.fromkeys(order, 0), dict.fromkeys(order, 0)
    for i, j in combinations(order, 2):
        if surely_above(i, j):
            above[j] += 1
            below[i] += 1
    return {i: (1 + above[i], len(order) - below[i]) for i in order}


def fit(counts: Counts, of: Parameters, before: Quadratic | None = None) -> Fit:
    """Fit the skills of all bots of a game at once; *before* stands for matches that are not in *counts*."""
    bots = _all_bots(counts.bots, before)
    likelihood = Likelihood(counts.outcomes, bots, of.beta, _margins(counts.sizes, of))
    matches = Counter[Bot]()
    for outcome, count in counts.outcomes.items():
        for bot in outcome.bots:
            matches[bot] += count
    return _fit(likelihood, bots, matches, counts.blocks, of, before)


def fit_pairs(
    pairs: Pairs,
    blocks: Mapping[tuple[FinishOrder, ...], int],
    of: Parameters,
    before: Quadratic | None = None,
) -> Fit:
    """Fit the skills of all bots of a game to the results of *pairs*, each taken by itself.

    This takes as long for a million matches as for a thousand.  At tables of two it is `fit`.  At larger
    ones it errs by up to 5 % more, and claims an error that is right for bots of equal skill and somewhat
    too large for others: see results.rating.pairs.  *blocks*, which may be a part of all, give the factors.
    """
    bots = _all_bots({bot for results in pairs.values() for a, b, _ in results for bot in (a, b)}, before)
    likelihood = PairLikelihood(pairs, bots, of.beta, _margins(pairs, of))
    matches = Counter[Bot]()
    for seats, results in pairs.items():
        met = Counter[Bot]()
        for (a, b, _), count in results.items():
            met[a] += count
            met[b] += count
        for bot, others in met.items():
            matches[bot] += others // (seats - 1)
    return _fit(likelihood, bots, matches, blocks, of, before)


def _all_bots(playing: Iterable[Bot], before: Quadratic | None) -> tuple[Bot, ...]:
    return tuple(sorted({*playing, *(before.bots if before else ())}))


def _margins(sizes: Iterable[int], of: Parameters) -> dict[int, float]:
    return {seats: draw_margin(of.draw_probability[seats], of.beta) for seats in sizes}


def _fit(
    likelihood: PairLikelihood,
    bots: tuple[Bot, ...],
    matches: Mapping[Bot, int],
    blocks: Mapping[tuple[FinishOrder, ...], int],
    of: Parameters,
    before: Quadratic | None,
) -> Fit:
    """Return the fit in which *likelihood* and what was known *before* are highest together."""
    places = {bot: i for i, bot in enumerate(bots)}
    earlier = [places[bot] for bot in before.bots] if before else []
    centre, prior = _prior(len(bots), earlier, before)
    skills, precision, lower = _climb(likelihood, centre, prior, 2.0 * of.beta)

    # A block's matches share a deal, so they are not independent.
    sums = BlockSums(blocks, lambda outcome: likelihood.gradient_of(outcome, skills))
    factors = pool_factors([*(before.block_factors if before else ()), *sums.factors()])
    deviation = mean_factor(factors)
    anchor = bots.index(of.anchor) if of.anchor in bots else None
    weights = zero_point(precision, anchor)
    zero, at = dot(weights, skills), skill_prior.MEAN if anchor is None else of.anchor_rating
    inverse = invert(lower)
    alike = [[deviation * value for value in row] for row in inverse]
    plain = _to_zero_point(alike, weights)
    extra = _by_pair(sums, places, precision, prior, likelihood.meetings(), deviation)
    covariance = _to_zero_point(_add(alike, sandwich(inverse, extra)), weights) if extra else plain
    better, worse = _reach(likelihood, earlier, before)
    leans = find_leans(
        better,
        worse,
        lambda members: [Crossing(*each) for each in likelihood.crossings(members, skills)],
        weights,
        precision,
        [row[i] for i, row in enumerate(plain)],
        [row[i] for i, row in enumerate(covariance)],
        sqrt(2.0) * of.beta,
        deviation,
        {i: lean for i, lean in zip(earlier, before.leans if before else (), strict=False) if lean},
    )
    parts, connected = find_parts(better, worse), _connect(precision)
    scales = [lean.scale if lean else 1.0 for lean in leans]
    variances = [scale * scale * max(0.0, covariance[i][i]) for i, scale in enumerate(scales)]
    tables = {tuple([places[bot] for bot in met]): count for met, count in sums.by_table().items()}
    # A fit of earlier matches does not say in how many blocks two bots met.
    joins = () if before else find_thin_joins(connected, tables)
    return Fit(
        bots=bots,
        mu=tuple([skill - zero + at for skill in skills]),
        covariance=covariance,
        deviation=deviation,
        matches=tuple([matches[bot] for bot in bots]),
        block_factors=factors,
        skills=tuple(skills),
        precision=tuple([tuple(row) for row in precision]),
        spread=weigh_spreads(skills, variances, sqrt(2.0) * of.beta),
        parts=parts,
        own=find_own(parts, connected, weights, skills, anchor, leans, covariance),
        leans=leans if any(leans) else (),
        thin_joins=joins,
    )


def _connect(precision: Sequence[Sequence[float]]) -> list[list[int]]:
    """Return the sets of bots, sorted, that matches connect."""
    found: list[list[int]] = []
    for i, row in enumerate(precision):
        # An element of the precision is exactly 0 until a match, or an earlier fit, has had both bots.
        met = [group for group in found if any(row[j] != 0.0 for j in group)]
        found = [group for group in found if group not in met]
        found.append([*(j for group in met for j in group), i])
    return [sorted(group) for group in found]


def _reach(
    likelihood: PairLikelihood, earlier: Sequence[int], before: Quadratic | None
) -> tuple[list[int], list[int]]:
    """Return for each bot the set of those that reach it, and of those that it reaches: see find_parts.

    *earlier* are the places of the bots that were known *before*.
    """
    found = likelihood.ranked_before()
    if before:
        for i, place in enumerate(earlier):
            for j, other in enumerate(earlier):
                if i != j and before.parts.reaches(i, j):
                    found[place] |= 1 << other
    return reaching(mirror(found)), reaching(found)


def _prior(
    bots: int, earlier: Sequence[int], before: Quadratic | None
) -> tuple[list[float], list[list[float]]]:
    """Return mean and precision of what is known before the matches of this many *bots*."""
    centre = [skill_prior.MEAN] * bots
    precision = [[skill_prior.PRECISION * (i == j) for j in range(bots)] for i in range(bots)]
    if before:
        for i, mean, row in zip(earlier, before.mean, before.precision, strict=True):
            centre[i] = mean
            for j, value in zip(earlier, row, strict=True):
                precision[i][j] = value
    return centre, precision


def _climb(
    likelihood: PairLikelihood, centre: Sequence[float], prior: list[list[float]], longest: float
) -> tuple[list[float], list[list[float]], list[list[float]]]:
    """Return the likeliest skills, the precision there, and its factor.  No step is longer than *longest*."""
    # Never the skills of an earlier fit: they would save steps, but a warm start ends with other last digits,
    # and ratings are compared by their hashes and steer schedules.
    skills = [skill_prior.MEAN] * len(centre)
    lower: list[list[float]] | None = None
    exact = ROUGH
    for _ in range(STEPS):
        # The log-likelihood and the prior are concave, so there is one top, and Newton's method finds it in
        # about eight steps.  Far from it, exact messages along the chains would be wasted.
        gradient, precision = likelihood.differentiate(skills, exact)
        away = [skill - mean for skill, mean in zip(skills, centre, strict=True)]
        for i, row in enumerate(prior):
            pull = 0.0
            for j, value in enumerate(row):
                precision[i][j] += value
                pull += value * away[j]
            gradient[i] -= pull
        # With a thousand bots a Cholesky factor costs more than all else, n^3 / 6 products; that of an
        # earlier step is still good enough to lead conjugate gradients (n^2 a round) to the exact step.
        step = improve(precision, lower, gradient, ROUNDS)
        if step is None:
            lower = factorize(precision)
            step = solve(lower, gradient)
        reach = max(map(abs, step), default=0.0)
        share = longest / reach if reach > longest else 1.0
        skills = [skill + share * move for skill, move in zip(skills, step, strict=True)]
        # A short step by rough derivatives proves nothing: the last one must be by exact ones.
        if reach <= REST and exact == chain.REST:
            break
        exact = max(chain.REST, ROUGH * min(1.0, reach))
    else:
        logger.warning("the ratings still move by %.1e after %d steps", reach, STEPS)
    return skills, precision, factorize(precision)


def zero_point(precision: Sequence[Sequence[float]], anchor: int | None = None) -> list[float]:
    """Return the weight of each bot in the zero point, the mean of skills that a rating is a difference to.

    With an *anchor* it is that bot.  Else a bot weighs as much as its matches say of its own skill: its
    element on the diagonal of *precision*, less that of the prior.  Equal weights would add the doubt about
    a newcomer to the interval of every bot, and its skill would move all ratings.  Weights by the number of
    matches would do the same for a bot that loses all of many matches, which say little of how weak it is.
    """
    size = len(precision)
    if anchor is not None:
        return [float(i == anchor) for i in range(size)]
    known = [max(0.0, row[i] - skill_prior.PRECISION) for i, row in enumerate(precision)]
    total = add_up(known)
    return [value / total if total > 0.0 else 1.0 / size for value in known]


def _by_pair(
    sums: BlockSums,
    places: Mapping[Bot, int],
    precision: Sequence[Sequence[float]],
    prior: Sequence[Sequence[float]],
    meetings: Mapping[tuple[int, int], int],
    deviation: float,
) -> list[list[float]] | None:
    """Return what blocks add to the variance of the gradient, beyond the *deviation*; None if there are none.

    One factor is wrong for most pairs of a game: where bots do much the same in each seat of a deal, a block
    says less than between others.  So each two bots have a factor of their own, drawn to that of the game as
    long as the blocks of the two, or of one of them, are few.  *meetings* are the matches of each two.
    """
    if len(places) > MOST_BOTS:
        return None
    trust = {bot: blocks / (blocks + FEW_OF_BOT) for bot, blocks in sums.by_bot().items()}
    extra = [[0.0] * len(places) for _ in places]
    for (one, other), (blocks, matches, together) in sorted(sums.by_pair().items()):
        i, j = places[one], places[other]
        weight = min(trust[one], trust[other]) * blocks / (blocks + FEW_OF_PAIR)
        # What independent matches of the two would add is minus their element of the curvature.
        alone = prior[i][j] - precision[i][j]
        if alone > 0.0 and matches:
            # Blocks may be a part of all matches of the two.
            scale = meetings[min(i, j), max(i, j)] / matches
            factor = weight * scale * together / alone + (1.0 - weight) * deviation
            more = (min(MOST, max(LEAST, factor)) - deviation) * alone
            extra[i][i] += more
            extra[j][j] += more
            extra[i][j] -= more
            extra[j][i] -= more
    return extra


def _add(one: Sequence[Sequence[float]], other: Sequence[Sequence[float]]) -> list[list[float]]:
    return [[a + b for a, b in zip(row, more, strict=True)] for row, more in zip(one, other, strict=True)]


def _to_zero_point(covariance: list[list[float]], weights: list[float]) -> Rows:
    """Return the covariance of the differences to the zero point.

    With w the *weights* and V the *covariance*, that is (I - 1 w') V (I - w 1').
    """
    # All skills can move together without a match becoming likelier or less likely; only the prior holds
    # them.  So this common part has no meaning, and would make every interval wide.
    common = [dot(weights, row) for row in covariance]
    twice = dot(weights, common)
    return tuple(
        tuple([value - common[i] - common[j] + twice for j, value in enumerate(row)])
        for i, row in enumerate(covariance)
    )
