"""Bots of which matches say only how good they are at least, or at most.

A bot that won all of its matches may be any better than they show, and so may two bots that lost to each
other alone: the likelihood has no maximum there (Ford, "Solution of a ranking problem from binary
comparisons", 1957).  The fit is finite because of its prior, but its curvature does not say how sure it is
that the bot is better: the more it wins, the wider a symmetrical interval becomes.  What is sure follows from
the results themselves: if the skills were closer by so much, all these wins would come in 2.5 % of cases.

Sets of bots are numbers: bit i says whether bot i, by its place in a fit, is in the set.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from math import erfc, log, log1p, pi, sqrt
from typing import NamedTuple

from results.rating.chain import weigh_win
from results.rating.linear import add_up

RARE = -log(0.025)
"""Minus the log-likelihood at the end of an interval of 95 %, where all matches were won."""
WIDEST = 1024.0
"""The farthest that an end of an interval is looked for..."""
HALVINGS = 60
"""...by this number of halvings."""
Z_95 = 1.96
"""A normal variable lies within this many standard deviations of its mean with 95 %."""
TAIL = -6.0
"""Below this, logarithms of probabilities are computed by a continued fraction."""


class Lean(NamedTuple):
    """On which side the skill of a bot has no limit, and how near its limit on the other side is."""

    side: int
    """1: the interval has only a lower end; -1: only an upper one."""
    scale: float
    """The distance to that limit, over that of a symmetrical interval."""


class Crossing(NamedTuple):
    """How often a bot of a set ranked before one outside, at tables of one size; it was never otherwise."""

    difference: float
    """By how much the first one is better, as fitted."""
    margin: float
    """The draw margin."""
    weight: float
    """The number of these results, times the weight of a pair."""


def bots_in(members: int) -> Iterator[int]:
    """Yield the bots of a set, sorted."""
    while members:
        lowest = members & -members
        yield lowest.bit_length() - 1
        members ^= lowest


def find_leans(
    better: Sequence[int],
    worse: Sequence[int],
    crossings: Callable[[int], Sequence[Crossing]],
    weights: Sequence[float],
    precision: Sequence[Sequence[float]],
    variances: Sequence[float],
    shown: Sequence[float],
    noise: float,
    deviation: float,
    known: Mapping[int, Lean],
) -> tuple[Lean | None, ...]:
    """Return for each bot whether its skill has no limit on one side.

    *better* and *worse* have for each bot the set of those that reach it, and that it reaches: see
    results.rating.field_parts; *crossings* returns the results between a set and all others.  *weights* are
    those of the zero point, *variances* those of the differences to it, as the inverse of *precision* times
    the *deviation* gives them, *shown* those that are scaled, and *noise* is the standard deviation of a
    difference in performance.  *known* are leans by matches that are not among the results: their scales,
    which hardly depend on the number of matches, are taken over.
    """
    sums = [add_up(row) for row in precision]

    @cache
    def end_of(members: int) -> tuple[float, float] | None:
        """Return how far *members* may move together, and the variance of that; None if nothing says it."""
        if not (results := crossings(members)):
            return None
        common = deviation * _variance_of_gap([*bots_in(members)], precision, sums)
        return _end(results, noise, deviation), common

    found: list[Lean | None] = []
    for i, variance in enumerate(variances):
        sides: list[Lean] = []
        for side, members in ((1, better[i]), (-1, worse[i])):
            share = add_up(weights[j] for j in bots_in(members))
            old = known.get(i)
            scale = 0.0
            if share > 0.5 or shown[i] <= 0.0:
                pass  # it moves with most of the zero point, so the others are those without a limit
            elif old and old.side == side:
                scale = old.scale
            elif end := end_of(members):
                reach, common = end[0] * (1.0 - share), end[1] * (1.0 - share) ** 2
                own = Z_95 * Z_95 * max(0.0, variance - common)
                scale = sqrt((reach * reach + own) / shown[i]) / Z_95
            if scale:
                sides.append(Lean(side, scale))
        # Without a limit on either side, a symmetrical interval is no worse than others.
        found.append(sides[0] if len(sides) == 1 else None)
    return tuple(found)


def _variance_of_gap(
    inside: Sequence[int], precision: Sequence[Sequence[float]], sums: Sequence[float]
) -> float:
    """Return the variance of the move of these bots against all others; *sums* are of *precision*'s rows."""
    # With a, b and c the sums of the precision inside, across and outside, it is (a + 2 b + c) / (a c - b^2).
    held = add_up(precision[i][j] for i in inside for j in inside)
    row, whole = add_up(sums[i] for i in inside), add_up(sums)
    return whole / (held * whole - row * row)


def _end(results: Sequence[Crossing], noise: float, deviation: float) -> float:
    """Return how much closer the skills may be before *results* would be too rare."""
    low, high = 0.0, WIDEST
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        likely = add_up(
            each.weight * log_chance((each.difference - middle - each.margin) / noise) for each in results
        )
        if likely > -RARE * deviation:
            low = middle
        else:
            high = middle
    return low


def chance_below(x: float) -> float:
    """Return the probability that a standard normal variable is below *x*."""
    return 0.5 * erfc(-x * sqrt(0.5))


def log_chance(x: float) -> float:
    """Return the logarithm of `chance_below`, with all digits however far out *x* is."""
    if x > 0.0:
        return log1p(-0.5 * erfc(x * sqrt(0.5)))
    if x > TAIL:
        return log(chance_below(x))
    return -0.5 * (x * x + log(2.0 * pi)) - log(weigh_win(x)[0])
