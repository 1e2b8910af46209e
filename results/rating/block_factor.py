"""How much the matches of a block say together, beside as many independent matches.

The gradient of a match says what it adds to the fit.  If matches are independent, the square of a block's sum
is that of its matches, added up; a deal that favours a bot in every seat makes it larger.  Before they are
compared, what the bots of a table do beyond their ratings in every match is taken off: where one of two beats
the other more often than one number for each can say, all gradients of the two lean the same way, and that is
no deal.  Its square is estimated from products of different blocks, which share nothing else.

Intervals need it at tables of more than two: there, chance has decided who met whom how often.

All sums are whole numbers, in units of 2^-48, so they are exact and do not depend on the order of blocks.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import fsum
from typing import NamedTuple

from results.rating.outcomes import Bot, FinishOrder

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
    loose: float
    """The same, where what tables do beyond the ratings is a part of both, except at two seats."""

    @property
    def factor(self) -> float:
        """The factor of the variance by blocks: 0.8 means that they save a fifth of the matches."""
        return self._draw_towards_one(self.raw)

    @property
    def loose_factor(self) -> float:
        """The factor of the variances of ratings."""
        return self._draw_towards_one(self.loose)

    def _draw_towards_one(self, raw: float) -> float:
        return min(MOST, max(LEAST, (self.blocks * raw + PRIOR_BLOCKS) / (self.blocks + PRIOR_BLOCKS)))


class PairSums(NamedTuple):
    """What the blocks of two bots say."""

    blocks: int
    matches: int
    together: float
    """Minus the product of what a block says of the one and of the other, added up over the blocks."""


class _Table:
    """The sums over the blocks of the same bots."""

    def __init__(self, seats: int) -> None:
        self.blocks = 0
        self.matches = 0
        self.match_squares = 0
        """The sum over blocks of the square of the number of matches."""
        self.sums = [0] * seats
        """The sums of what blocks say of each bot..."""
        self.squares = 0
        """...and of the squares, of all bots."""

    def lean(self) -> float:
        """Return the mean square of what every match says beyond the ratings, added up over the bots."""
        # products of different blocks: all products less those within a block
        products = self.matches * self.matches - self.match_squares
        total = -self.squares
        for each in self.sums:
            total += each * each // int(UNIT)
        return total / (UNIT * products) if products else 0.0


class _Pair:
    """The sums over the blocks of one table size in which two bots played."""

    def __init__(self) -> None:
        self.blocks = self.matches = 0
        self.together = 0
        """For each block, minus the product of what its matches say of the two bots together."""


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
        self.tables: dict[tuple[Bot, ...], _Table] = {}
        self.pairs: dict[tuple[Bot, Bot], _Pair] = {}

    def add(
        self, pattern: Sequence[FinishOrder], count: int, gradient: Callable[[FinishOrder], Sequence[float]]
    ) -> None:
        matches = len(pattern)
        self.blocks += count
        self.matches += count * matches
        totals: dict[Bot, float] = {}
        # floats are summed within one pattern only, always in its order; sums over patterns are whole numbers
        square = 0.0
        for outcome in pattern:
            for bot, slope in zip(outcome.bots, gradient(outcome), strict=True):
                totals[bot] = totals.get(bot, 0.0) + slope
                square += slope * slope
        self.apart += count * int(square * UNIT)
        square = 0.0
        for total in totals.values():
            square += total * total
        self.together += count * int(square * UNIT)
        bots = tuple(sorted(totals))
        table = self.tables.get(bots)
        if table is None:
            table = self.tables[bots] = _Table(len(bots))
        table.blocks += count
        table.matches += count * matches
        table.match_squares += count * matches * matches
        table.squares += count * int(square * UNIT)
        for place, bot in enumerate(bots):
            table.sums[place] += count * int(totals[bot] * UNIT)
            self.bots[bot] = self.bots.get(bot, 0) + count
        for i, one in enumerate(bots):
            first = totals[one]
            for other in bots[i + 1 :]:
                pair = self.pairs.get((one, other))
                if pair is None:
                    pair = self.pairs[one, other] = _Pair()
                pair.blocks += count
                pair.matches += count * matches
                # with the sign of two bots that share a table: what one gains there, the other loses
                pair.together -= count * int(first * totals[other] * UNIT)

    def factor(self) -> BlockFactor | None:
        """Return the factor; None if there are too few blocks.

        A match of n seats gives n - 1 independent numbers, and the fit has used up one for each bot but one.
        The products of different blocks hold those already: the sum of a bot's gradients is 0.
        """
        numbers, used = self.seats - 1, len(self.bots) - 1
        if self.blocks * numbers < 3 * len(self.bots):
            return None
        leans = [(table, table.lean()) for table in self.tables.values()]
        # tables that met once have no products of different blocks, so their leans take off nothing of what
        # the fit has used up
        once = sum([table.blocks for table in self.tables.values() if table.blocks == 1])
        tight = self._ratio(
            fsum([lean * table.match_squares for table, lean in leans]),
            fsum([lean * table.matches for table, lean in leans]),
            used * once / self.blocks,
        )
        return BlockFactor(
            self.seats, self.blocks, tight, tight if self.seats == 2 else self._ratio(0.0, 0.0, float(used))
        )

    def _ratio(self, of_blocks: float, of_matches: float, used: float) -> float:
        """Return the variance of blocks over that of matches, each less what is no chance."""
        numbers = self.seats - 1
        per_block = (self.together / UNIT - of_blocks) / (self.blocks * numbers - used) * self.blocks
        per_match = (self.apart / UNIT - of_matches) / (self.matches * numbers - used) * self.matches
        return per_block / per_match if per_match > 0.0 else 1.0


class BlockSums:
    """What blocks say by table size, and by pair of bots."""

    def __init__(
        self,
        blocks: Mapping[tuple[FinishOrder, ...], int],
        gradient: Callable[[FinishOrder], Sequence[float]],
    ) -> None:
        """Add up *blocks*.

        *gradient* returns for each bot of an outcome the gradient of its log-likelihood at the fitted skills.
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
        found = Counter[Bot]()
        for sums in self._sizes.values():
            found.update(sums.bots)
        return found

    def by_table(self) -> dict[tuple[Bot, ...], int]:
        """Return the number of blocks of each set of bots."""
        tables = [item for sums in self._sizes.values() for item in sums.tables.items()]
        return {bots: table.blocks for bots, table in tables}

    def by_pair(self) -> dict[tuple[Bot, Bot], PairSums]:
        """Return what blocks say of each two bots, over all table sizes."""
        found: dict[tuple[Bot, Bot], PairSums] = {}
        for seats, sums in sorted(self._sizes.items()):
            for bots, pair in sums.pairs.items():
                lean, table = 0.0, sums.tables.get(bots)
                if seats == 2 and table:
                    # the lean is a sum over both bots of a table, the product of the two is half of it
                    lean = 0.5 * table.lean() * table.match_squares
                blocks, matches, together = found.get(bots, (0, 0, 0.0))
                found[bots] = PairSums(
                    blocks + pair.blocks, matches + pair.matches, together + (pair.together / UNIT - lean)
                )
        return found


def pool_factors(factors: Iterable[BlockFactor]) -> tuple[BlockFactor, ...]:
    """Return *factors* of several sets of blocks as one for each table size, smallest first."""
    by_size: dict[int, list[BlockFactor]] = {}
    for factor in factors:
        by_size.setdefault(factor.seats, []).append(factor)
    return tuple(_pool(same) for _, same in sorted(by_size.items()))


def _pool(same: Sequence[BlockFactor]) -> BlockFactor:
    blocks = sum(each.blocks for each in same)
    raw = fsum(each.blocks * each.raw for each in same) / blocks
    return BlockFactor(same[0].seats, blocks, raw, fsum(each.blocks * each.loose for each in same) / blocks)


def mean_factor(factors: Sequence[BlockFactor]) -> float:
    """Return the one factor of a game: the mean over its table sizes, by their blocks; 1.0 without any."""
    blocks = sum(each.blocks for each in factors)
    return fsum(each.blocks * each.loose_factor for each in factors) / blocks if blocks else 1.0
