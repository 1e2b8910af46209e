"""Intervals of ratings, shares and means: 95 % each, as everywhere in the tables."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, TypeAlias

from results.rating.one_sided import Z_95 as Z
from results.reports.document import Interval as Estimate

if TYPE_CHECKING:
    from results.rating.fit import Fit
    from results.reports.document import Row

Interval: TypeAlias = tuple[float, float]
"""The lower and the upper end."""


def rating_of(fit: Fit, i: int) -> Row:
    """Return `mu`, `margin` and `sigma` of the bot with the index *i*; all but `mu` None if it is alone."""
    sigma = fit.sigma(i) if len(fit.bots) > 1 else None
    return {"mu": fit.mu[i], "margin": None if sigma is None else Z * sigma, "sigma": sigma}


def ends_of(fit: Fit, i: int) -> Row:
    """Return `mu_low` and `mu_high` of the bot with the index *i*: the ends of its interval.

    One is None for a bot that is only known to be at least, or at most, so good; both if it is alone.
    """
    low, high = fit.interval(i) if len(fit.bots) > 1 else (None, None)
    return {"mu_low": low, "mu_high": high}


def doubt_of(row: Row) -> str | None:
    """Return how sure a rating is, as tables show it: half of its interval, or the only end that it has."""
    if row["margin"] is None:
        return None
    if row["mu_high"] is None:
        return f"at least {row['mu_low']:.1f}"
    if row["mu_low"] is None:
        return f"at most {row['mu_high']:.1f}"
    return f"{row['margin']:.1f}"


def span_of(row: Row) -> Estimate | None:
    """Return the interval of a rating as it is drawn; None if it is unknown."""
    if row["margin"] is None:
        return None
    return Estimate(row["mu"], row["mu_low"], row["mu_high"], bot=row["bot"])


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
    their mean is multiplied by *deviation*.  One more match that ends at random is assumed for the
    variance: otherwise equal ranks in a few matches would leave no doubt.
    """
    mean = total / matches
    at_random = (seats * seats - 1) / 12
    variance = (max(0.0, squares - matches * mean * mean) + at_random) / matches
    half = Z * sqrt(variance / matches * deviation)
    return max(1.0, mean - half), min(float(seats), mean + half)
