"""The tables that tests of all games run over: every size of every game, and of two that only tests have."""

from __future__ import annotations

import pytest

from engines import GAMES
from engines.template import Toy
from support.short_game import Showdown

ALL_GAMES = [*GAMES.values(), Toy(), Showdown()]
TABLES = [(game, seats) for game in ALL_GAMES for seats in game.seats]
each_table = pytest.mark.parametrize(
    ("game", "seats"), TABLES, ids=[f"{game.name}-{seats}" for game, seats in TABLES]
)
