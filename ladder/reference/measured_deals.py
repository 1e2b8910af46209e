"""What the deals of a measurement say of a bot: its rating, or the share of the other seats that it beats."""

from collections import Counter
from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

from ladder.reference.reference_set import ReferenceContest
from results.rating.linear import add_up
from results.rating.reference_score import BOUND, BOUND_99, DealResult, rate_against
from results.reports.intervals import interval_of_share

FEW_DEALS = 8
"""The number of deals that the variance of independent seats counts for, where it is the greater one."""


class ShareBeaten(NamedTuple):
    """The share of the other seats that a bot ranked before, a tie half, with its interval: 0 to 1."""

    share: float
    low: float
    high: float

    @property
    def text(self) -> str:
        """The share in whole percent, with its interval."""
        return f"{100 * self.share:.0f} of 100 ({100 * self.low:.0f} to {100 * self.high:.0f})"


def share_beaten(deals: Sequence[DealResult], bound: float = BOUND) -> ShareBeaten:
    """Return the mean of the shares beaten over the bots that were met in *deals*, of which none is empty.

    *bound* is the square of the normal quantile of the interval.  The variance is that between deals (the
    linearized ratio, Cochran, Sampling Techniques, 1977, chapter 6), drawn up to that of independent seats,
    since a few deals may be alike by chance.  As many seats as have that variance give the interval (Korn and
    Graubard, 1998).
    """
    met = Counter(other for deal in deals for other, _ in deal)
    met_in = Counter(other for deal in deals for other in {other for other, _ in deal})
    shares = {
        bot: sum(score for deal in deals for other, score in deal if other == bot) / number
        for bot, number in met.items()
    }
    share, number, between = add_up(shares.values()) / len(shares), len(deals), 0.0
    # a share is the mean of its own deals, from which they differ the less the fewer they are
    weights = {bot: sqrt(each / max(1, each - 1)) / met[bot] / len(met) for bot, each in met_in.items()}
    for deal in deals:
        between += add_up(weights[other] * (score - shares[other]) for other, score in deal) ** 2
    alone = add_up(of * (1 - of) / met[other] for other, of in shares.items()) / len(shares) ** 2
    variance = max(between, (number * between + FEW_DEALS * alone) / (number + FEW_DEALS))
    # one that always wins, or always loses, has no variance: its deals count as a seat each
    seats = share * (1 - share) / variance if variance > 0 else number
    return ShareBeaten(share, *interval_of_share(share, seats, sqrt(bound)))


def is_worse(
    of: ReferenceContest, bots: Sequence[str], new: Sequence[DealResult], public: Sequence[DealResult]
) -> bool:
    """Return whether the 99 % interval of *new* deals lies below that of the *public* ones.

    They are told in the unit of the quoted line; deals name *bots* by their place.
    """
    if not new or not public:
        return False
    if not of.has_scale:
        return share_beaten(new, BOUND_99).high < share_beaten(public, BOUND_99).low
    ratings = [of.recorded.ratings[bot] for bot in bots]
    below, above = (rate_against(deals, ratings, of.beta, BOUND_99) for deals in (new, public))
    return below.high < above.low
