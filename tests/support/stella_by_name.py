"""Stella with states told in names, so that a test can read them and write them by hand."""

from __future__ import annotations

from engines.game import Step
from engines.stella import Stella, scoring
from engines.stella.grid import seat_set
from engines.stella.named import state_of, told

__all__ = ["ByName", "round_scores"]


class ByName(Stella):
    """The rules of Stella, on states such as engines.stella.named tells them."""

    def start(self, deal, seats):
        step = super().start(deal, seats)
        return Step(told(step.state), step.events)

    def choices(self, state):
        return super().choices(state_of(state))

    def play(self, state, moves):
        step = super().play(state_of(state), moves)
        return Step(told(step.state), step.events)

    def outcome(self, state):
        return super().outcome(state_of(state))

    def view(self, state, seat):
        return super().view(state_of(state), seat)

    def imagine(self, view, rng):
        return told(super().imagine(view, rng))


def round_scores(stars, sparks, dark, fallen):
    """Return the points of a round, as engines.stella.scoring counts them; *dark* is a seat or None."""
    leader = scoring.NO_SEAT if dark is None else dark
    return tuple(scoring.score_round([*stars], [*sparks], leader, seat_set([*fallen])))
