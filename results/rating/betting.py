"""Decide by bets on whole blocks whether one bot is better than another, valid at every look.

The score of a block is the mean over its matches of +1 (the first bot is before the second), 0 (tie) or -1.
A gambler bets on the mean of all scores, of which it is only assumed that blocks are independent and scores
lie in [-1, 1].  If the true mean is not above m, the wealth of a gambler who bets on "above m" is a fair or a
losing game, so the probability that it *ever* reaches 1 / alpha is at most alpha (Ville's inequality).  That
is why a duel may be looked at again and again.  Method: Waudby-Smith and Ramdas, "Estimating means of bounded
random variables by betting" (2024); the gambler here splits the wealth over nine fixed stakes.

All that is kept of the blocks is how many had each result, so the order of blocks cannot matter.

Where the luck of matches is known, scores count less a share of it.  Luck has the expectation 0 and is
bounded, so the mean of all scores is the same, and scores lie in a wider range, with which the gambler bets.

A gambler may also stake most of the wealth on one mean that is expected.  Such a stake, and the share of the
luck, follow from earlier blocks alone, so the bets are as fair as those of fixed stakes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, Protocol

LOOK_BLOCKS = 16
"""A duel is looked at when the number of its blocks is a multiple of this, never between.  So where it ends
does not depend on how many blocks are played at once."""

STAKES = tuple(0.02 * 1.6**k for k in range(9))
"""The shares of the wealth that are bet: 2 to 86 % of the largest bet that cannot lose everything."""

EXPECTED_WEIGHT = 171.0
"""The wealth of the gambler who expects a certain mean, where each of STAKES has 1: 95 % of all.  It costs
him 1.4 % of the blocks, and the others 80 % if the guess is wrong."""

BISECTIONS = 40
"""Steps to find an end of the interval: 2 / 2**40 is the largest error."""


class Interval(NamedTuple):
    """The bounds of a mean score.  An end that is not known is -1 or 1."""

    low: float
    high: float


class Lot(NamedTuple):
    """Blocks on which the gamblers bet alike."""

    bound: float
    """The largest score that a block can have; the smallest is its negative."""
    rows: Sequence[tuple[float, int]]
    """Each score that occurred and the number of blocks with it, lowest first."""
    scale: float = 1.0
    """The bound of the scores for which STAKES are meant.

    Where lots have several bounds, a gambler must bet alike on all of them, as far as the bound lets him.
    """
    above: float = 0.0
    """The stake of the gambler who expects a certain mean, on "above"; 0 if he bets nothing."""
    below: float = 0.0
    """The same on "below"."""

    def mirror(self) -> Lot:
        """Return the lot as the second bot sees it."""
        rows = [(-score, count) for score, count in reversed(self.rows)]
        return Lot(self.bound, rows, self.scale, self.below, self.above)

    def bets(self, stake: float, mean: float) -> float:
        """Return what a gambler with this *stake* bets on "above *mean*" for each unit of a score."""
        limit = STAKES[-1] * (self.scale + mean) / (self.bound + mean)
        return min(stake, limit) / (self.scale + mean)


class CountedBlocks(Protocol):
    """Blocks that were counted."""

    def lots(self) -> Sequence[Lot]:
        """Return the blocks by what is bet on them."""


def log_wealth(blocks: CountedBlocks, mean: float, *, above: bool = True) -> float:
    """Return the logarithm of what a gambler has who began with 1 and bet that the true mean is above *mean*.

    With *above* false, the bet is that it is below.  *mean* lies between -1 and 1, both excluded.  If the bet
    is wrong, the probability that this ever reaches log(1 / alpha) is at most alpha.
    """
    lots = blocks.lots()
    return _log_wealth(lots, mean) if above else _log_wealth(_mirror(lots), -mean)


def find_interval(blocks: CountedBlocks, alpha: float) -> Interval:
    """Return the means that no bet refuted, rounded outwards: to 1 - *alpha*, the true one is inside."""
    lots = blocks.lots()
    return Interval(_find_low(lots, alpha), -_find_low(_mirror(lots), alpha))


def _mirror(lots: Sequence[Lot]) -> list[Lot]:
    return [lot.mirror() for lot in lots]


def _log_wealth(lots: Sequence[Lot], mean: float) -> float:
    """Return the log wealth of the bet that the true mean is above *mean*: the mean over all gamblers.

    No score is below minus its bound, so no gain is below -1.
    """
    # A stake of 1 would be the largest bet that cannot cost more than the wealth: at the lowest score,
    # -bound, the gain is -1.  STAKES end at 0.86, so log1p is never of -1.
    logs = [_sum_logs([(lot.rows, lot.bets(stake, mean)) for lot in lots], mean) for stake in STAKES]
    # The mixture of nine gamblers with a ninth of the wealth each.  None of them has to know the effect: the
    # one whose stake fits it grows fastest, and the others cost log 9 at most.
    if any(lot.above for lot in lots):
        logs.append(_sum_logs([(lot.rows, lot.above / (lot.bound + mean)) for lot in lots], mean))
    return mix(logs)


def _sum_logs(lots: Sequence[tuple[Sequence[tuple[float, int]], float]], mean: float) -> float:
    """Return the logarithm of all gains, given rows of scores and what is bet on each unit of them."""
    return math.fsum(
        [count * math.log1p(bet * (score - mean)) for rows, bet in lots for score, count in rows]
    )


def mix(logs: Sequence[float]) -> float:
    """Return the log wealth of all gamblers: those of STAKES and, if there, of one who expects a mean."""
    weights = [1.0] * len(STAKES) + [EXPECTED_WEIGHT] * (len(logs) - len(STAKES))
    most = max(logs)
    wealth = math.fsum([weight * math.exp(log - most) for weight, log in zip(weights, logs, strict=True)])
    return most + math.log(wealth / math.fsum(weights))


def _find_low(lots: Sequence[Lot], alpha: float) -> float:
    """Return the largest mean refuted from below, else -1, by bisection: the wealth falls as it rises."""
    goal = math.log(2 / alpha)  # half of alpha for each side
    low, high = -1.0, 1.0
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        if _log_wealth(lots, middle) >= goal:
            low = middle
        else:
            high = middle
    return low
