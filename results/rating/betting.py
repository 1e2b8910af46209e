"""Decide by bets on whole blocks whether one bot is better than another, valid at every look.

The score of a block is the mean over its matches of +1 (the first bot is before the second), 0 (tie) or -1.
A gambler bets on the mean of all scores, of which it is only assumed that blocks are independent and scores
lie in [-1, 1].  If the true mean is not above m, the wealth of a gambler who bets on "above m" is a fair or a
losing game, so the probability that it *ever* reaches 1 / alpha is at most alpha (Ville's inequality).  That
is why a duel may be looked at again and again.  Method: Waudby-Smith and Ramdas, "Estimating means of bounded
random variables by betting" (2024); the gambler here splits the wealth over nine fixed stakes.

All that is kept of the blocks is how many had each result, so the order of blocks cannot matter.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

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

    def __init__(self, seats: int, counts: Mapping[BlockResult, int] | None = None) -> None:
        """Start with *counts*, for blocks of as many matches as there are *seats*."""
        self.seats = seats
        self.counts = dict(counts or {})

    def add(self, ranks: Iterable[tuple[int, int]]) -> None:
        """Count a block, given the ranks of the first and the second bot in each match; 1 is the best.

        Raises ValueError unless the block has one match a seat.
        """
        ranks = [*ranks]
        if len(ranks) != self.seats:
            raise ValueError(f"expected a block of {self.seats} matches, got: {len(ranks)}")
        wins = len([1 for first, second in ranks if first < second])
        losses = len([1 for first, second in ranks if first > second])
        result = BlockResult(wins, len(ranks) - wins - losses, losses)
        self.counts[result] = self.counts.get(result, 0) + 1

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
        return self.matches.score if self.blocks else None

    @property
    def variance(self) -> float | None:
        """The variance of the scores of blocks; None for fewer than two blocks."""
        blocks, mean = self.blocks, self.mean
        if blocks < 2 or mean is None:
            return None
        squares = [count * (result.score - mean) ** 2 for result, count in self.counts.items()]
        return math.fsum(squares) / (blocks - 1)

    @property
    def worth(self) -> float | None:
        """How many independent matches tell as much as one match of a block.

        1: sharing a deal changes nothing; above 1: it saves matches.  None if it is unknown: for fewer than
        two blocks, or if all blocks had the same score.
        """
        mean, variance = self.mean, self.variance
        if mean is None or not variance:
            return None
        matches = self.matches
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
    return _log_wealth(scores, mean) if above else _log_wealth(_mirror(scores), -mean)


def find_interval(tally: Tally, alpha: float) -> Interval:
    """Return the means that no bet has refuted: with probability 1 - *alpha* the true one is always inside.

    Both ends are rounded outwards.
    """
    scores = tally.by_score()
    return Interval(_find_low(scores, alpha), -_find_low(_mirror(scores), alpha))


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


def _log_wealth(scores: Sequence[tuple[float, int]], mean: float) -> float:
    """Return the log wealth of the bet that the true mean is above *mean*: the mean over all stakes."""
    gains = [((score - mean) / (1 + mean), count) for score, count in scores]
    logs = [math.fsum([count * math.log1p(stake * gain) for gain, count in gains]) for stake in STAKES]
    most = max(logs)
    return most + math.log(math.fsum([math.exp(log - most) for log in logs]) / len(STAKES))


def _find_low(scores: Sequence[tuple[float, int]], alpha: float) -> float:
    """Return the largest mean that was refuted from below, by bisection; -1 if no mean was.

    The wealth falls as the mean rises, because each of its factors does.
    """
    goal = math.log(2 / alpha)  # half of alpha for each side
    low, high = -1.0, 1.0
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        if _log_wealth(scores, middle) >= goal:
            low = middle
        else:
            high = middle
    return low
