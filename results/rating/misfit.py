"""Whether one rating a bot is the wrong picture of a game: what a leaderboard says below its table.

It is found when ratings are made, from the results of pairs and the fits by table size, and is stored with
them: to show a leaderboard then costs nothing more.
"""

import math
from collections.abc import Mapping
from itertools import combinations

import msgspec

from results.rating.calibration import (
    Cycle,
    PairMisfit,
    compare_pairs,
    is_wrong_picture,
    sure_pair_z,
    surest_cycle,
)
from results.rating.fit import Fit
from results.rating.outcomes import Bot, Counts
from results.rating.parameters import Parameters


class Misfit(msgspec.Struct, frozen=True):
    """How far the results of pairs are from their ratings."""

    misfit: float
    """In points of score, less what is chance: see Calibration."""
    misfit_z: float
    worst: PairMisfit | None
    """The pair that deviates most, if it does so surely."""
    cycle: Cycle | None
    """The surest cycle of three bots, if there is a sure one."""

    @property
    def is_large(self) -> bool:
        """Whether the misfit alone says that one rating a bot is the wrong picture."""
        return is_wrong_picture(self.misfit, self.misfit_z)

    @property
    def is_wrong(self) -> bool:
        """Whether one rating a bot is the wrong picture of the game."""
        return self.cycle is not None or self.is_large


class SizeGap(msgspec.Struct, frozen=True):
    """Two bots whose order is another at another table size."""

    above: Bot
    below: Bot
    seats: int
    """The table size at which it is so..."""
    other: int
    """...and the one at which it is the other way round."""
    difference: float
    """How much higher the rating of the first is at the one size..."""
    reverse: float
    """...and how much higher that of the second is at the other."""
    z: float
    """How many standard errors the less sure of both is."""


def find_misfit(known: Fit, counts: Counts, by_size: Mapping[int, Fit], of: Parameters) -> Misfit:
    """Return how far the fit *known* of *counts*, or those *by_size*, are from the results of pairs."""
    pairs, misfit, z, by_pair = compare_pairs(known, counts, by_size, of)
    worst = pairs[0] if pairs and abs(pairs[0].z) > sure_pair_z(len(pairs)) else None
    return Misfit(misfit, z, worst, surest_cycle(by_pair, known.deviation))


def find_size_gaps(by_size: Mapping[int, Fit]) -> tuple[SizeGap, ...]:
    """Return the pairs of bots whose order surely differs between two of the fits *by_size*, surest first.

    Both orders must be sure by themselves: where bots are far apart at one size and alike at another, half of
    all pairs seem to turn.  A pair that does not turn is named in at most 5 % of all games (Bonferroni, over
    each pair at each size).
    """
    bots = {bot for known in by_size.values() for bot in known.bots}
    bound = sure_pair_z(math.comb(len(bots), 2) * len(by_size))
    turned: dict[tuple[Bot, Bot], SizeGap] = {}
    for (seats, one), (other, two) in combinations(sorted(by_size.items()), 2):
        there = {bot: i for i, bot in enumerate(two.bots)}
        common = [(i, there[bot], bot) for i, bot in enumerate(one.bots) if bot in there]
        groups = [{bot: n for n, group in enumerate(known.groups()) for bot in group} for known in (one, two)]
        for (i, k, a), (j, m, b) in combinations(common, 2):
            if (one.mu[i] > one.mu[j]) == (two.mu[k] > two.mu[m]) or any(of[a] != of[b] for of in groups):
                continue
            if one.mu[i] < one.mu[j]:
                i, j, k, m, a, b = j, i, m, k, b, a
            z = min(one.lead(i, j), two.lead(m, k))
            if z <= bound:
                continue
            pair = (min(a, b), max(a, b))
            if pair not in turned or z > turned[pair].z:
                found = SizeGap(a, b, seats, other, one.mu[i] - one.mu[j], two.mu[m] - two.mu[k], z)
                turned[pair] = found
    return tuple(sorted(turned.values(), key=lambda gap: -gap.z))
