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

__all__ = ["Skill", "update_skills"]

Skill: TypeAlias = tuple[float, float]
"""What is believed of a skill: mean and standard deviation."""
Normal: TypeAlias = tuple[float, float]
"""A normal distribution: pi and tau."""

ROUNDS = 10
"""How often the chain is gone through at most, there and back."""
CONVERGED = 1e-4
"""A round that changes no difference by more is the last one."""
UNKNOWN: Normal = (0.0, 0.0)
"""What is known before anything is said."""

_ROOT_HALF = math.sqrt(0.5)
_DENSITY = 1 / math.sqrt(2 * math.pi)


def update_skills(
    skills: Sequence[Skill], ties: Sequence[bool], beta: float, draw_probability: float
) -> list[Skill]:
    """Return the skills of all seats after a match; *skills* are those before, by rank, the winner's first.

    *ties*: for each seat but the last, whether the next one has the same rank.  Raises an ArithmeticError or
    a ValueError where an outcome is too surprising for the numbers.
    """
    noise, margin = beta * beta, _margin(draw_probability, beta)
    shown: list[Normal] = []
    for mu, sigma in skills:
        pi = 1.0 / (sigma * sigma + noise)
        shown.append((pi, pi * mu))
    if len(shown) == 2:
        said = _infer_two(shown[0], shown[1], ties[0], margin)
    elif len(shown) == 4:
        said = _infer_four(shown, ties, margin)
    else:
        said = _infer(shown, ties, margin)
    after = []
    for (mu, sigma), (said_pi, said_tau) in zip(skills, said, strict=True):
        share = 1.0 / (1.0 + noise * said_pi)  # of what is said of a performance is said of the skill
        own_pi = 1.0 / (sigma * sigma)
        new_pi = own_pi + share * said_pi
        after.append(((own_pi * mu + share * said_tau) / new_pi, sqrt(1.0 / new_pi)))
    return after


@cache
def _margin(draw_probability: float, beta: float) -> float:
    """Return by how much two performances may differ in a tie, so that equal seats tie that often."""
    return NormalDist().inv_cdf((draw_probability + 1) / 2) * math.sqrt(2) * beta


def _infer_two(winner: Normal, loser: Normal, tie: bool, margin: float) -> list[Normal]:
    """Return what the outcome says of the performances of two seats, which are believed to be like that."""
    (p, t), (q, u) = winner, loser
    pi, tau = _infer_difference(p, t, q, u, tie, margin)
    return [_sum(q, u, pi, tau), _sum(p, t, pi, -tau)]


def _infer(shown: list[Normal], ties: Sequence[bool], margin: float) -> list[Normal]:
    """Return what the outcome says of the performance of each seat, which are believed to be like *shown*.

    A fold spends its time here and in _said_of_four, so what is _sum elsewhere is written out.
    """
    end = len(shown) - 1
    above, below = [UNKNOWN] * (end + 1), [UNKNOWN] * (end + 1)  # said of a seat by the one above, below it
    upper, lower = list(shown), list(shown)  # what is believed of a seat with the one, and with the other
    learnt = [UNKNOWN] * end  # said of a difference by its outcome
    visits = _visits(end)
    for _ in range(ROUNDS):
        at_rest = True
        for i, downwards in visits:
            p, t = upper[i]
            q, u = lower[i + 1]
            now = pi, tau = _infer_difference(p, t, q, u, ties[i], margin)
            at_rest = at_rest and _has_converged(learnt[i], now)
            learnt[i] = now
            if downwards:
                both = p + pi
                above[i + 1] = p, t = p * pi / both, (pi * t - p * tau) / both
                q, u = shown[i + 1]
                upper[i + 1] = q + p, u + t
            else:
                both = q + pi
                below[i] = q, u = q * pi / both, (pi * u + q * tau) / both
                p, t = shown[i]
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


def _infer_four(shown: list[Normal], ties: Sequence[bool], margin: float) -> list[Normal]:
    """Return what _said returns for four seats, to the last bit, in three quarters of the time.

    It is the same way down the ranks and up again, without lists: lower_p2 and lower_t2 are pi and tau of
    what is believed of the second seat with the one below it.
    """
    (p1, t1), (p2, t2), (p3, t3), (p4, t4) = shown
    lower_p2, lower_t2, lower_p3, lower_t3 = p2, t2, p3, t3
    first = second = third = UNKNOWN  # said of each difference by its outcome
    for _ in range(ROUNDS):
        old_first, old_second, old_third = first, second, third
        first = pi, tau = _infer_difference(p1, t1, lower_p2, lower_t2, ties[0], margin)
        both = p1 + pi
        above_p2, above_t2 = p1 * pi / both, (pi * t1 - p1 * tau) / both
        upper_p2, upper_t2 = p2 + above_p2, t2 + above_t2
        downwards = pi, tau = _infer_difference(upper_p2, upper_t2, lower_p3, lower_t3, ties[1], margin)
        both = upper_p2 + pi
        above_p3, above_t3 = upper_p2 * pi / both, (pi * upper_t2 - upper_p2 * tau) / both
        upper_p3, upper_t3 = p3 + above_p3, t3 + above_t3
        third = pi, tau = _infer_difference(upper_p3, upper_t3, p4, t4, ties[2], margin)
        both = p4 + pi
        below_p3, below_t3 = p4 * pi / both, (pi * t4 + p4 * tau) / both
        lower_p3, lower_t3 = p3 + below_p3, t3 + below_t3
        second = pi, tau = _infer_difference(upper_p2, upper_t2, lower_p3, lower_t3, ties[1], margin)
        both = lower_p3 + pi
        below_p2, below_t2 = lower_p3 * pi / both, (pi * lower_t3 + lower_p3 * tau) / both
        lower_p2, lower_t2 = p2 + below_p2, t2 + below_t2
        if (
            _has_converged(old_first, first)
            and _has_converged(old_second, downwards)
            and _has_converged(old_third, third)
            and _has_converged(downwards, second)
        ):
            break
    pi, tau = third
    return [
        _sum(lower_p2, lower_t2, *first),
        (above_p2 + below_p2, above_t2 + below_t2),
        (above_p3 + below_p3, above_t3 + below_t3),
        _sum(upper_p3, upper_t3, pi, -tau),
    ]


def _has_converged(old: Normal, new: Normal) -> bool:
    """Return whether what is said of a difference has hardly changed."""
    (old_pi, old_tau), (pi, tau) = old, new
    return abs(tau - old_tau) <= CONVERGED and abs(pi - old_pi) ** 0.5 <= CONVERGED


def _sum(pi: float, tau: float, other_pi: float, other_tau: float) -> Normal:
    """Return the distribution of the sum of two that are independent."""
    both = pi + other_pi
    return pi * other_pi / both, (other_pi * tau + pi * other_tau) / both


def _infer_difference(p: float, t: float, q: float, u: float, tie: bool, margin: float) -> Normal:
    """Return what the outcome says of the difference of two seats, believed to be (p, t) and (q, u).

    V and W, and what follows from them, are those of the paper, section 3.3.
    """
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
        raise FloatingPointError("a win against one so much better is too surprising")
    rest = 1.0 - w
    return pi / rest - pi, (tau + root * v) / rest - tau


def _infer_tie(pi: float, tau: float, margin: float) -> Normal:
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
