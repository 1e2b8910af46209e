"""Ratings of bots from their results against each other, as the reference set records them."""

from math import sqrt

from results.rating.linear import factorize, solve
from results.rating.reference_score import BETA, MEAN, SPREAD, PairCounts, information_of, slopes


def rate_each_other(results: PairCounts, anchor: str, beta: float = BETA) -> dict[str, float]:
    """Return the ratings of bots from how often the first of two won, tied and lost against the second.

    They are the likeliest by pairs, with the weak prior, moved so that *anchor* is at 25.  Raises LookupError
    if it has no results.
    """
    leads = dict.fromkeys(sorted({bot for pair in results for bot in pair}), 0.0)
    if anchor not in leads:
        raise LookupError(f"{anchor} has no results")
    unit, prior = sqrt(2) * beta, 2 * beta * beta / SPREAD**2
    for _ in range(200):  # scoring by Fisher: the likelihood is concave, and long steps are cut
        slope = {bot: -prior * lead for bot, lead in leads.items()}
        for (one, other), (wins, ties, losses) in sorted(results.items()):
            win, loss = slopes(leads[one] - leads[other])
            up = (wins + ties / 2) * win + (losses + ties / 2) * loss
            slope[one] += up
            slope[other] -= up
        step = solve(factorize(information_of(results, leads, beta)), [*slope.values()])
        cut = min(1.0, 1.0 / max(1e-12, *map(abs, step)))
        leads = {bot: lead + cut * each for (bot, lead), each in zip(leads.items(), step, strict=True)}
        if max(map(abs, step)) < 1e-12:
            break
    return {bot: MEAN + unit * (lead - leads[anchor]) for bot, lead in leads.items()}
