"""Decide by bets on whole blocks whether one bot is better than another, valid at every look.

The score of a block is the mean over its matches of +1 (the first bot is before the second), 0 (tie) or -1.
A gambler bets on the mean of all scores, of which it is only assumed that blocks are independent and scores
lie in [-1, 1].  If the true mean is not above m, the wealth of a gambler who bets on "above m" is a fair or a
losing game, so the probability that it *ever* reaches 1 / alpha is at most alpha (Ville's inequality).  That
is why a duel may be looked at again and again.  Method: Waudby-Smith and Ramdas, "Estimating means of bounded
random variables by betting" (2024); the gambler here splits the wealth over nine fixed stakes.

All that is kept of the blocks is how many had each result, so the order of blocks cannot matter.

Where the luck of matches is known, scores count less their luck.  It has the expectation 0 and is bounded, so
the mean of all scores is the same, and scores lie in a wider range, with which the gambler bets.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from results.record import LUCK_UNITS

__all__ = [
    "LOOK_BLOCKS",
    "BlockResult",
    "Interval",
    "Tally",
    "Verdict",
    "find_interval",
    "judge",
    "judge_together",
    "log_wealth",
]

LOOK_BLOCKS = 16
"""A duel is looked at when the number of its blocks is a multiple of this, never between.

So where it ends does not depend on how many blocks are played at once.
"""

STAKES = tuple(0.02 * 1.6**k for k in range(9))
"""The shares of the wealth that are bet: 2 to 86 % of the largest bet that cannot lose everything."""

BISECTIONS = 40
"""Steps to find an end of the interval: 2 / 2**40 is the largest error."""

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


class Interval(NamedTuple):
    """The bounds of a mean score.  An end that is not known is -1 or 1."""

    low: float
    high: float


class Verdict(StrEnum):
    """What is known of the first bot of a duel."""

    BETTER = "better"
    WORSE = "worse"
    NOT_BETTER = "not better"
    """Better by no more than the margin, if at all."""
    UNDECIDED = "undecided"


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


def log_wealth(tally: Tally, mean: float, *, above: bool = True) -> float:
    """Return the logarithm of what a gambler has who began with 1 and bet that the true mean is above *mean*.

    With *above* false, the bet is that it is below.  *mean* lies between -1 and 1, both excluded.  If the bet
    is wrong, the probability that this ever reaches log(1 / alpha) is at most alpha.
    """
    scores = tally.by_score()
    if above:
        return _log_wealth(scores, tally.bound, mean)
    return _log_wealth(_mirror(scores), tally.bound, -mean)


def find_interval(tally: Tally, alpha: float) -> Interval:
    """Return the means that no bet has refuted: with probability 1 - *alpha* the true one is always inside.

    Both ends are rounded outwards.
    """
    scores, bound = tally.by_score(), tally.bound
    return Interval(_find_low(scores, bound, alpha), -_find_low(_mirror(scores), bound, alpha))


def judge(interval: Interval, margin: float | None = None) -> Verdict:
    """Return the verdict of a duel with *interval*; at most *margin* better is as good as not better."""
    if interval.low > 0:
        return Verdict.BETTER
    if interval.high < 0:
        return Verdict.WORSE
    if margin is not None and interval.high < margin:
        return Verdict.NOT_BETTER
    return Verdict.UNDECIDED


def judge_together(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the verdict over several games or table sizes, each judged with its share of alpha.

    Worse if the bot is worse in one of them; better if it is better in one and worse in none.
    """
    found = {*verdicts}
    for verdict in (Verdict.WORSE, Verdict.BETTER, Verdict.UNDECIDED):
        if verdict in found:
            return verdict
    return Verdict.NOT_BETTER if found else Verdict.UNDECIDED


def _mirror(scores: Sequence[tuple[float, int]]) -> list[tuple[float, int]]:
    """Return *scores* as the second bot sees them."""
    return [(-score, count) for score, count in reversed(scores)]


def _variance(scores: Sequence[tuple[float, int]]) -> float | None:
    blocks = sum(count for _, count in scores)
    if blocks < 2:
        return None
    mean = math.fsum([count * score for score, count in scores]) / blocks
    return math.fsum([count * (score - mean) ** 2 for score, count in scores]) / (blocks - 1)


def _log_wealth(scores: Sequence[tuple[float, int]], bound: float, mean: float) -> float:
    """Return the log wealth of the bet that the true mean is above *mean*: the mean over all stakes.

    No score is below minus *bound*, so no gain is below -1.
    """
    # A stake of 1 would be the largest bet that cannot cost more than the wealth: at the lowest score,
    # -bound, the gain is -1.  STAKES end at 0.86, so log1p is never of -1.
    gains = [((score - mean) / (bound + mean), count) for score, count in scores]
    logs = [math.fsum([count * math.log1p(stake * gain) for gain, count in gains]) for stake in STAKES]
    # The mixture of nine gamblers with a ninth of the wealth each.  None of them has to know the effect: the
    # one whose stake fits it grows fastest, and the others cost log 9 at most.
    most = max(logs)
    return most + math.log(math.fsum([math.exp(log - most) for log in logs]) / len(STAKES))


def _find_low(scores: Sequence[tuple[float, int]], bound: float, alpha: float) -> float:
    """Return the largest mean that was refuted from below, by bisection; -1 if no mean was.

    The wealth falls as the mean rises, because each of its factors does.
    """
    goal = math.log(2 / alpha)  # half of alpha for each side
    low, high = -1.0, 1.0
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        if _log_wealth(scores, bound, middle) >= goal:
            low = middle
        else:
            high = middle
    return low
