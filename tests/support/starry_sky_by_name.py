"""Starry Sky with states told in names, so that a test can read them and write them by hand."""

from __future__ import annotations

from engines.game import Step
from engines.starry_sky import StarrySky
from engines.starry_sky.named import state_of, told

__all__ = ["ByName"]


class ByName(StarrySky):
    """The rules of Starry Sky, on states such as engines.starry_sky.named tells them."""

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
