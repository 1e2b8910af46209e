"""Stella with states told in names, so that a test can read them and write them by hand."""

from __future__ import annotations

from engines.stella import Stella, scoring
from engines.stella.grid import seat_set
from support.by_name import ToldInNames
from support.stella_in_names import state_of, told

__all__ = ["ByName", "round_scores"]


class ByName(ToldInNames, Stella):
    """The rules of Stella, on states told in names."""

    def _state(self, named):
        return state_of(named)

    def _told(self, state):
        return told(state)


def round_scores(stars, sparks, dark, fallen):
    """Return the points of a round, as engines.stella.scoring counts them; *dark* is a seat or None."""
    leader = scoring.NO_SEAT if dark is None else dark
    return tuple(scoring.score_round([*stars], [*sparks], leader, seat_set([*fallen])))
