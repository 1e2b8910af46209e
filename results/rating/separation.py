"""Which bots the ratings tell apart."""

from __future__ import annotations

import math
from typing import Protocol

__all__ = ["not_separable"]


class Rated(Protocol):
    """Anything with a rating: a Rating, a Standing."""

    @property
    def mu(self) -> float:
        """The most likely skill."""

    @property
    def sigma(self) -> float:
        """Its standard deviation."""


def not_separable(a: Rated, b: Rated) -> bool:
    """Return whether *a* and *b* differ by less than three standard deviations of the difference."""
    return abs(a.mu - b.mu) < 3 * math.hypot(a.sigma, b.sigma)
