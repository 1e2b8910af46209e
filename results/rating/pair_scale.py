"""Bots that have met in pairs: how sure their ratings are, and whether one scale fits all pairs.

The model is that of results.rating.reference_score.  Pairs are told as the wins, ties and losses of the first
bot against the second; a tie is half a win.
"""

from collections.abc import Mapping, Sequence
from math import erfc, sqrt
from typing import TypeAlias

from results.rating.linear import add_up, factorize, solve
from results.rating.one_sided import Z_95
from results.rating.reference_score import BETA, SPREAD, slopes

PairCounts: TypeAlias = Mapping[tuple[str, str], Sequence[int]]
"""By two bots: how often the first ranked before the second, tied with it, and ranked after it."""
FEWEST = 2.0
"""A pair says whether a scale fits if it lets expect as many wins, and as many losses."""


def information_of(pairs: PairCounts, leads: Mapping[str, float], beta: float = BETA) -> list[list[float]]:
    """Return Fisher's information at *leads*, with the weak prior: a row and a column for each bot.

    *leads* are ratings in units of sqrt(2) *beta*; only their differences matter.
    """
    place, prior = {bot: i for i, bot in enumerate(leads)}, 2 * beta * beta / SPREAD**2
    information = [[prior * (i == j) for j in range(len(leads))] for i in range(len(leads))]
    for (one, other), counts in sorted(pairs.items()):
        i, j = place[one], place[other]
        win, loss = slopes(leads[one] - leads[other])
        known = -sum(counts) * win * loss
        information[i][i] += known
        information[j][j] += known
        information[i][j] -= known
        information[j][i] -= known
    return information


def margins_of(
    pairs: PairCounts, ratings: Mapping[str, float], anchor: str, beta: float = BETA
) -> dict[str, float]:
    """Return half of the 95 % interval of the distance of each bot but *anchor* to it, in points.

    The variance is that of the inverse Fisher information, as if all meetings were independent.
    """
    unit, bots = sqrt(2) * beta, [*ratings]
    leads = {bot: rating / unit for bot, rating in ratings.items()}
    factor, base = factorize(information_of(pairs, leads, beta)), bots.index(anchor)
    margins = {}
    for i, bot in enumerate(bots):
        if bot != anchor:
            found = solve(factor, [float((j == i) - (j == base)) for j in range(len(bots))])
            margins[bot] = Z_95 * unit * sqrt(found[i] - found[base])
    return margins


def misfit_a_pair(pairs: PairCounts, ratings: Mapping[str, float], beta: float = BETA) -> float:
    """Return chi-squared a pair of the results of *pairs*, beside what *ratings* let expect of them: about 1.

    0 if no pair has FEWEST expected wins and losses (Pearson, 1900; Cochran, 1954, for how few are enough).
    """
    excesses = []
    for (one, other), (wins, ties, losses) in sorted(pairs.items()):
        number, chance = wins + ties + losses, erfc((ratings[other] - ratings[one]) / (2 * beta)) / 2
        if min(chance, 1 - chance) * number >= FEWEST:
            excess = wins + ties / 2 - chance * number
            excesses.append(excess * excess / (number * chance * (1 - chance)))
    return add_up(excesses) / len(excesses) if excesses else 0.0
