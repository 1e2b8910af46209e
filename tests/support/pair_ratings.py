"""Ratings of bots from their results against each other, as the reference set records them."""

from collections.abc import Mapping, Sequence
from math import sqrt

from results.rating.linear import factorize, solve
from results.rating.reference_score import BETA, MEAN, SPREAD, slopes


def rate_each_other(
    results: Mapping[tuple[str, str], Sequence[int]], anchor: str, beta: float = BETA
) -> dict[str, float]:
    """Return the ratings of bots from how often the first of two won, tied and lost against the second.

    They are the likeliest by pairs, with the weak prior, moved so that *anchor* is at 25.  Raises LookupError
    if it has no results.
    """
    bots = sorted({bot for pair in results for bot in pair})
    if anchor not in bots:
        raise LookupError(f"{anchor} has no results")
    place = {bot: i for i, bot in enumerate(bots)}
    unit, prior = sqrt(2) * beta, 2 * beta * beta / SPREAD**2
    leads = [0.0] * len(bots)  # ratings in units of sqrt(2) beta, from the mean of the prior
    for _ in range(200):  # scoring by Fisher: the likelihood is concave, and long steps are cut
        slope = [-prior * lead for lead in leads]
        bend = [[prior * (i == j) for j in place.values()] for i in place.values()]
        for (one, other), (wins, ties, losses) in sorted(results.items()):
            i, j = place[one], place[other]
            win, loss = slopes(leads[i] - leads[j])
            up = (wins + ties / 2) * win + (losses + ties / 2) * loss
            known = -(wins + ties + losses) * win * loss
            slope[i] += up
            slope[j] -= up
            bend[i][i] += known
            bend[j][j] += known
            bend[i][j] -= known
            bend[j][i] -= known
        step = solve(factorize(bend), slope)
        cut = min(1.0, 1.0 / max(1e-12, *map(abs, step)))
        leads = [lead + cut * each for lead, each in zip(leads, step, strict=True)]
        if max(map(abs, step)) < 1e-12:
            break
    return {bot: MEAN + unit * (leads[place[bot]] - leads[place[anchor]]) for bot in bots}
