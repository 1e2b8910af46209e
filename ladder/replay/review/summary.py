"""What the rows of reviews say: error rates, the ledger of a seat, and the decisions that cost most."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain, pairwise
from math import sqrt
from typing import Final, NamedTuple

from engines.game import Seat
from ladder.replay.review.loss_names import Z
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


_NOTHING: Final = Rate(0, 0.0, None, 0.0, None)


class KindRate(NamedTuple):
    """What the decisions of one kind cost."""

    kind: str
    rate: Rate
    total: float
    """The sum of their losses, in results."""
    share: float | None
    """Of all that was lost; None if nothing was."""


class Ledger(NamedTuple):
    """What made the result of a seat: the start and all that follows add up to the result."""

    start: float
    """What the seat could expect before it knew more than its first view."""
    luck: float
    """What was dealt and drawn, with open cards."""
    own: float
    """What its own losses cost: negative."""
    others: float
    """What it had of the losses of the others."""
    revealed: float
    """How much better or worse the moves were than the seats could know."""
    rest: float
    """What the estimate leaves open: the judge's best moves are better than its own play."""
    result: float


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
    """Return the mean over all blocks, given for each the sum of its values and how many they are.

    The margin follows from how much the blocks differ, as that of a ratio of sums does.
    """
    sums = [each for each in sums if each[1]]
    count = sum([number for _, number in sums])
    if not count:
        return Mean(None, None, 0)
    mean = sum([total for total, _ in sums]) / count
    if len(sums) < 2:
        return Mean(mean, None, count)
    # by blocks, because matches of one deal are not independent
    spread = sum([(total - mean * number) ** 2 for total, number in sums]) * len(sums) / (len(sums) - 1)
    return Mean(mean, Z * sqrt(spread) / count, count)


def rates_by_kind(blocks: Sequence[Sequence[ReviewedStep]]) -> list[KindRate]:
    """Return what the decisions of each kind cost in *blocks*, as error_rate; the costliest kind first.

    Of more than MOST_KINDS kinds, those that cost least are OTHERS together.
    """
    sums: dict[str, float] = defaultdict(float)
    for row in chain.from_iterable(blocks):
        sums[row.decision_kind or UNKNOWN] += row.loss or 0.0
    kinds = sorted(sums, key=lambda kind: (-sums[kind], kind))
    most = len(kinds) if len(kinds) <= MOST_KINDS else MOST_KINDS - 1
    shown = dict.fromkeys(kinds[:most]) | dict.fromkeys(kinds[most:] and [OTHERS])
    name = {kind: kind if kind in shown else OTHERS for kind in kinds}
    whole = sum(sums.values())
    found = []
    for each in shown:
        mine = [[row for row in block if name[row.decision_kind or UNKNOWN] == each] for block in blocks]
        total = sum([lost for kind, lost in sums.items() if name[kind] == each])
        found.append(KindRate(each, error_rate(mine), total, total / whole if whole > 0 else None))
    return found


def ledger_of(rows: Iterable[ReviewedStep], seat: Seat) -> Ledger | None:
    """Return the ledger of *seat* in one match; None if the review has no chances with open cards."""
    line = [row for row in rows if row.seat == seat]
    if not line or line[0].chance_open is None or line[0].chance_seen is None:
        return None
    start, last = line[0].chance_seen, line[-1].chance_open or 0.0
    result = _whole_result(last, line[0].seats)
    # the deal itself is luck, too: open cards tell what the first view did not
    dealt = line[0].chance_open - start
    luck = sum([row.luck or 0.0 for row in line])
    own = -sum([row.loss or 0.0 for row in line])
    given = sum([row.given or 0.0 for row in line])
    unexplained = sum([row.rest or 0.0 for row in line])
    moved = sum([(after.chance_open or 0.0) - (now.chance_open or 0.0) for now, after in pairwise(line)])
    return Ledger(
        start=start,
        luck=dealt + luck,
        own=own,
        others=given - own,
        revealed=moved - luck - given - unexplained,
        rest=unexplained + result - last,
        result=result,
    )


def _whole_result(stored: float, seats: int) -> float:
    """Return the result that was rounded to *stored*: a share of the others, in whole and half bots."""
    # a draw with one of the others is half a bot
    halves = 2 * max(1, seats - 1)
    return round(stored * halves) / halves


def costliest(rows: Iterable[ReviewedStep], count: int) -> list[ReviewedStep]:
    """Return the *count* decisions that surely cost most: by the lower ends of their intervals."""
    decided = [row for row in rows if row.loss is not None and row.loss > 0]
    decided.sort(
        key=lambda row: (-((row.loss or 0.0) - Z * (row.loss_se or 0.0)), row.run, row.number, row.step)
    )
    return decided[:count]
