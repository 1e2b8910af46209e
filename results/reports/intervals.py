"""Intervals of shares and means: 95 % each, as everywhere in the tables."""

from __future__ import annotations

from math import sqrt
from typing import TypeAlias

from results.rating.fit import Z_95 as Z

__all__ = ["Interval", "interval_of_mean", "interval_of_share"]

Interval: TypeAlias = tuple[float, float]
"""The lower and the upper end."""


def interval_of_share(share: float, matches: float) -> Interval:
    """Return the interval of a *share* (0 to 1) of *matches*, which need not be a whole number.

    Wilson, Probable inference, 1927, formula of the score interval.  A draw counts as half a win; the
    interval is then a little too wide.
    """
    middle = (share + Z * Z / (2 * matches)) / (1 + Z * Z / matches)
    half = sqrt(share * (1 - share) / matches + (Z / (2 * matches)) ** 2) * Z / (1 + Z * Z / matches)
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
