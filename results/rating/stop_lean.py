"""The difference of two bots, as it is without the lean of a duel that ended because it looked large.

A duel ends at a look at which the mean score is far enough from a bound, so its mean leans away from the
bound: where 10 % is true, 13 % is found on average.  This estimate is the true mean under which such a duel
ends with the mean that was found, on average over all duels.  Source: Whitehead, "On the bias of maximum
likelihood estimation following a sequential test", Biometrika 73 (1986).

That average is computed, not drawn.  Scores are taken to have the distribution of those that were counted,
tilted exponentially to other means; sums of scores between two looks are taken to be normal.  Looks are taken
a seventh of the blocks apart, with bounds that are moved inwards, because a sum may be beyond a bound between
two of them (Siegmund, "Sequential Analysis", 1985: 0.5826 standard deviations of a step).

A duel so lopsided that its first look decides it has a fixed length: its mean leans nowhere, and is kept.
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from results.rating.betting import LOOK_BLOCKS, STAKES, Lot, mix
from results.rating.duel_question import DuelQuestion
from results.rating.duel_tally import Tally

GROWTH = 1.15
"""The blocks at a look, divided by those at the look before, once they are many."""
CELLS = 64
"""The number of cells that sums of scores fall into at a look."""
WIDE = 4.5
"""Standard deviations beyond which nothing happens."""
OVERSHOOT = 0.5826
"""By how much a sum is beyond a bound when it is looked at, in standard deviations of a step."""
TILTS = 61
"""The number of distributions for which growths are computed; between them they are interpolated."""
STEEPEST = 6.0
"""The largest tilt, in standard deviations of a score."""
NEAR = 4.0
"""How far from the mean the estimate may lie, in standard errors of it."""
SURELY = 0.95
"""Where at least this share of duels end at the first look, their mean leans nowhere."""
SMALLEST = 1e-9
"""Chances below this are left out."""
BISECTIONS = 30


def estimate_mean(tally: Tally, question: DuelQuestion, alpha: float, total: int) -> float | None:
    """Return the mean score without the lean of the stop.

    *total* is the most blocks that the duel could have.  None if there are no blocks; the mean itself if all
    blocks had the same score, or if a duel of that mean surely ends at its first look.
    """
    mean, variance = tally.mean, tally.variance
    if mean is None or not variance:
        return mean
    scores = _Scores(tally)
    base = scores.tilt_to(mean)
    stops = [*_follow(base, _Bounds(scores, question, math.log(2 / alpha)), total)]
    if math.fsum(stop.chance for stop in stops if stop.blocks <= LOOK_BLOCKS) >= SURELY:
        return mean
    # Duels of the mean that was found are followed, others by their weights.  Far from it the weights of few
    # stops are all that counts, so the search stays near.
    reach = NEAR * scores.steepness / math.sqrt(tally.blocks)
    low, high = base.tilt - reach, base.tilt + reach
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        if _mean_at_stop(stops, base, scores.tilt(middle)) < mean:
            low = middle
        else:
            high = middle
    return scores.tilt((low + high) / 2).mean


class _Tilted(NamedTuple):
    """The distribution of scores, tilted."""

    tilt: float
    log_norm: float
    mean: float
    variance: float
    chances: Sequence[float]


class _Scores:
    """The scores that were counted, and one more block each of the best and the worst.

    With these two no tilt is without variance, and equal scores have no distribution of one point.
    """

    def __init__(self, tally: Tally) -> None:
        lots = [lot for lot in tally.lots() if lot.rows]
        lots.append(lots[0]._replace(rows=((-1.0, 1), (1.0, 1))))
        self.rows = [(score, lot) for lot in lots for score, _ in lot.rows]
        self._counts = [count for lot in lots for _, count in lot.rows]
        self.steepness = 1 / math.sqrt(self.tilt(0.0).variance)

    def tilt(self, by: float) -> _Tilted:
        """Return the distribution tilted *by* so much for each score."""
        raw = [
            count * math.exp(by * score) for (score, _), count in zip(self.rows, self._counts, strict=True)
        ]
        norm = math.fsum(raw)
        chances = [each / norm for each in raw]
        scores = [score for score, _ in self.rows]
        mean = _weigh(chances, scores)
        variance = _weigh(chances, [(score - mean) ** 2 for score in scores])
        return _Tilted(by, math.log(norm), mean, variance, chances)

    def tilt_to(self, mean: float) -> _Tilted:
        """Return the distribution that has this *mean*."""
        low, high = -STEEPEST * self.steepness, STEEPEST * self.steepness
        for _ in range(BISECTIONS):
            middle = (low + high) / 2
            low, high = (middle, high) if self.tilt(middle).mean < mean else (low, middle)
        return self.tilt(low)


class _Bound:
    """The mean score, at each number of blocks, at which the bet on "above" refutes a certain mean."""

    def __init__(
        self, rows: Sequence[tuple[float, Lot]], tilts: Sequence[_Tilted], refuted: float, goal: float
    ) -> None:
        """Start with the scores of *rows*, and *tilts* of their distribution by their means, lowest first."""
        bets = [[lot.bets(stake, refuted) for _, lot in rows] for stake in STAKES]
        if any(lot.above for _, lot in rows):
            bets.append([lot.above / (lot.bound + refuted) for _, lot in rows])
        gains = [score - refuted for score, _ in rows]
        logs = [[math.log1p(bet * gain) for bet, gain in zip(each, gains, strict=True)] for each in bets]
        self._means = [each.mean for each in tilts]
        self._growths = [[_weigh(each.chances, of_one) for of_one in logs] for each in tilts]
        self._goal = goal

    def at(self, blocks: int) -> float:
        """Return the mean above which it is refuted after this number of *blocks*; infinity if none is."""
        low, high = 0, len(self._means) - 1
        if self._lacks(high, blocks) > 0:
            return math.inf
        if self._lacks(low, blocks) <= 0:
            return self._means[low]
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._lacks(middle, blocks) > 0 else (low, middle)
        below, above = self._lacks(low, blocks), self._lacks(high, blocks)
        return self._means[low] + (self._means[high] - self._means[low]) * below / (below - above)

    def _lacks(self, index: int, blocks: int) -> float:
        """Return what the log wealth lacks of its goal if the mean is that of this *index*."""
        return self._goal - mix([blocks * growth for growth in self._growths[index]])


class _Bounds:
    """Where a duel ends: at means that are high or low enough, and at those that are near enough to 0."""

    def __init__(self, scores: _Scores, question: DuelQuestion, goal: float) -> None:
        steps = [2 * i / (TILTS - 1) - 1 for i in range(TILTS)]
        tilts = [scores.tilt(STEEPEST * scores.steepness * step) for step in steps]
        # "below" is "above" with all scores turned round, so one class serves both bounds
        mirrored = [each._replace(mean=-each.mean) for each in reversed(tilts)]
        rows, other = scores.rows, [(-score, lot.mirror()) for score, lot in scores.rows]
        self._high = _Bound(rows, tilts, question.passes_above, goal)
        self._low = _Bound(other, mirrored, -question.fails_below, goal)
        self._near = None
        if apart := question.apart:
            self._near = (_Bound(rows, tilts, -apart, goal), _Bound(other, mirrored, -apart, goal))

    def ends(self, blocks: int, inwards: float) -> list[tuple[float, float]]:
        """Return the ranges of sums that end a duel after this number of *blocks*.

        Each begins *inwards* nearer to where duels go on.
        """
        ranges = [
            (blocks * self._high.at(blocks) - inwards, math.inf),
            (-math.inf, inwards - blocks * self._low.at(blocks)),
        ]
        if self._near:
            low, high = self._near
            ranges.append((blocks * low.at(blocks) - inwards, inwards - blocks * high.at(blocks)))
        return ranges


class _Stop(NamedTuple):
    """Duels that end alike."""

    blocks: int
    total: float
    """The sum of their scores."""
    chance: float


def _follow(base: _Tilted, bounds: _Bounds, most: int) -> Iterator[_Stop]:
    """Yield how duels end whose scores have the distribution *base*, with at most that many blocks."""
    cells = [(0.0, 1.0)]
    # sums so far with their chances: at first 0 for certain
    before, deviation = 0, math.sqrt(base.variance)
    for blocks in _looks(most):
        step = blocks - before
        cells, width = _move(cells, step * base.mean, math.sqrt(step) * deviation)
        inwards = OVERSHOOT * deviation * (math.sqrt(step) - math.sqrt(LOOK_BLOCKS))
        ends = bounds.ends(blocks, max(0.0, inwards)) if blocks < most else [(-math.inf, math.inf)]
        left = []
        # a cell is uniform over its width: the part of it beyond a bound has ended here
        for middle, chance in cells:
            stays = chance
            for low, high in ends:
                first, last = max(middle - width / 2, low), min(middle + width / 2, high)
                if last > first:
                    part = chance * (last - first) / width
                    stays -= part
                    yield _Stop(blocks, (first + last) / 2, part)
            if stays > SMALLEST:
                left.append((middle, stays))
        if not left:
            return
        cells, before = left, blocks


def _looks(most: int) -> Iterator[int]:
    """Yield the numbers of blocks at which duels are looked at here; the last is *most*."""
    blocks = 0
    while blocks < most:
        blocks = min(most, max(blocks + LOOK_BLOCKS, int(blocks * GROWTH) // LOOK_BLOCKS * LOOK_BLOCKS))
        yield blocks


def _move(
    cells: Sequence[tuple[float, float]], drift: float, deviation: float
) -> tuple[list[tuple[float, float]], float]:
    """Return *cells*, sums with their chances, after a normal step, and the width of the new cells."""
    reach = WIDE * deviation
    low, high = cells[0][0] + drift - reach, cells[-1][0] + drift + reach
    width = (high - low) / CELLS
    scale = width / (deviation * math.sqrt(2 * math.pi))
    chances = [0.0] * CELLS
    for total, chance in cells:
        centre = total + drift
        first = max(0, int((centre - reach - low) / width))
        last = min(CELLS, int((centre + reach - low) / width) + 1)
        for i in range(first, last):
            z = (low + (i + 0.5) * width - centre) / deviation
            chances[i] += chance * scale * math.exp(-0.5 * z * z)
    return [(low + (i + 0.5) * width, chance) for i, chance in enumerate(chances)], width


def _mean_at_stop(stops: Sequence[_Stop], base: _Tilted, other: _Tilted) -> float:
    """Return the mean at which duels end on average if scores have the distribution *other*, not *base*."""
    tilt, norm = other.tilt - base.tilt, other.log_norm - base.log_norm
    logs = [tilt * stop.total - stop.blocks * norm for stop in stops]
    # of large logs only the differences are kept, or exp would overflow
    most = max(logs)
    weights = [stop.chance * math.exp(log - most) for stop, log in zip(stops, logs, strict=True)]
    means = [stop.total / stop.blocks for stop in stops]
    return _weigh(weights, means) / math.fsum(weights)


def _weigh(weights: Sequence[float], values: Sequence[float]) -> float:
    return math.fsum([weight * value for weight, value in zip(weights, values, strict=True)])
