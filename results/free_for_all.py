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
from math import erfc, exp, sqrt
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
NOTHING: Normal = (0.0, 0.0)
"""What is known before anything is said."""

_ROOT_HALF = math.sqrt(0.5)
_UNLIKELY_WIN = "a win against one so much better is too surprising"
_DENSITY = 1 / math.sqrt(2 * math.pi)


def updated(
    skills: Sequence[Skill], ties: Sequence[bool], beta: float, draw_probability: float
) -> list[Skill]:
    """Return the skills of all seats after a match; *skills* are those before, by rank, the winner's first.

    *ties*: for each seat but the last, whether the next one has the same rank.  Raises an ArithmeticError or
    a ValueError where an outcome is too surprising for the numbers.
    """
    noise, margin = beta * beta, _margin(draw_probability, beta)
    shown: list[Normal] = []
    for mu, sigma in skills:
        pi = 1 / (sigma * sigma + noise)
        shown.append((pi, pi * mu))
    if len(shown) == 2:
        said = _said_of_two(shown[0], shown[1], ties[0], margin)
    else:
        said = _said(shown, ties, margin)
    after = []
    for (mu, sigma), (said_pi, said_tau) in zip(skills, said, strict=True):
        share = 1 / (1 + noise * said_pi)  # of what is said of a performance is said of the skill
        own_pi = 1 / (sigma * sigma)
        new_pi = own_pi + share * said_pi
        after.append(((own_pi * mu + share * said_tau) / new_pi, sqrt(1 / new_pi)))
    return after


@cache
def _margin(draw_probability: float, beta: float) -> float:
    """Return by how much two performances may differ in a tie, so that equal seats tie that often."""
    return NormalDist().inv_cdf((draw_probability + 1) / 2) * math.sqrt(2) * beta


def _said_of_two(winner: Normal, loser: Normal, tie: bool, margin: float) -> list[Normal]:
    """Return what the outcome says of the performances of two seats, which are believed to be like that."""
    (p, t), (q, u) = winner, loser
    both = p + q
    pi, tau = (_tied if tie else _won)(p * q / both, (q * t - p * u) / both, margin)
    return [_sum(q, u, pi, tau), _sum(p, t, pi, -tau)]


def _said(shown: list[Normal], ties: Sequence[bool], margin: float) -> list[Normal]:
    """Return what the outcome says of the performance of each seat, which are believed to be like *shown*.

    This is where a fold spends its time, so _sum and _won are written out here.
    """
    end = len(shown) - 1
    above, below = [NOTHING] * (end + 1), [NOTHING] * (end + 1)  # said of a seat by the one above, below it
    upper, lower = list(shown), list(shown)  # what is believed of a seat with the one, and with the other
    learnt = [NOTHING] * end  # said of a difference by its outcome
    visits = _visits(end)
    for _ in range(ROUNDS):
        at_rest = True
        for i, downwards in visits:
            p, t = upper[i]
            q, u = lower[i + 1]
            both = p + q
            pi, tau = p * q / both, (q * t - p * u) / both
            if ties[i]:
                pi, tau = _tied(pi, tau, margin)
            else:
                root = sqrt(pi)
                x = tau / root - margin * root
                likely = 0.5 * erfc(-x * _ROOT_HALF)
                v = _DENSITY * exp(-0.5 * x * x) / likely if likely else -x
                w = v * (v + x)
                if not 0 < w < 1:
                    raise FloatingPointError(_UNLIKELY_WIN)
                rest = 1 - w
                pi, tau = pi / rest - pi, (tau + root * v) / rest - tau
            if at_rest:
                old_pi, old_tau = learnt[i]
                at_rest = abs(tau - old_tau) <= AT_REST and abs(pi - old_pi) ** 0.5 <= AT_REST
            learnt[i] = pi, tau
            if downwards:
                both = p + pi
                q, u = shown[i + 1]
                p, t = above[i + 1] = p * pi / both, (pi * t - p * tau) / both
                upper[i + 1] = q + p, u + t
            else:
                both = q + pi
                p, t = shown[i]
                q, u = below[i] = q * pi / both, (pi * u + q * tau) / both
                lower[i] = p + q, t + u
        if at_rest:
            break
    pi, tau = learnt[-1]
    above[-1] = _sum(*upper[-2], pi, -tau)
    below[0] = _sum(*lower[1], *learnt[0])
    return [(p + q, t + u) for (p, t), (q, u) in zip(above, below, strict=True)]


@cache
def _visits(end: int) -> list[tuple[int, bool]]:
    """Return the differences of a round, down the ranks and up again, and whether it goes down there."""
    return [(i, True) for i in range(end - 1)] + [(i, False) for i in range(end - 1, 0, -1)]


def _sum(pi: float, tau: float, other_pi: float, other_tau: float) -> Normal:
    """Return the distribution of the sum of two that are independent."""
    both = pi + other_pi
    return pi * other_pi / both, (other_pi * tau + pi * other_tau) / both


def _won(pi: float, tau: float, margin: float) -> Normal:
    """Return what a win says of a difference that was believed to be (pi, tau).

    V and W, and what follows from them, are those of the paper, section 3.3.
    """
    root = sqrt(pi)
    x = tau / root - margin * root
    likely = 0.5 * erfc(-x * _ROOT_HALF)
    v = _DENSITY * exp(-0.5 * x * x) / likely if likely else -x
    w = v * (v + x)
    if not 0 < w < 1:
        raise FloatingPointError(_UNLIKELY_WIN)
    rest = 1 - w
    return pi / rest - pi, (tau + root * v) / rest - tau


def _tied(pi: float, tau: float, margin: float) -> Normal:
    """Return what a tie says of a difference that was believed to be (pi, tau)."""
    root = sqrt(pi)
    mean, margin = tau / root, margin * root
    a, b = margin - abs(mean), -margin - abs(mean)
    likely = 0.5 * (erfc(-a * _ROOT_HALF) - erfc(-b * _ROOT_HALF))
    if not likely:
        raise FloatingPointError("a tie of two so different is too surprising")
    at_a, at_b = _DENSITY * exp(-0.5 * a * a), _DENSITY * exp(-0.5 * b * b)
    v = (at_b - at_a) / likely
    w = v * v + (a * at_a - b * at_b) / likely
    v = -v if mean < 0 else v
    rest = 1 - w
    return pi / rest - pi, (tau + root * v) / rest - tau
