"""How sure it is that one bot is above another, however often one looks.

A leaderboard's probability holds for one look.  Who looks again and again, and stops at the first lucky look,
errs more often than it says.  Here the evidence is that of a bet which is fair at all times together: the
likelihood of the lead, averaged over leads as they are expected of neighbours, over the likelihood of none.
If there is no lead, this ratio has a mean of at most 1 at every time, so the probability that it *ever*
reaches 1 / risk is at most that risk (Ville's inequality).

Method: the normal mixture of Robbins, "Statistical methods related to the law of the iterated logarithm"
(1970), one-sided.  It takes the likelihood of a fit as normal, as intervals do.
"""

from math import erfc, exp, sqrt

SPREAD = 0.6
"""The standard deviation of the leads that are averaged over, in points of rating.  A lead of this size is
54.1 wins of 100.  Smaller and larger leads are found, too, with a few matches more."""


def lead_risk(lead: float, error: float) -> float:
    """Return the risk of taking *lead*, a difference of two ratings with standard *error*, for real.

    It is an upper bound of the probability that evidence as strong as this ever appears, at any number of
    matches, if the first bot is not above the second.  1 where there is no evidence, also where *error* is
    infinite, as it is between bots that have not met.
    """
    if lead <= 0:
        return 1.0
    # With n matches the error is some constant / sqrt(n): (SPREAD / error)^2 counts the matches, and the
    # factor sqrt(1 + information) is the price of every look up to now.
    information = (SPREAD / error) ** 2
    z = lead / error * sqrt(information / (1 + information))
    above = erfc(-z / sqrt(2))  # twice the share of the averaged leads that is above 0
    return min(1.0, sqrt(1 + information) * exp(-z * z / 2) / above)
