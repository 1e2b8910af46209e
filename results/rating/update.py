"""TrueSkill for a free-for-all, in plain numbers.

It computes the factor graph of Herbrich, Minka and Graepel, "TrueSkill: A Bayesian Skill Rating System"
(2006), and passes messages in the same order and number as the trueskill package.  A seat is a team of one,
so the graph is a chain: the seats by rank, and between neighbours their difference in performance.  A normal
distribution is stored as its precision (pi, 1 / variance) and its precision times its mean (tau).
"""

import math
from collections.abc import Sequence
from functools import cache
from math import erfc, exp, sqrt
from statistics import NormalDist
from typing import TypeAlias

Skill: TypeAlias = tuple[float, float]
"""A skill: mean and standard deviation."""
Normal: TypeAlias = tuple[float, float]
"""A normal distribution: pi and tau."""

ROUNDS = 10
"""The largest number of passes along the chain, down and up."""
CONVERGED = 1e-4
"""Stop after a pass that changes no difference by more than this."""
UNKNOWN: Normal = (0.0, 0.0)
"""The message that carries no information."""

_ROOT_HALF = math.sqrt(0.5)
_DENSITY = 1 / math.sqrt(2 * math.pi)


def update_skills(
    skills: Sequence[Skill], ties: Sequence[bool], beta: float, draw_probability: float
) -> list[Skill]:
    """Return the skills of all seats after a match, given those before it, by rank, the winner's first.

    *ties* says for each seat except the last whether the next one has the same rank.  Raises ArithmeticError
    or ValueError if the outcome is too improbable to compute with.
    """
    noise, margin = beta * beta, draw_margin(draw_probability, beta)
    performances: list[Normal] = []
    for mu, sigma in skills:
        pi = 1.0 / (sigma * sigma + noise)
        performances.append((pi, pi * mu))
    messages = _infer(performances, ties, margin)
    after = []
    for (mu, sigma), (message_pi, message_tau) in zip(skills, messages, strict=True):
        # the part of a message about performance that is about skill
        share = 1.0 / (1.0 + noise * message_pi)
        own_pi = 1.0 / (sigma * sigma)
        new_pi = own_pi + share * message_pi
        after.append(((own_pi * mu + share * message_tau) / new_pi, sqrt(1.0 / new_pi)))
    return after


@cache
def draw_margin(draw_probability: float, beta: float) -> float:
    """Return the largest difference of performances in a tie, at which equal seats tie that often."""
    return NormalDist().inv_cdf((draw_probability + 1) / 2) * math.sqrt(2) * beta


def _infer(performances: list[Normal], ties: Sequence[bool], margin: float) -> list[Normal]:
    """Return the message of the outcome to each of *performances*, which are those before the match.

    A fold spends its time here, so calls of _sum are written out.
    """
    end = len(performances) - 1
    above, below = [UNKNOWN] * (end + 1), [UNKNOWN] * (end + 1)  # messages from the seats above and below
    # the performance with the message from above, from below
    upper, lower = list(performances), list(performances)
    outcome = [UNKNOWN] * end  # messages from the outcome to each difference
    visits = _visits(end)
    for _ in range(ROUNDS):
        converged = True
        for i, downwards in visits:
            p, t = upper[i]
            q, u = lower[i + 1]
            now = pi, tau = _infer_difference(p, t, q, u, ties[i], margin)
            converged = converged and _has_converged(outcome[i], now)
            outcome[i] = now
            if downwards:
                both = p + pi
                above[i + 1] = p, t = p * pi / both, (pi * t - p * tau) / both
                q, u = performances[i + 1]
                upper[i + 1] = q + p, u + t
            else:
                both = q + pi
                below[i] = q, u = q * pi / both, (pi * u + q * tau) / both
                p, t = performances[i]
                lower[i] = p + q, t + u
        if converged:
            break
    pi, tau = outcome[-1]
    above[-1] = _sum(*upper[-2], pi, -tau)
    below[0] = _sum(*lower[1], *outcome[0])
    return [(p + q, t + u) for (p, t), (q, u) in zip(above, below, strict=True)]


@cache
def _visits(end: int) -> list[tuple[int, bool]]:
    """Return the differences in the order of one pass, each with whether the pass goes down the ranks."""
    down, up = [(i, True) for i in range(end - 1)], [(i, False) for i in range(end - 1, 0, -1)]
    return down + up or [(0, True)]  # of two seats there is one difference, and no way back


def _has_converged(old: Normal, new: Normal) -> bool:
    """Return whether the message to a difference has hardly changed."""
    (old_pi, old_tau), (pi, tau) = old, new
    return abs(tau - old_tau) <= CONVERGED and abs(pi - old_pi) ** 0.5 <= CONVERGED


def _sum(pi: float, tau: float, other_pi: float, other_tau: float) -> Normal:
    """Return the distribution of the sum of two independent normal variables."""
    both = pi + other_pi
    return pi * other_pi / both, (other_pi * tau + pi * other_tau) / both


def _infer_difference(p: float, t: float, q: float, u: float, tie: bool, margin: float) -> Normal:
    """Return the outcome's message to the difference of two performances, (p, t) and (q, u): section 3.3."""
    both = p + q
    pi, tau = p * q / both, (q * t - p * u) / both
    if tie:
        return _infer_tie(pi, tau, margin)
    root = sqrt(pi)
    x = tau / root - margin * root
    likely = 0.5 * erfc(-x * _ROOT_HALF)
    v = _DENSITY * exp(-0.5 * x * x) / likely if likely else -x
    w = v * (v + x)
    if not (w > 0.0 and w < 1.0):  # whole numbers, or a chain, would take four times as long
        raise FloatingPointError("a win against a bot rated this much higher is too improbable to rate")
    rest = 1.0 - w
    return pi / rest - pi, (tau + root * v) / rest - tau


def _infer_tie(pi: float, tau: float, margin: float) -> Normal:
    """Return the message of a tie to the difference (pi, tau)."""
    root = sqrt(pi)
    mean, margin = tau / root, margin * root
    a, b = margin - abs(mean), -margin - abs(mean)
    likely = 0.5 * (erfc(-a * _ROOT_HALF) - erfc(-b * _ROOT_HALF))
    if not likely:
        raise FloatingPointError("a tie of bots with ratings this far apart is too improbable to rate")
    at_a, at_b = _DENSITY * exp(-0.5 * a * a), _DENSITY * exp(-0.5 * b * b)
    v = (at_b - at_a) / likely
    w = v * v + (a * at_a - b * at_b) / likely
    v = -v if mean < 0 else v
    rest = 1 - w
    return pi / rest - pi, (tau + root * v) / rest - tau
