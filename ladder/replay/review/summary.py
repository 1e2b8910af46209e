"""What the rows of reviews say: error rates, what each kind of decision cost, and what cost most."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain
from math import sqrt
from typing import Final, NamedTuple

from engines.game import Seat
from ladder.replay.review.loss_names import Z
from ladder.replay.review.loss_words import is_surely_lost, unit_of
from results.reviewed import ReviewedStep

MOST_KINDS: Final = 10
"""At most this many kinds are told apart."""
OTHERS: Final = "all others"
UNKNOWN: Final = "not told"
"""The kind of decisions that were reviewed before kinds were kept."""


class Mean(NamedTuple):
    """A mean over matches."""

    value: float | None
    """None where there is nothing."""
    margin: float | None
    """Half of the 95 % interval; None where one block alone says nothing of others."""
    values: int
    """Of how many it is."""


class Rate(NamedTuple):
    """The mean loss of a decision, as a share of the result; forced moves are not counted."""

    decisions: int
    loss: float
    margin: float | None
    """Half of the 95 % interval; None where one match alone says nothing of others."""
    points: float
    """The same in points, of which the judge says what they are."""
    points_margin: float | None

    def told_in(self, unit: str) -> tuple[float, float | None]:
        """Return the mean and its margin in the *unit* that people are told: points, or % of the result."""
        if unit == "points":
            return self.points, self.points_margin
        return 100 * self.loss, None if self.margin is None else 100 * self.margin


_NOTHING: Final = Rate(0, 0.0, None, 0.0, None)


class KindRate(NamedTuple):
    """What the decisions of one kind cost."""

    kind: str
    rate: Rate
    total: float
    """The sum of their losses, in results."""
    share: float | None
    """Of all that was lost, in the unit that people are told; None if all together lost nothing."""


def rate_in_match(rows: Iterable[ReviewedStep], seat: Seat) -> Rate:
    """Return the error rate of *seat* in one match; the margin is that of the estimate."""
    found = [row for row in rows if row.seat == seat and row.loss is not None]
    if not found:
        return _NOTHING
    loss, margin = _mean_of([(row.loss, row.loss_se) for row in found])
    return Rate(len(found), loss, margin, *_mean_of([(row.points, row.points_se) for row in found]))


def _mean_of(estimates: Sequence[tuple[float | None, float | None]]) -> tuple[float, float]:
    """Return the mean of *estimates*, each with its standard error, and half of its 95 % interval."""
    count = len(estimates)
    error = sqrt(sum([(se or 0.0) ** 2 for _, se in estimates]))
    return sum([value or 0.0 for value, _ in estimates]) / count, Z * error / count


def error_rate(blocks: Sequence[Sequence[ReviewedStep]]) -> Rate:
    """Return the error rate over *blocks*, each the rows of one bot's decisions in matches of one deal."""
    found = mean_by_blocks([(sum([row.loss or 0.0 for row in block]), len(block)) for block in blocks])
    points = mean_by_blocks([(sum([row.points or 0.0 for row in block]), len(block)) for block in blocks])
    if found.value is None or points.value is None:
        return _NOTHING
    return Rate(found.values, found.value, found.margin, points.value, points.margin)


def mean_by_blocks(sums: Sequence[tuple[float, int]]) -> Mean:
    """Return the mean over blocks of values (sum, count), with the margin of a ratio of sums."""
    sums = [each for each in sums if each[1]]
    if not (count := sum([number for _, number in sums])):
        return Mean(None, None, 0)
    mean = sum([total for total, _ in sums]) / count
    if len(sums) < 2:
        return Mean(mean, None, count)
    # by blocks, because matches of one deal are not independent
    spread = sum([(total - mean * number) ** 2 for total, number in sums]) * len(sums) / (len(sums) - 1)
    return Mean(mean, Z * sqrt(spread) / count, count)


def rates_by_kind(blocks: Sequence[Sequence[ReviewedStep]], unit: str = "result") -> list[KindRate]:
    """Return what the decisions of each kind cost in *blocks*, as error_rate; the costliest kind first.

    Of more than MOST_KINDS kinds, those that cost least are OTHERS together.  Shares are those of losses in
    *unit*, "points" or "result"; a kind that lost less than nothing, by noise, has the share 0.  No kind
    has a share where the mean loss, which is told beside them, is not above 0.
    """
    sums: dict[str, float] = defaultdict(float)
    totals: dict[str, float] = defaultdict(float)
    for row in chain.from_iterable(blocks):
        kind = row.decision_kind or UNKNOWN
        totals[kind] += row.loss or 0.0
        sums[kind] += (row.points if unit == "points" else row.loss) or 0.0
    kinds = sorted(sums, key=lambda kind: (-sums[kind], kind))
    most = len(kinds) if len(kinds) <= MOST_KINDS else MOST_KINDS - 1
    shown = dict.fromkeys(kinds[:most]) | dict.fromkeys(kinds[most:] and [OTHERS])
    name = {kind: kind if kind in shown else OTHERS for kind in kinds}
    lost = {each: max(0.0, sum([sums[kind] for kind in kinds if name[kind] == each])) for each in shown}
    whole = sum(lost.values()) if sum(sums.values()) > 0 else 0.0
    found = []
    for each in shown:
        mine = [[row for row in block if name[row.decision_kind or UNKNOWN] == each] for block in blocks]
        total = sum([totals[kind] for kind in kinds if name[kind] == each])
        found.append(KindRate(each, error_rate(mine), total, lost[each] / whole if whole > 0 else None))
    return found


def costliest(rows: Iterable[ReviewedStep], count: int) -> list[ReviewedStep]:
    """Return the *count* decisions that surely cost most: by the lower ends of their intervals.

    There may be fewer: only what is surely a loss in the unit in which people are told it.  The order is that
    of results, as names are.
    """
    decided = [row for row in rows if row.loss is not None]
    units = {table: unit_of(*table) for table in {(row.game, row.seats) for row in decided}}
    decided = [row for row in decided if is_surely_lost(row, units[row.game, row.seats])]
    decided.sort(
        key=lambda row: (-((row.loss or 0.0) - Z * (row.loss_se or 0.0)), row.run, row.number, row.step)
    )
    return decided[:count]
