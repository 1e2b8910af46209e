"""TrueSkill for a free-for-all, without the graph: all that a ladder uses of it, in plain numbers.

It is the factor graph of Herbrich, Minka and Graepel, "TrueSkill: A Bayesian Skill Rating System" (2006),
with messages passed in the order of the trueskill package and as often.  A seat is a team of one, so all that
is left of the graph is a chain: the seats by rank, and between neighbours their difference in performance.
A normal distribution is held as its precision (pi, 1 / variance) and its precision times its mean (tau).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from statistics import NormalDist
from typing import TypeAlias

__all__ = ["Skill", "updated"]

Skill: TypeAlias = tuple[float, float]
"""What is believed of a skill: mean and standard deviation."""
Normal: TypeAlias = tuple[float, float]
"""A normal distribution: pi and tau."""

ROUNDS = 10
"""How often the chain is gone through at most, there and back."""
AT_REST = 1e-4
"""A round that changes no difference by more is the last one."""

_ROOT_HALF = math.sqrt(0.5)
_DENSITY = 1 / math.sqrt(2 * math.pi)


def updated(
    skills: Sequence[Skill], ties: Sequence[bool], beta: float, draw_probability: float
) -> list[Skill]:
    """Return the skills of all seats after a match; *skills* are those before, by rank, the winner's first.

    *ties*: for each seat but the last, whether the next one has the same rank.  Raises an ArithmeticError
    where an outcome is too surprising for the numbers.
    """
    noise, margin = beta * beta, _margin(draw_probability, beta)
    pi = [1 / (sigma * sigma + noise) for _, sigma in skills]
    tau = [p * mu for p, (mu, _) in zip(pi, skills, strict=True)]
    after = []
    for (mu, sigma), (said_pi, said_tau) in zip(skills, _said(pi, tau, ties, margin), strict=True):
        share = 1 / (1 + noise * said_pi)  # of what is said of a performance is said of the skill
        own_pi = 1 / (sigma * sigma)
        new_pi = own_pi + share * said_pi
        after.append(((own_pi * mu + share * said_tau) / new_pi, math.sqrt(1 / new_pi)))
    return after


@cache
def _margin(draw_probability: float, beta: float) -> float:
    """Return by how much two performances may differ in a tie, so that equal seats tie that often."""
    return NormalDist().inv_cdf((draw_probability + 1) / 2) * math.sqrt(2) * beta


def _said(pi: list[float], tau: list[float], ties: Sequence[bool], margin: float) -> list[Normal]:
    """Return what the outcome says of the performance of each seat."""
    end = len(pi) - 1
    above_pi, above_tau = [0.0] * (end + 1), [0.0] * (end + 1)  # said of a seat by the difference above it
    below_pi, below_tau = [0.0] * (end + 1), [0.0] * (end + 1)  # and by that below it
    learnt_pi, learnt_tau = [0.0] * end, [0.0] * end  # said of a difference by its outcome
    visits = _visits(end)
    for _ in range(ROUNDS if end > 1 else 1):
        change = 0.0
        for i, downwards in visits:
            p, t = pi[i] + above_pi[i], tau[i] + above_tau[i]
            q, u = pi[i + 1] + below_pi[i + 1], tau[i + 1] + below_tau[i + 1]
            new_pi, new_tau = _learnt(p * q / (p + q), (q * t - p * u) / (p + q), ties[i], margin)
            change = max(change, abs(new_pi - learnt_pi[i]) ** 0.5, abs(new_tau - learnt_tau[i]))
            learnt_pi[i], learnt_tau[i] = new_pi, new_tau
            if downwards:
                above_pi[i + 1], above_tau[i + 1] = _sum(p, t, new_pi, -new_tau)
            else:
                below_pi[i], below_tau[i] = _sum(q, u, new_pi, new_tau)
        if change <= AT_REST:
            break
    below_pi[0], below_tau[0] = _sum(pi[1] + below_pi[1], tau[1] + below_tau[1], learnt_pi[0], learnt_tau[0])
    p, t = pi[end - 1] + above_pi[end - 1], tau[end - 1] + above_tau[end - 1]
    above_pi[end], above_tau[end] = _sum(p, t, learnt_pi[-1], -learnt_tau[-1])
    return [(above_pi[i] + below_pi[i], above_tau[i] + below_tau[i]) for i in range(end + 1)]


@cache
def _visits(end: int) -> list[tuple[int, bool]]:
    """Return the differences of a round, down the ranks and up again, and whether it goes down there."""
    down, up = range(end - 1), range(end - 1, 0, -1)
    return [(i, True) for i in down] + [(i, False) for i in up] or [(0, True)]


def _sum(pi: float, tau: float, other_pi: float, other_tau: float) -> Normal:
    """Return the distribution of the sum of two that are independent."""
    both = pi + other_pi
    return pi * other_pi / both, (other_pi * tau + pi * other_tau) / both


def _learnt(pi: float, tau: float, tie: bool, margin: float) -> Normal:
    """Return what a win or a tie says of a difference that was believed to be (pi, tau).

    V and W, and what follows from them, are those of the paper, section 3.3.
    """
    root = math.sqrt(pi)
    mean, margin = tau / root, margin * root
    if tie:
        a, b = margin - abs(mean), -margin - abs(mean)
        likely = 0.5 * (math.erfc(-a * _ROOT_HALF) - math.erfc(-b * _ROOT_HALF))
        if not likely:
            raise FloatingPointError("a tie of two so different is too surprising")
        at_a, at_b = _DENSITY * math.exp(-0.5 * a * a), _DENSITY * math.exp(-0.5 * b * b)
        v = (at_b - at_a) / likely
        w = v * v + (a * at_a - b * at_b) / likely
        v = -v if mean < 0 else v
    else:
        x = mean - margin
        likely = 0.5 * math.erfc(-x * _ROOT_HALF)
        v = _DENSITY * math.exp(-0.5 * x * x) / likely if likely else -x
        w = v * (v + x)
        if not 0 < w < 1:
            raise FloatingPointError("a win against one so much better is too surprising")
    rest = 1 - w
    return pi / rest - pi, (tau + root * v) / rest - tau
