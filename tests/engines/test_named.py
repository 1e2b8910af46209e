"""The old names for states told in names, which warn for one release."""

from __future__ import annotations

from importlib import import_module
from random import Random

import pytest

from engines import GAMES


@pytest.mark.parametrize("name", ["stella", "stella-quest", "stellar", "starry-sky"])
def test_the_old_teller_warns_and_returns_the_views_of_all_seats(name):
    game = GAMES[name]
    seats = game.seats[-1]
    state = game.start(game.deal(seats, Random(1)), seats).state
    package = f"engines.{name.replace('-', '_')}"
    with pytest.warns(DeprecationWarning, match=rf"{package}.named.told is deprecated: call game.view"):
        views = import_module(f"{package}.named").told(state)
    assert [game.view(state, seat) for seat in range(seats)] == views
