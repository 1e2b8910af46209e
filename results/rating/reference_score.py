"""The rating of one bot from its results against others whose ratings are fixed, and how sure it is.

The model is that of the ratings here: a bot whose rating is d higher ranks before the other with the
probability Phi(d / (sqrt(2) beta)), and a tie is half a win.  Each pair of the bot and another seat counts
(a composite likelihood).  The pairs of one deal share their luck, so the interval takes deals, not pairs, as
independent: it is the score test of Liang and Zeger's sandwich (1986), turned round.  Where few results are
against the trend, the sandwich of a handful of deals claims too much; so no deals count as varying less than
independent pairs would.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import erfc, exp, inf, pi, sqrt
from typing import NamedTuple, TypeAlias

from results.rating.linear import add_up, factorize, solve
from results.rating.one_sided import Z_95

BETA = 25 / 6
"""The luck of one match, as in the ratings of every built-in game."""
MEAN, SPREAD = 25.0, 25.0
"""A weak prior, so that a bot that has won or lost everything has a rating as well."""
BOUND = 1.959963984540054**2
"""The square of the normal quantile of a 95 % interval..."""
BOUND_99 = 2.5758293035489004**2
"""...and of a 99 % interval."""
FARTHEST = 400.0
"""A bound this far from the middle is none."""
STEPS = 60

DealResult: TypeAlias = tuple[tuple[int, float], ...]
"""What the matches of a deal said: the index of the other bot, and 1, 0.5 or 0 for a win, a tie, a loss."""


class ReferenceScore(NamedTuple):
    """A rating and its interval, whose ends are infinite where the results set no bound."""

    rating: float
    low: float
    high: float

    @property
    def margin(self) -> float | None:
        """The greater distance from the rating to an end of the interval; None if one is infinite."""
        margin = max(self.high - self.rating, self.rating - self.low)
        return margin if margin < inf else None


def rate_against(
    deals: Iterable[DealResult], ratings: Sequence[float], beta: float = BETA, bound: float = BOUND
) -> ReferenceScore:
    """Return the rating of a bot with these results against bots whose *ratings* are fixed.

    *bound* is the square of the normal quantile of the interval.

    Raises ValueError without any result.
    """
    counted = sorted(Counter(tuple(sorted(deal)) for deal in deals if deal).items())
    number = sum(count for _, count in counted)
    if not number:
        raise ValueError("expected results of at least one deal")
    pairs: Counter[tuple[int, float]] = Counter()
    for deal, count in counted:
        for pair in deal:
            pairs[pair] += count
    others = sorted({other for other, _ in pairs})
    correction = number / (number - 1) if number > 1 else 1.0

    def slopes_at(rating: float) -> dict[tuple[int, float], float]:
        found: dict[tuple[int, float], float] = {}
        for other in others:
            win, loss = slopes((rating - ratings[other]) / (sqrt(2) * beta))
            found |= {(other, 1.0): win, (other, 0.0): loss, (other, 0.5): (win + loss) / 2}
        return found

    def slope(rating: float) -> float:
        """Return the derivative of the log-likelihood with the prior, in units of 1 / (sqrt(2) beta)."""
        slopes = slopes_at(rating)
        prior = (MEAN - rating) / SPREAD**2 * sqrt(2) * beta
        return add_up(count * slopes[pair] for pair, count in sorted(pairs.items())) + prior

    def excess(rating: float) -> float:
        """Return how far the results are from what *rating* lets expect: above *bound*, it is refused."""
        slopes = slopes_at(rating)
        total = robust = 0.0
        for deal, count in counted:
            sum_of_deal = add_up(slopes[pair] for pair in deal)
            total += count * sum_of_deal
            robust += count * sum_of_deal * sum_of_deal
        independent = 0.0
        for (other, _), count in sorted(pairs.items()):
            independent -= count * slopes[other, 1.0] * slopes[other, 0.0]
        return total * total - bound * max(robust * correction, independent)

    rating = _root(slope, -FARTHEST, FARTHEST)
    return ReferenceScore(rating, _find_end(excess, rating, -FARTHEST), _find_end(excess, rating, FARTHEST))


def _find_end(excess: Callable[[float], float], inside: float, outside: float) -> float:
    """Return the end of the interval between *inside* and *outside*; infinite if that is in it as well.

    It is the nearest: the results may refuse a rating, and by their own spread not one that is farther off.
    """
    step, low = (1.0 if outside > inside else -1.0), inside
    while abs(low - outside) > 1.0:
        high = low + step
        if excess(high) > 0:
            return _root(excess, *sorted((low, high)), rising=step > 0)
        low = high
    return inf if outside > inside else -inf


def _root(function: Callable[[float], float], low: float, high: float, *, rising: bool = False) -> float:
    """Return where *function* changes its sign from plus to minus, or the other way if it is *rising*."""
    for _ in range(STEPS):
        middle = (low + high) / 2
        if (function(middle) > 0) != rising:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def slopes(lead: float) -> tuple[float, float]:
    """Return the derivatives of log Phi(lead) and log Phi(-lead) by *lead*."""
    return _mills(lead), -_mills(-lead)


def _mills(lead: float) -> float:
    """Return the density of the normal distribution at *lead* divided by Phi(lead)."""
    if lead < -30:  # Phi would vanish; the continued fraction of the tail, Abramowitz and Stegun 26.2.14
        return -lead - 1 / (lead - 2 / lead)
    return sqrt(2 / pi) * exp(-lead * lead / 2) / erfc(-lead / sqrt(2))


PairCounts: TypeAlias = Mapping[tuple[str, str], Sequence[int]]
"""By two bots: how often the first ranked before the second, tied with it, and ranked after it."""
FEWEST = 2.0
"""A pair says whether a scale fits if it lets expect as many wins, and as many losses."""


def information_of(pairs: PairCounts, leads: Mapping[str, float], beta: float = BETA) -> list[list[float]]:
    """Return Fisher's information at *leads*, with the weak prior: a row and a column for each bot.

    *leads* are ratings in units of sqrt(2) *beta*; only their differences matter.
    """
    place, prior = {bot: i for i, bot in enumerate(leads)}, 2 * beta * beta / SPREAD**2
    information = [[prior * (i == j) for j in range(len(leads))] for i in range(len(leads))]
    for (one, other), counts in sorted(pairs.items()):
        i, j = place[one], place[other]
        win, loss = slopes(leads[one] - leads[other])
        known = -sum(counts) * win * loss
        information[i][i] += known
        information[j][j] += known
        information[i][j] -= known
        information[j][i] -= known
    return information


def margins_of(
    pairs: PairCounts, ratings: Mapping[str, float], anchor: str, beta: float = BETA
) -> dict[str, float]:
    """Return half of the 95 % interval of the distance of each bot but *anchor* to it, in points.

    The variance is that of the inverse Fisher information, as if all meetings were independent.
    """
    unit, bots = sqrt(2) * beta, [*ratings]
    leads = {bot: rating / unit for bot, rating in ratings.items()}
    factor, base = factorize(information_of(pairs, leads, beta)), bots.index(anchor)
    margins = {}
    for i, bot in enumerate(bots):
        if bot != anchor:
            found = solve(factor, [float((j == i) - (j == base)) for j in range(len(bots))])
            margins[bot] = Z_95 * unit * sqrt(found[i] - found[base])
    return margins


def misfit_a_pair(pairs: PairCounts, ratings: Mapping[str, float], beta: float = BETA) -> float:
    """Return chi-squared a pair of the results of *pairs*, beside what *ratings* let expect of them: about 1.

    0 if no pair has FEWEST expected wins and losses (Pearson, 1900; Cochran, 1954, for how few are enough).
    """
    excesses = []
    for (one, other), (wins, ties, losses) in sorted(pairs.items()):
        number, chance = wins + ties + losses, erfc((ratings[other] - ratings[one]) / (2 * beta)) / 2
        if min(chance, 1 - chance) * number >= FEWEST:
            excess = wins + ties / 2 - chance * number
            excesses.append(excess * excess / (number * chance * (1 - chance)))
    return add_up(excesses) / len(excesses) if excesses else 0.0
