"""How much the matches of a block say together, beside as many independent matches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import fsum
from typing import NamedTuple

from results.rating.outcomes import Bot, Outcome

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
    blocks: Mapping[tuple[Outcome, ...], int], gradient: Callable[[Outcome], Sequence[float]]
) -> tuple[BlockFactor, ...]:
    """Return a factor for each table size that has blocks enough, smallest first.

    *gradient* returns what an outcome says of each of its bots: the gradient of its log-likelihood at the
    fitted skills.  The sums are exact, so they do not depend on the order of *blocks*.
    """
    by_size: dict[int, list[tuple[tuple[Outcome, ...], int]]] = {}
    for pattern, count in blocks.items():
        by_size.setdefault(len(pattern[0].bots), []).append((pattern, count))
    found = []
    for seats, patterns in sorted(by_size.items()):
        factor = _factor(seats, patterns, gradient)
        if factor is not None:
            found.append(factor)
    return tuple(found)


def _factor(
    seats: int,
    patterns: Sequence[tuple[tuple[Outcome, ...], int]],
    gradient: Callable[[Outcome], Sequence[float]],
) -> BlockFactor | None:
    """Return the factor of one table size; None if there are too few blocks.

    A match of n seats gives n - 1 independent numbers, and the fit has used up one for each bot but one.
    """
    bots = len({bot for pattern, _ in patterns for outcome in pattern for bot in outcome.bots})
    blocks = sum(count for _, count in patterns)
    matches = sum(count * len(pattern) for pattern, count in patterns)
    if blocks * (seats - 1) < 3 * bots:
        return None
    together: list[float] = []
    apart: list[float] = []
    for pattern, count in patterns:
        sums: dict[Bot, float] = {}
        for outcome in pattern:
            for bot, slope in zip(outcome.bots, gradient(outcome), strict=True):
                sums[bot] = sums.get(bot, 0.0) + slope
                apart.append(count * slope * slope)
        together += [count * total * total for total in sums.values()]
    per_block = fsum(together) / (blocks * (seats - 1) - bots + 1) * blocks
    per_match = fsum(apart) / (matches * (seats - 1) - bots + 1) * matches
    return BlockFactor(seats, blocks, per_block / per_match if per_match else 1.0)


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
