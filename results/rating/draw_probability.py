"""How often equal seats tie: the draw probability of each table size, measured over what was played."""

from collections.abc import Mapping
from itertools import accumulate, repeat
from math import erfc, fsum, log, sqrt
from operator import mul
from typing import TypeAlias

from results.rating.fit import Fit, fit_pairs
from results.rating.outcomes import Bot, Counts
from results.rating.pairs import Pairs, count_pairs
from results.rating.parameters import Parameters
from results.rating.update import draw_margin

MEASURED_FROM = 200
"""The draws of a table size are measured from this many matches on: fewer show next to nothing."""
ROUNDS = 8
"""The largest number of times that skills and draws are found by turns.  They rest after two to four."""

GRID = (*(round(draws, 5) for draws in accumulate(repeat(1.1, 78), mul, initial=0.0005)), 0.9)
"""The draw probabilities to choose from: each a tenth more than the one before, up to 0.9.  With steps of 2,
95 % intervals held 92 % where 30 % of the matches of equals were draws, and 69 % at 60 %."""

_ROOT_HALF = sqrt(0.5)
_LEAST = 1e-300
"""A probability that underflows counts as this."""

Meetings: TypeAlias = list[tuple[bool, float, int]]
"""Whether two bots tied, how much better the first is in standard deviations of the difference in
performance, and how often that happened."""


def measure_draws(counts: Counts, beta: float) -> dict[int, float]:
    """Return how often equal seats tie at each table size of *counts*, a number of GRID.

    Sizes with fewer than MEASURED_FROM matches are left out.  Each size is measured by itself, and always
    from the same start, so the numbers follow from the matches alone: runs and shards that were told
    different ones end with the same.
    """
    matches: dict[int, int] = {}
    for outcome, count in counts.outcomes.items():
        matches[outcome.seats] = matches.get(outcome.seats, 0) + count
    enough = {seats for seats, played in matches.items() if played >= MEASURED_FROM}
    pairs = count_pairs({each: count for each, count in counts.outcomes.items() if each.seats in enough})
    return {seats: _measure(seats, {seats: same_size}, beta) for seats, same_size in sorted(pairs.items())}


def _measure(seats: int, pairs: Pairs, beta: float) -> float:
    """Return the draw probability of *pairs*, which are all of this size, at which it chooses itself.

    The skills depend on it: who is told too few draws takes the bots for more alike than they are.
    """
    meetings = sum(pairs[seats].values())
    ties = sum(count for (_, _, tie), count in pairs[seats].items() if tie)
    if not ties:
        return GRID[0]
    draws = min(GRID, key=lambda each: abs(each - ties / meetings))
    tried: set[float] = set()
    while draws not in tried and len(tried) < ROUNDS:
        tried.add(draws)
        known = fit_pairs(pairs, {}, Parameters(beta, {seats: draws}))
        draws = choose_draws(pairs[seats], known, beta)
    return draws


def choose_draws(results: Mapping[tuple[Bot, Bot, bool], int], fit: Fit, beta: float) -> float:
    """Return the draw probability of GRID at which the *results* of pairs of one size are likeliest.

    The skills are those of *fit*.  What counts is which two bots of a table tied, and which did not.  All
    pairs of a table count: neighbours in rank alone tie more often than equals do (at four seats 26 % where
    equals tie in 15 %).
    """
    places = {bot: i for i, bot in enumerate(fit.bots)}
    root = sqrt(2.0) * beta
    meetings = [
        (tie, (fit.mu[places[one]] - fit.mu[places[other]]) / root, count)
        for (one, other, tie), count in results.items()
    ]
    return _likeliest(meetings, root, beta)


def _likeliest(meetings: Meetings, root: float, beta: float) -> float:
    """Return the likeliest draw probability, the smaller of two that are equally likely.

    The likelihood has one top, because each probability is a log-concave function of the margin.
    """
    low, high = 0, len(GRID) - 1
    while low < high:
        middle = (low + high) // 2
        here, next_ = (
            _log_likelihood(meetings, draw_margin(GRID[i], beta) / root) for i in (middle, middle + 1)
        )
        if here >= next_:
            high = middle
        else:
            low = middle + 1
    return GRID[low]


def _log_likelihood(meetings: Meetings, margin: float) -> float:
    return fsum([count * log(max(_LEAST, _probability(tie, mean, margin))) for tie, mean, count in meetings])


def _probability(tie: bool, mean: float, margin: float) -> float:
    """Return the probability of a tie, or of a win of the first."""
    if tie:
        distance = abs(mean)
        return 0.5 * (erfc((distance - margin) * _ROOT_HALF) - erfc((distance + margin) * _ROOT_HALF))
    return 0.5 * erfc((margin - mean) * _ROOT_HALF)
