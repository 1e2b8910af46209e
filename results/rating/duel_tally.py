"""How many blocks of a duel had each result: all that is kept of them.

The counts are whole numbers, so the order in which blocks are counted cannot matter.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from results.rating.betting import Lot
from results.record import LUCK_UNITS

__all__ = ["BlockResult", "Tally"]

MIXTURE_COST = 1.3
"""The gambler needs about 1.3 times the blocks of one who knows the true mean beforehand."""


# The unit is the block because its matches share a deal: they are not independent, but blocks are.
class BlockResult(NamedTuple):
    """The matches of one block in which the first bot was before, level with and behind the second."""

    wins: int
    draws: int
    losses: int

    @property
    def score(self) -> float:
        """The mean score, from -1 to 1."""
        return (self.wins - self.losses) / sum(self)


class Tally:
    """How many blocks of a duel, in one game at tables of one size, had each result.

    Its size depends on the number of seats, not on the number of blocks.
    """

    def __init__(
        self, seats: int, counts: Mapping[BlockResult, int] | None = None, most_luck: int | None = None
    ) -> None:
        """Start with *counts*, for blocks of as many matches as there are *seats*.

        With *most_luck*, scores are to count less their luck, of which a match has at most that, either way,
        in units of 1 / LUCK_UNITS.  Then there are no *counts* to start with.
        """
        self.seats = seats
        self.counts = dict(counts or {})
        self.most_luck = most_luck
        self.adjusted: dict[int, int] = {}
        """How many blocks had each sum of scores less luck, in units of 1 / LUCK_UNITS."""

    def add(self, ranks: Iterable[tuple[int, int]], luck: int = 0) -> None:
        """Count a block, given the ranks of the first and the second bot in each match; 1 is the best.

        *luck* is that of the first bot in all its matches.  Raises ValueError unless the block has one match
        a seat and its luck is within the bounds.
        """
        ranks = [*ranks]
        if len(ranks) != self.seats:
            raise ValueError(f"expected a block of {self.seats} matches, got: {len(ranks)}")
        wins = len([1 for first, second in ranks if first < second])
        losses = len([1 for first, second in ranks if first > second])
        result = BlockResult(wins, len(ranks) - wins - losses, losses)
        if abs(luck) > self.seats * (self.most_luck or 0):
            raise ValueError(f"expected a luck of at most {self.most_luck} a match, got {luck} in a block")
        self.counts[result] = self.counts.get(result, 0) + 1
        # Whole numbers: sums of them are the same in any order, sums of floats are not.
        score = LUCK_UNITS * (result.wins - result.losses) - luck
        self.adjusted[score] = self.adjusted.get(score, 0) + 1

    @property
    def bound(self) -> float:
        """The largest score that a block can have; the smallest is its negative."""
        return 1 + (self.most_luck or 0) / LUCK_UNITS

    @property
    def blocks(self) -> int:
        """The number of blocks."""
        return sum(self.counts.values())

    @property
    def matches(self) -> BlockResult:
        """The wins, draws and losses of the first bot in all matches."""
        wins, draws, losses = (sum(r[i] * count for r, count in self.counts.items()) for i in range(3))
        return BlockResult(wins, draws, losses)

    @property
    def mean(self) -> float | None:
        """The mean score of the blocks; None if there are none."""
        if self.most_luck is None:
            return self.matches.score if self.blocks else None
        total = sum(score * count for score, count in self.adjusted.items())
        return total / (LUCK_UNITS * self.seats * self.blocks) if self.blocks else None

    @property
    def variance(self) -> float | None:
        """The variance of the scores of blocks; None for fewer than two blocks."""
        return _variance(self.by_score())

    @property
    def plain_variance(self) -> float | None:
        """The variance that the scores of blocks have with their luck; None for fewer than two blocks."""
        return _variance(self._plain_scores())

    @property
    def luck_saved(self) -> float | None:
        """The part of the variance that was luck, and so of the blocks that a verdict takes.

        Below 0: the adjustment did harm.  None if scores count with their luck, or if it is unknown.
        """
        plain, left = self.plain_variance, self.variance
        return None if self.most_luck is None or left is None or not plain else 1 - left / plain

    @property
    def worth(self) -> float | None:
        """How many independent matches tell as much as one match of a block, each with its luck.

        1: sharing a deal changes nothing; above 1: it saves matches.  None if it is unknown: for fewer than
        two blocks, or if all blocks had the same score.
        """
        variance = self.plain_variance
        if not variance:
            return None
        matches, mean = self.matches, self.matches.score
        total = sum(matches)
        of_one = ((matches.wins + matches.losses) / total - mean**2) * total / (total - 1)
        return of_one / (self.seats * variance)

    def blocks_to_tell(self, effect: float, alpha: float) -> int | None:
        """Return about how many blocks show that a mean score of *effect* is not 0; None if unknown."""
        variance = self.variance
        if not variance:
            return None
        return math.ceil(2 * math.log(2 / alpha) * variance / effect**2 * MIXTURE_COST)

    def by_score(self) -> list[tuple[float, int]]:
        """Return each score that occurred and the number of blocks with it, lowest first."""
        if self.most_luck is None:
            return self._plain_scores()
        unit = LUCK_UNITS * self.seats
        return [(score / unit, count) for score, count in sorted(self.adjusted.items())]

    def _plain_scores(self) -> list[tuple[float, int]]:
        counts: dict[int, int] = {}
        for result, count in self.counts.items():
            difference = result.wins - result.losses
            counts[difference] = counts.get(difference, 0) + count
        return [(difference / self.seats, count) for difference, count in sorted(counts.items())]

    def lots(self) -> list[Lot]:
        """Return the blocks by what is bet on them."""
        return [Lot(self.bound, self.by_score())]


def _variance(scores: Sequence[tuple[float, int]]) -> float | None:
    blocks = sum(count for _, count in scores)
    if blocks < 2:
        return None
    mean = math.fsum([count * score for score, count in scores]) / blocks
    return math.fsum([count * (score - mean) ** 2 for score, count in scores]) / (blocks - 1)
