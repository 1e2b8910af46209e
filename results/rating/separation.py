"""Decide whether the ratings of two bots differ significantly."""

from __future__ import annotations

import math
from typing import Protocol

__all__ = ["not_separable"]


class Rated(Protocol):
    """A value with a rating: a Rating or a Standing."""

    @property
    def mu(self) -> float:
        """The mean of the skill."""

    @property
    def sigma(self) -> float:
        """Its standard deviation."""


def not_separable(a: Rated, b: Rated) -> bool:
    """Return whether *a* and *b* differ by less than three standard deviations of their difference."""
    return abs(a.mu - b.mu) < 3 * math.hypot(a.sigma, b.sigma)
