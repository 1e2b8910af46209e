"""Starry Sky with states told in names, so that a test can read them and write them by hand."""

from __future__ import annotations

from engines.starry_sky import StarrySky
from engines.starry_sky.named import state_of, told
from support.by_name import ToldInNames

__all__ = ["ByName"]


class ByName(ToldInNames, StarrySky):
    """The rules of Starry Sky, on states such as engines.starry_sky.named tells them."""

    def _state(self, named):
        return state_of(named)

    def _told(self, state):
        return told(state)
