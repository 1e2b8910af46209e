"""How much the matches of a block say together, beside as many independent matches."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import fsum
from typing import NamedTuple

from results.rating.outcomes import Bot, FinishOrder

__all__ = ["BlockFactor", "block_factors", "mean_factor", "pool_factors"]

PRIOR_BLOCKS = 50
"""The weight of the belief that matches are independent, in blocks."""
LEAST, MOST = 0.5, 3.0
"""The limits of a factor."""


class BlockFactor(NamedTuple):
    """What the blocks of one table size say."""

    seats: int
    blocks: int
    raw: float
    """The variance of what a block says of a bot, over that of as many independent matches."""

    @property
    def factor(self) -> float:
        """The factor of all variances: 0.8 means that blocks save a fifth of the matches."""
        return min(MOST, max(LEAST, (self.blocks * self.raw + PRIOR_BLOCKS) / (self.blocks + PRIOR_BLOCKS)))


def block_factors(
    blocks: Mapping[tuple[FinishOrder, ...], int], gradient: Callable[[FinishOrder], Sequence[float]]
) -> tuple[BlockFactor, ...]:
    """Return a factor for each table size that has blocks enough, smallest first.

    *gradient* returns what an outcome says of each of its bots: the gradient of its log-likelihood at the
    fitted skills.  The sums are exact, so they do not depend on the order of *blocks*.
    """
    sizes: dict[int, _Sums] = {}
    for pattern, count in blocks.items():
        seats = len(pattern[0].bots)
        if seats not in sizes:
            sizes[seats] = _Sums(seats)
        sizes[seats].add(pattern, count, gradient)
    factors = [sums.factor() for _, sums in sorted(sizes.items())]
    return tuple([factor for factor in factors if factor is not None])


class _Sums:
    """The sums of squares that the factor of one table size is made of."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.blocks = self.matches = 0
        self.bots: set[Bot] = set()
        self.together = array("d")
        """For each block: what its matches say together, squared, over its bots."""
        self.apart = array("d")
        """For each match: what it says, squared, over its bots."""

    def add(
        self, pattern: Sequence[FinishOrder], count: int, gradient: Callable[[FinishOrder], Sequence[float]]
    ) -> None:
        """Add *count* blocks with these outcomes."""
        self.blocks += count
        self.matches += count * len(pattern)
        totals: dict[Bot, float] = {}
        for outcome in pattern:
            square = 0.0
            for bot, slope in zip(outcome.bots, gradient(outcome), strict=True):
                totals[bot] = totals.get(bot, 0.0) + slope
                square += slope * slope
            self.apart.append(count * square)
        square = 0.0
        for total in totals.values():
            square += total * total
        self.together.append(count * square)
        self.bots.update(totals)

    def factor(self) -> BlockFactor | None:
        """Return the factor; None if there are too few blocks.

        A match of n seats gives n - 1 independent numbers, and the fit has used up one for each bot but one.
        """
        numbers, used = self.seats - 1, len(self.bots) - 1
        if self.blocks * numbers < 3 * len(self.bots):
            return None
        per_block = fsum(self.together) / (self.blocks * numbers - used) * self.blocks
        per_match = fsum(self.apart) / (self.matches * numbers - used) * self.matches
        return BlockFactor(self.seats, self.blocks, per_block / per_match if per_match else 1.0)


def pool_factors(factors: Iterable[BlockFactor]) -> tuple[BlockFactor, ...]:
    """Return *factors* of several sets of blocks as one for each table size, smallest first."""
    by_size: dict[int, list[BlockFactor]] = {}
    for factor in factors:
        by_size.setdefault(factor.seats, []).append(factor)
    return tuple(_pool(same) for _, same in sorted(by_size.items()))


def _pool(same: Sequence[BlockFactor]) -> BlockFactor:
    blocks = sum(each.blocks for each in same)
    return BlockFactor(same[0].seats, blocks, fsum(each.blocks * each.raw for each in same) / blocks)


def mean_factor(factors: Sequence[BlockFactor]) -> float:
    """Return the one factor of a game: the mean over its table sizes, by their blocks; 1.0 without any."""
    blocks = sum(each.blocks for each in factors)
    return fsum(each.blocks * each.factor for each in factors) / blocks if blocks else 1.0
