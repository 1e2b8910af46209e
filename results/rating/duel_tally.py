"""How many blocks of a duel had each result: all that is kept, whole numbers that add up in any order."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from results.rating.betting import Lot
from results.record import LUCK_UNITS

MIXTURE_COST = 1.3
"""The gambler needs about 1.3 times the blocks of one who knows the true mean beforehand."""

SHARES = 4
"""The share of the luck that is taken from scores is a multiple of 1 / SHARES, so that sums are whole."""
MOST_SHARE = 5
"""The largest such share is MOST_SHARE / SHARES."""
LEARNS_FROM = 32
"""A share is chosen after this many blocks, which count with their luck.  A lopsided duel has no more."""

LEAST_STAKE, MOST_STAKE = 0.002, 0.86
"""The stakes of a gambler who expects a mean, as shares of the largest bet."""
STAKE_STEP = 1.1
"""A stake is larger than the one before by this factor."""
FIRST_BLOCKS = 8
FIRST_VARIANCE = 0.6
"""The variance of scores is estimated as if FIRST_BLOCKS with this variance had come before the first block.
Recorded blocks of the house bots (tests/truth) have 0.2 to 0.85."""


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


class Guess(NamedTuple):
    """A mean score that is expected, and the means that bets on it are to refute."""

    mean: float
    above: float | None = None
    """The bet on "above" is to refute this one; None: there is no such bet."""
    below: float | None = None
    """The same for "below"."""


class LookTerms(NamedTuple):
    """How the blocks between two looks count: it follows from blocks before the first of the two."""

    share: int = 0
    """The share of the luck that is taken from a score, in units of 1 / SHARES."""
    above: float = 0.0
    """The stake on "above" of the gambler who expects a certain mean; 0 if there is none."""
    below: float = 0.0
    """The same for "below"."""


class Tally:
    """How many blocks, in one game at tables of one size, had each result: it does not grow with them."""

    def __init__(
        self,
        seats: int,
        counts: Mapping[BlockResult, int] | None = None,
        most_luck: int | None = None,
        *,
        learns: bool = False,
        guess: Guess | None = None,
    ) -> None:
        """Start with *counts*, for blocks of as many matches as there are *seats*.

        With *most_luck*, scores are to count less their luck, of which a match has at most that, either way,
        in units of 1 / LUCK_UNITS: less all of it, or a share that the tally *learns*.  With *guess*, a
        gambler expects it.  With either of the two there are no *counts* to start with.
        """
        self.seats = seats
        self.counts = dict(counts or {})
        self.most_luck = most_luck
        self._learns = learns
        self._guess = guess
        self._by_terms: dict[LookTerms, dict[int, int]] = {}
        """How many blocks had each sum of scores less luck, in units of 1 / (SHARES * LUCK_UNITS)."""
        self._sums = [0] * 6
        """Of the blocks: their number, wins less losses, luck, and the squares and the product of these."""
        self.terms = self.next_terms()
        """How the next blocks count."""

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
        lead = wins - losses
        score = SHARES * LUCK_UNITS * lead - self.terms.share * luck
        scores = self._by_terms.setdefault(self.terms, {})
        scores[score] = scores.get(score, 0) + 1
        more = (1, lead, luck, lead * lead, luck * luck, lead * luck)
        self._sums = [one + other for one, other in zip(self._sums, more, strict=True)]

    def next_terms(self) -> LookTerms:
        """Return how blocks count after those so far.

        Call it at looks only, when all blocks before are counted.  What it says of later blocks is known
        before they are played, so bets on them are fair.
        """
        share = self._choose_share()
        if not self._guess:
            return LookTerms(share)
        mean, above, below = self._guess
        blocks = self._sums[0]
        # `_spread` is in whole units, and times the square of the number of blocks; this is times that number
        found = self._spread(share) / (SHARES * LUCK_UNITS * self.seats) ** 2 / max(1, blocks)
        variance = (FIRST_BLOCKS * FIRST_VARIANCE + found) / (FIRST_BLOCKS + blocks)
        bound = self._find_bound(share)
        return LookTerms(
            share,
            0.0 if above is None else _stake(mean - above, bound + above, variance),
            0.0 if below is None else _stake(below - mean, bound - below, variance),
        )

    def _choose_share(self) -> int:
        """Return the share of the luck without which the scores so far vary least; all if none is learnt.

        The smallest of those that are as good: its bound is the nearest.
        """
        if not self._learns or self.most_luck is None:
            return 0 if self.most_luck is None else SHARES
        # a share that follows from a few blocks would follow their chance
        if self._sums[0] < LEARNS_FROM:
            return 0
        return min(range(MOST_SHARE + 1), key=self._spread)

    def _spread(self, share: int) -> int:
        """Return the variance of the scores so far, less a *share* of their luck, in units that are whole."""
        blocks, lead, luck, leads, lucks, both = self._sums
        unit = SHARES * LUCK_UNITS
        squares = unit**2 * leads - 2 * unit * share * both + share**2 * lucks
        # whole numbers: the variance times the square of the number of blocks
        return int(blocks * squares - (unit * lead - share * luck) ** 2)

    def _find_bound(self, share: int) -> float:
        """Return the largest score that a block can have; the smallest is its negative."""
        return 1 + share * (self.most_luck or 0) / (SHARES * LUCK_UNITS)

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
        total = sum(score * count for scores in self._by_terms.values() for score, count in scores.items())
        return total / (SHARES * LUCK_UNITS * self.seats * self.blocks) if self.blocks else None

    @property
    def share(self) -> float | None:
        """The share of the luck that the next blocks count without; None if scores count with their luck."""
        return None if self.most_luck is None else self.next_terms().share / SHARES

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
        # as if each match had a deal of its own: its variance, by the same results
        of_one = ((matches.wins + matches.losses) / total - mean**2) * total / (total - 1)
        return of_one / (self.seats * variance)

    def blocks_to_tell(self, effect: float, alpha: float) -> int | None:
        """Return about how many blocks show that a mean score of *effect* is not 0; None if unknown."""
        variance = self.variance
        if not variance:
            return None
        # what a bet on a known mean needs, with half of the error for each side; MIXTURE_COST is for not
        # knowing it
        return math.ceil(2 * math.log(2 / alpha) * variance / effect**2 * MIXTURE_COST)

    def by_score(self) -> list[tuple[float, int]]:
        """Return each score that occurred and the number of blocks with it, lowest first."""
        if self.most_luck is None:
            return self._plain_scores()
        together = Counter[int]()
        for scores in self._by_terms.values():
            together.update(scores)
        return self._rows(together)

    def lots(self) -> list[Lot]:
        """Return the blocks by what is bet on them."""
        if self.most_luck is None and not self._guess:
            return [Lot(1.0, self._plain_scores())]
        # In order, so that it does not depend on which terms came first.
        return [
            Lot(
                bound := self._find_bound(terms.share),
                self._rows(scores),
                1.0 if self._learns else bound,
                terms.above,
                terms.below,
            )
            for terms, scores in sorted(self._by_terms.items())
        ]

    def _rows(self, scores: Mapping[int, int]) -> list[tuple[float, int]]:
        unit = SHARES * LUCK_UNITS * self.seats
        return [(score / unit, count) for score, count in sorted(scores.items())]

    def _plain_scores(self) -> list[tuple[float, int]]:
        counts = Counter[int]()
        for result, count in self.counts.items():
            counts[result.wins - result.losses] += count
        return [(difference / self.seats, count) for difference, count in sorted(counts.items())]


def _stake(distance: float, largest: float, variance: float) -> float:
    """Return the share of the largest bet that grows fastest if scores are that *distance* from the mean.

    That is by Kelly's rule, at a mean against which *largest* of a score can be lost.  It is one of a few
    dozen stakes, so that few lots have stakes of their own; the nearest costs 0.3 % of the growth at most.
    """
    wanted = max(LEAST_STAKE, min(MOST_STAKE, distance * largest / (variance + distance**2)))
    step = round(math.log(wanted / LEAST_STAKE) / math.log(STAKE_STEP))
    return float(min(MOST_STAKE, LEAST_STAKE * STAKE_STEP**step))


def _variance(scores: Sequence[tuple[float, int]]) -> float | None:
    blocks = sum(count for _, count in scores)
    if blocks < 2:
        return None
    mean = math.fsum([count * score for score, count in scores]) / blocks
    return math.fsum([count * (score - mean) ** 2 for score, count in scores]) / (blocks - 1)
