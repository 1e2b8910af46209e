"""How often equal seats tie: the draw probability of each table size, chosen from what was played."""

from __future__ import annotations

from itertools import pairwise
from math import erfc, fsum, log, sqrt

from results.rating.fit import Fit
from results.rating.outcomes import Counts
from results.rating.trueskill_package import draw_margin

__all__ = ["GRID", "choose_draws"]

GRID = (*(0.0005 * 2.0**j for j in range(11)), 0.9)
"""The draw probabilities to choose from: each twice the one before, up to 0.9."""

_ROOT_HALF = sqrt(0.5)
_LEAST = 1e-300
"""A probability that underflows counts as this."""


def choose_draws(counts: Counts, fit: Fit, beta: float) -> dict[int, float]:
    """Return, by table size, the draw probability of GRID at which the matches of *counts* are likeliest.

    The skills are those of *fit*.  What counts is which neighbours in rank tied and which did not.
    """
    places = {bot: i for i, bot in enumerate(fit.bots)}
    neighbours: dict[int, dict[tuple[int, int, bool], int]] = {}
    for outcome, count in counts.outcomes.items():
        same_size = neighbours.setdefault(len(outcome.bots), {})
        table = [places[bot] for bot in outcome.bots]
        for (i, j), tie in zip(pairwise(table), outcome.ties, strict=True):
            key = (min(i, j), max(i, j), True) if tie else (i, j, False)
            same_size[key] = same_size.get(key, 0) + count
    root = sqrt(2.0) * beta
    return {
        seats: _likeliest(
            [(tie, (fit.mu[i] - fit.mu[j]) / root, count) for (i, j, tie), count in same_size.items()],
            root,
            beta,
        )
        for seats, same_size in sorted(neighbours.items())
    }


def _likeliest(neighbours: list[tuple[bool, float, int]], root: float, beta: float) -> float:
    """Return the likeliest draw probability, the smaller of two that are equally likely.

    *neighbours* says how often two tied or did not, and how much better the first is in standard deviations
    of the difference in performance.
    """
    found = []
    for draws in GRID:
        margin = draw_margin(draws, beta) / root
        likelihood = fsum(
            [count * log(max(_LEAST, _probability(tie, mean, margin))) for tie, mean, count in neighbours]
        )
        found.append((likelihood, -draws))
    return -max(found)[1]


def _probability(tie: bool, mean: float, margin: float) -> float:
    """Return the probability of a tie, or of a win of the first."""
    if tie:
        distance = abs(mean)
        return 0.5 * (erfc((distance - margin) * _ROOT_HALF) - erfc((distance + margin) * _ROOT_HALF))
    return 0.5 * erfc((margin - mean) * _ROOT_HALF)
