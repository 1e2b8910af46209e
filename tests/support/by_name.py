"""Rules on states told in names, so that a test can read them and write them by hand."""

from __future__ import annotations

from engines.game import Step

__all__ = ["ToldInNames"]


class ToldInNames:
    """What a game's ByName adds to it: put it before the game among the bases, and say how to translate."""

    def _state(self, named):
        """Return the state that *named* tells."""
        raise NotImplementedError

    def _told(self, state):
        """Return *state*, told in names."""
        raise NotImplementedError

    def start(self, deal, seats):
        step = super().start(deal, seats)
        return Step(self._told(step.state), step.events)

    def choices(self, state):
        return super().choices(self._state(state))

    def play(self, state, moves):
        step = super().play(self._state(state), moves)
        return Step(self._told(step.state), step.events)

    def outcome(self, state):
        return super().outcome(self._state(state))

    def view(self, state, seat):
        return super().view(self._state(state), seat)

    def imagine(self, view, rng):
        return self._told(super().imagine(view, rng))
