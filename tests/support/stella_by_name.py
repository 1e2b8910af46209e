"""Stella with states told in names, so that a test can read them and write them by hand."""

from __future__ import annotations

from engines.stella import Stella, scoring
from engines.stella.grid import seat_set
from support.told import by_name

__all__ = ["ByName", "round_scores"]

ByName = by_name(Stella)


def round_scores(stars, sparks, dark, fallen):
    """Return the points of a round, as engines.stella.scoring counts them; *dark* is a seat or None."""
    leader = scoring.NO_SEAT if dark is None else dark
    return tuple(scoring.score_round([*stars], [*sparks], leader, seat_set([*fallen])))
