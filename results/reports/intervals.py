"""Intervals of ratings, shares and means: 95 % each, as everywhere in the tables."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import TYPE_CHECKING, TypeAlias

from results.rating.one_sided import Z_95 as Z
from results.reports.document import Interval as Estimate
from results.reports.document import Number

if TYPE_CHECKING:
    from results.rating.fit import Fit
    from results.rating.outcomes import Bot
    from results.reports.document import Row

Interval: TypeAlias = tuple[float, float]
"""The lower and the upper end."""


def rating_of(fit: Fit, i: int) -> Row:
    """Return `mu`, `margin`, `sigma`, `mu_low` and `mu_high` of the bot with the index *i*.

    The last two are the ends of its interval: one is None for a bot that is only known to be at least, or at
    most, so good; both if it is alone.  `sigma` is the deviation towards the ends that there are, and None
    without any; `margin` is half of the interval, and None without both.
    """
    low, high = ends = fit.interval(i)
    return {
        "mu": fit.mu[i],
        "margin": None if None in ends else Z * fit.own[i].error,
        "sigma": None if ends == (None, None) else fit.own[i].error,
        "mu_low": low,
        "mu_high": high,
    }


def with_ends(key: str, value: float | None, ends: tuple[float | None, float | None] = (None, None)) -> Row:
    """Return *value* under *key*, and its *ends* under that and `_low` and `_high`."""
    return {key: value, f"{key}_low": ends[0], f"{key}_high": ends[1]}


def value_of(key: str, of: str) -> Callable[[Row], Number | None]:
    """Return what tells the value of a row under *key*; where only one end of it is known, that end.

    The ends stand under *of* and `low`, and *of* and `high`.
    """

    def tell(row: Row) -> Number | None:
        middle, low, high = (row[name] for name in (key, f"{of}low", f"{of}high"))
        if middle is None or (low is None) == (high is None):
            return None if middle is None else Number(middle, 1)
        return Number(high, 1, sign="<= ") if low is None else Number(low, 1, sign=">= ")

    return tell


def half_of(of: str) -> Callable[[Row], Number | None]:
    """Return what tells half of that interval: nothing without both ends, nor for what others are beside."""

    def tell(row: Row) -> Number | None:
        low, high = row[f"{of}low"], row[f"{of}high"]
        return None if None in (low, high) or low == high else Number((high - low) / 2, 1)

    return tell


def span_of(key: str, of: str) -> Callable[[Row], Estimate | None]:
    """Return what tells that interval as it is drawn: nothing without any end."""

    def tell(row: Row) -> Estimate | None:
        ends = row[f"{of}low"], row[f"{of}high"]
        return None if ends == (None, None) else Estimate(row[key], *ends, bot=row.get("bot", ""))

    return tell


def say_lead(fit: Fit, above: Bot, below: Bot) -> str:
    """Return by how much *above* is rated higher than *below*, from which it is told apart, in words."""
    i, j = fit.bots.index(above), fit.bots.index(below)
    low, high = fit.interval_of_difference(i, j)
    return f"at least {low:.1f} higher" if high is None else f"{fit.mu[i] - fit.mu[j]:.1f} higher"


def interval_of_share(share: float, matches: float, z: float = Z) -> Interval:
    """Return the interval of a *share* (0 to 1) of *matches*, which need not be a whole number.

    *z* is its normal quantile.  Wilson, Probable inference, 1927, formula of the score interval.  A draw
    counts as half a win; the interval is then a little too wide.
    """
    middle = (share + z * z / (2 * matches)) / (1 + z * z / matches)
    half = sqrt(share * (1 - share) / matches + (z / (2 * matches)) ** 2) * z / (1 + z * z / matches)
    return max(0.0, middle - half), min(1.0, middle + half)


def interval_of_mean(total: float, squares: float, matches: int, seats: int, deviation: float) -> Interval:
    """Return the interval of a mean rank at tables of at most *seats* seats.

    *total* and *squares* are the sums of the ranks and of their squares over *matches*; the variance of
    their mean is multiplied by *deviation*.
    """
    mean = total / matches
    half = _half_width(squares - matches * mean * mean, matches, seats, deviation)
    return max(1.0, mean - half), min(float(seats), mean + half)


def interval_of_beaten(share: float, residual: float, rivals: int, seats: int, deviation: float) -> Interval:
    """Return the interval of the *share* of *rivals* that a bot beat at tables of at most *seats* seats.

    *residual* is the sum of the squares of what each match adds beyond that share of its rivals: the
    variance of a ratio of two sums (Cochran, Sampling techniques, 1977, 2.11), times *deviation*.
    """
    half = _half_width(residual, rivals, seats, deviation)
    return max(0.0, share - half), min(1.0, share + half)


def _half_width(residual: float, over: int, seats: int, deviation: float) -> float:
    """Return half of the interval of a sum of squares *residual*, by what the mean was taken *over*.

    One more match that ends at random is assumed for the variance: otherwise equal ranks in a few
    matches would leave no doubt.
    """
    at_random = (seats * seats - 1) / 12
    return Z * sqrt((max(0.0, residual) + at_random) * deviation) / over
