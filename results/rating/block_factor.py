"""How much the matches of a block say together, beside as many independent matches.

The gradient of a match says what it adds to the fit.  If matches are independent, the square of a block's sum
is that of its matches, added up; a deal that favours a bot in every seat makes it larger.  Before they are
compared, what two bots do beyond their ratings in every match is taken off: where one beats the other more
often than one number for each can say, all gradients of the two lean the same way, and that is no deal.  Its
square is estimated from products of different blocks, which share nothing else, so no block is used up.

All sums are whole numbers, in units of 2^-48, so they are exact and do not depend on the order of blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import fsum
from typing import NamedTuple

from results.rating.outcomes import Bot, FinishOrder

__all__ = ["BlockFactor", "BlockSums", "mean_factor", "pool_factors"]

PRIOR_BLOCKS = 50
"""The weight of the belief that matches are independent, in blocks."""
LEAST, MOST = 0.5, 3.0
"""The limits of a factor."""
UNIT = 2.0**48
"""Gradients and their products are rounded to one over this."""


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


class _Pair:
    """The sums over the blocks of one table size in which two bots played."""

    def __init__(self) -> None:
        self.blocks = 0
        self.matches = 0
        self.match_squares = 0
        """The sum over blocks of the square of the number of matches."""
        self.one = self.other = 0
        """The sums of what blocks say of each bot..."""
        self.one_squares = self.other_squares = 0
        """...and of the squares."""
        self.together = 0
        """For each block, minus the product of what its matches say of the two bots together."""
        self.apart = 0
        """For each match, minus the product of what it says of the two bots."""

    def lean(self) -> tuple[float, float]:
        """Return the squares of what every match says of the two bots beyond their ratings: means."""
        products = self.matches * self.matches - self.match_squares
        if not products:
            return 0.0, 0.0
        scale = UNIT * products
        one = (_square(self.one) - self.one_squares) / scale
        return one, (_square(self.other) - self.other_squares) / scale


class _Sums:
    """The sums of squares that the factor of one table size is made of."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.blocks = self.matches = 0
        self.bots: dict[Bot, int] = {}
        """The number of blocks of each bot."""
        self.together = 0
        """For each block: what its matches say together, squared, over its bots."""
        self.apart = 0
        """For each match: what it says, squared, over its bots."""
        self.pairs: dict[tuple[Bot, Bot], _Pair] = {}

    def add(
        self, pattern: Sequence[FinishOrder], count: int, gradient: Callable[[FinishOrder], Sequence[float]]
    ) -> None:
        """Add *count* blocks with these outcomes."""
        matches = len(pattern)
        self.blocks += count
        self.matches += count * matches
        totals: dict[Bot, float] = {}
        slopes: dict[Bot, list[float]] = {}
        square = 0.0
        for outcome in pattern:
            for bot, slope in zip(outcome.bots, gradient(outcome), strict=True):
                totals[bot] = totals.get(bot, 0.0) + slope
                slopes.setdefault(bot, []).append(slope)
                square += slope * slope
        self.apart += count * int(square * UNIT)
        square = 0.0
        for total in totals.values():
            square += total * total
        self.together += count * int(square * UNIT)
        bots = sorted(totals)
        for bot in bots:
            self.bots[bot] = self.bots.get(bot, 0) + count
        for i, one in enumerate(bots):
            first, mine = totals[one], slopes[one]
            for other in bots[i + 1 :]:
                pair = self.pairs.get((one, other))
                if pair is None:
                    pair = self.pairs[one, other] = _Pair()
                second = totals[other]
                product = 0.0
                for a, b in zip(mine, slopes[other]):  # noqa: B905 - as far as both played
                    product += a * b
                pair.blocks += count
                pair.matches += count * matches
                pair.match_squares += count * matches * matches
                pair.one += count * int(first * UNIT)
                pair.other += count * int(second * UNIT)
                pair.one_squares += count * int(first * first * UNIT)
                pair.other_squares += count * int(second * second * UNIT)
                pair.together -= count * int(first * second * UNIT)
                pair.apart -= count * int(product * UNIT)

    def factor(self) -> BlockFactor | None:
        """Return the factor; None if there are too few blocks.

        A match of n seats gives n - 1 independent numbers, and the fit has used up one for each bot but one.
        What pairs of bots do in every match holds those already, where it could be estimated.
        """
        numbers, bots = self.seats - 1, len(self.bots)
        if self.blocks * numbers < 3 * bots:
            return None
        leans: list[float] = []
        of_matches: list[float] = []
        single = 0
        for pair in self.pairs.values():
            one, other = pair.lean()
            leans.append((one + other) * pair.match_squares)
            of_matches.append((one + other) * pair.matches)
            if pair.blocks == 1:
                single += 1
        # The sum of a bot's gradients is 0, so the products of two blocks are below 0 on average, and to take
        # them off adds what the fit has used up: at two seats just that, at larger tables more.
        share = 2.0 * single / (self.seats * numbers * self.blocks)
        used = share * (bots - 1) - (1.0 - share) * bots * (self.seats - 2) * numbers / self.seats
        block_numbers, match_numbers = self.blocks * numbers - used, self.matches * numbers - used
        per_block = (self.together / UNIT - fsum(leans)) / block_numbers * self.blocks
        per_match = (self.apart / UNIT - fsum(of_matches)) / match_numbers * self.matches
        return BlockFactor(self.seats, self.blocks, per_block / per_match if per_match > 0.0 else 1.0)


class BlockSums:
    """What blocks say by table size, and by pair of bots."""

    def __init__(
        self,
        blocks: Mapping[tuple[FinishOrder, ...], int],
        gradient: Callable[[FinishOrder], Sequence[float]],
    ) -> None:
        """Add up *blocks*.

        *gradient* returns what an outcome says of each of its bots: the gradient of its log-likelihood at the
        fitted skills.
        """
        self._sizes: dict[int, _Sums] = {}
        for pattern, count in blocks.items():
            seats = len(pattern[0].bots)
            if seats not in self._sizes:
                self._sizes[seats] = _Sums(seats)
            self._sizes[seats].add(pattern, count, gradient)

    def factors(self) -> tuple[BlockFactor, ...]:
        """Return a factor for each table size that has blocks enough, smallest first."""
        factors = [sums.factor() for _, sums in sorted(self._sizes.items())]
        return tuple([factor for factor in factors if factor is not None])

    def by_bot(self) -> dict[Bot, int]:
        """Return the number of blocks of each bot."""
        found: dict[Bot, int] = {}
        for sums in self._sizes.values():
            for bot, blocks in sums.bots.items():
                found[bot] = found.get(bot, 0) + blocks
        return found

    def by_pair(self) -> dict[tuple[Bot, Bot], tuple[int, float, float]]:
        """Return for each two bots, over all table sizes: blocks, and what blocks and matches say of the two.

        The last two are variances of the difference, of blocks and of as many independent matches.
        """
        found: dict[tuple[Bot, Bot], tuple[int, float, float]] = {}
        for _, sums in sorted(self._sizes.items()):
            for bots, pair in sums.pairs.items():
                one, other = pair.lean()
                both = 0.5 * (one + other)
                blocks, together, apart = found.get(bots, (0, 0.0, 0.0))
                found[bots] = (
                    blocks + pair.blocks,
                    together + (pair.together / UNIT - both * pair.match_squares),
                    apart + (pair.apart / UNIT - both * pair.matches),
                )
        return found


def _square(value: int) -> int:
    """Return the square of a number of UNIT, in UNIT."""
    return value * value // int(UNIT)


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
