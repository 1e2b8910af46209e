"""The stored matches of a measurement, counted: what they say of a bot, as a rating and as a share beaten."""

from collections import Counter
from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

from ladder.reference.reference_set import PREFIX, ReferenceContest
from results.rating.reference_score import BOUND, BOUND_99, DealResult, ReferenceScore, rate_against
from results.reports.intervals import interval_of_share
from results.storage.contents import Contents
from results.storage.finishes import standing_matches

FEW_DEALS = 8
"""The variance of independent seats counts as that of so many deals."""


class ShareBeaten(NamedTuple):
    """The share of the other seats that a bot ranked before, a tie half, with its interval: 0 to 1."""

    share: float
    low: float
    high: float

    @property
    def text(self) -> str:
        """The share in whole percent, with its 95 % interval."""
        return f"{100 * self.share:.0f} of 100 ({100 * self.low:.0f} to {100 * self.high:.0f})"


class CountedMatches(NamedTuple):
    """The matches of a run."""

    of: ReferenceContest
    bot: str
    """The bot that is measured."""
    bots: Sequence[str]
    """Those of the set; results name them by their place here."""
    deals: Sequence[DealResult]
    """Those with a match that was judged."""
    matches: int
    faults: int
    """Matches in which the bot made a fault: it is last in them."""
    voids: int
    """Matches that were not judged, because the machine delayed the bots: they do not count."""
    sampled: Sequence[int]
    """The numbers of matches without a fault."""

    @property
    def met(self) -> list[int]:
        """In how many seats each bot of the set was met."""
        counts = Counter(other for deal in self.deals for other, _ in deal)
        return [counts[other] for other in range(len(self.bots))]

    @property
    def shares(self) -> list[float | None]:
        """The share beaten of the seats of each bot of the set; None of one that was not met."""
        beaten = Counter[int]()
        for deal in self.deals:
            for other, score in deal:
                beaten[other] += round(2 * score)
        return [beaten[other] / (2 * met) if met else None for other, met in enumerate(self.met)]

    def rate(self, bound: float = BOUND) -> ReferenceScore | None:
        """Return the rating; None where not one match could be judged.

        *bound* is the square of the normal quantile of the interval, here and below.
        """
        ratings = [self.of.recorded.ratings[bot] for bot in self.bots]
        return rate_against(self.deals, ratings, self.of.beta, bound) if self.deals else None

    def share_beaten(self, bound: float = BOUND) -> ShareBeaten | None:
        """Return the mean of the shares beaten over the bots that were met; None if none was.

        Its variance is that between deals (the linearized ratio, Cochran, Sampling Techniques, 1977, chapter
        6), drawn towards that of independent seats, since a few deals may be alike by chance.  As many seats
        as have that variance give the interval (Korn and Graubard, 1998).
        """
        met = self.met
        shares = {other: each for other, each in enumerate(self.shares) if each is not None}
        if not shares:
            return None
        share, number = sum(shares.values()) / len(shares), len(self.deals)
        between = 0.0
        for deal in self.deals:
            excess = sum((score - shares[other]) / met[other] for other, score in deal) / len(shares)
            between += excess * excess * number / max(1, number - 1)
        alone = sum(of * (1 - of) / met[other] for other, of in shares.items()) / len(shares) ** 2
        variance = (number * between + FEW_DEALS * alone) / (number + FEW_DEALS)
        # one that always wins, or always loses, has no variance: its deals count as a seat each
        seats = share * (1 - share) / variance if variance > 0 else number
        return ShareBeaten(share, *interval_of_share(share, seats, sqrt(bound)))

    def is_better_than(self, other: "CountedMatches") -> bool:
        """Return whether its 99 % interval lies above that of *other*, by what the quoted line tells."""
        measure = CountedMatches.rate if self.of.has_scale else CountedMatches.share_beaten
        own, its = measure(self, BOUND_99), measure(other, BOUND_99)
        return own is not None and its is not None and own.low > its.high


def count_matches(of: ReferenceContest, contents: Contents, *, full: bool) -> CountedMatches:
    """Count the matches of the first bot of the newest run in *contents*."""
    run = contents.runs[-1]
    tested, bots = run.bot_keys[0], of.bots(full=full)
    place = {f"{PREFIX}{bot}": i for i, bot in enumerate(bots)}
    deals: list[DealResult] = []
    faults = voids = matches = 0
    sampled: list[int] = []
    for block in contents.blocks(run.run):
        pairs: list[tuple[int, float]] = []
        voids += len(block.matches) - len(standing := standing_matches(block))
        for match in standing:
            matches += 1
            own = next(seat for seat in match.seats if (seat.bot, seat.version) == tested)
            faults += own.fault is not None
            if all(seat.fault is None for seat in match.seats):
                sampled.append(match.number)
            for seat in match.seats:
                if seat is not own:
                    assert seat.rank is not None and own.rank is not None  # noqa: PT018 - both of a standing match
                    half_wins = 1 + (own.rank < seat.rank) - (own.rank > seat.rank)
                    pairs.append((place[seat.bot], half_wins / 2))
        if pairs:
            deals.append(tuple(pairs))
    return CountedMatches(of, tested[0], bots, deals, matches, faults, voids, sampled)
