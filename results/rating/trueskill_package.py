"""The trueskill package with an exact backend: ratings to check the ladder's own.

These ratings are compared and never stored.  This is the only module that imports the package.
"""

import math
import warnings
from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from statistics import NormalDist
from typing import Any

from results.rating.update import Skill

with warnings.catch_warnings():
    warnings.simplefilter("ignore", SyntaxWarning)  # of an escape in a docstring, from Python 3.12 on
    warnings.simplefilter("ignore", DeprecationWarning)  # the same, before
    import trueskill


def _cdf(x: float, mu: float = 0.0, sigma: float = 1.0) -> float:
    return 0.5 * math.erfc((mu - x) / (sigma * math.sqrt(2)))


def _pdf(x: float, mu: float = 0.0, sigma: float = 1.0) -> float:
    return math.exp(-0.5 * ((x - mu) / sigma) ** 2) / (sigma * math.sqrt(2 * math.pi))


@cache
def _ppf(x: float) -> float:
    return NormalDist().inv_cdf(x)


@cache
def _environment(beta: float, draw_probability: float) -> Any:
    """Return the package's environment: exact functions, and a tau of 0 because versions do not change."""
    return trueskill.TrueSkill(
        beta=beta, tau=0.0, draw_probability=draw_probability, backend=(_cdf, _pdf, _ppf)
    )


def update_skills(
    skills: Sequence[Skill], ties: Sequence[bool], beta: float, draw_probability: float
) -> list[Skill]:
    """Return the skills after a match.  Raises FloatingPointError if the outcome is too improbable."""
    ranks = [*accumulate((not tie for tie in ties), initial=0)]
    groups = [(trueskill.Rating(mu, sigma),) for mu, sigma in skills]
    rated = _environment(beta, draw_probability).rate(groups, ranks=ranks)
    return [(rating.mu, rating.sigma) for (rating,) in rated]
