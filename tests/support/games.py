"""The tables that tests of all games run over: every size of every game, and of two that only tests have."""

from __future__ import annotations

import pytest

from engines import GAMES
from support.short_game import Showdown
from support.toy_game import Toy

ALL_GAMES = [*GAMES.values(), Toy(), Showdown()]
TABLES = [(game, seats) for game in ALL_GAMES for seats in game.seats]
MATCHES = [
    (game, game.seats[seed % len(game.seats)], seed)  # a game of many sizes has fewer matches of each
    for game in ALL_GAMES
    for seed in range(40)
]

each_game = pytest.mark.parametrize("game", ALL_GAMES, ids=lambda game: game.name)
each_table = pytest.mark.parametrize(
    ("game", "seats"), TABLES, ids=[f"{game.name}-{seats}" for game, seats in TABLES]
)
each_match = pytest.mark.parametrize(
    ("game", "seats", "seed"), MATCHES, ids=[f"{game.name}-{seats}-{seed}" for game, seats, seed in MATCHES]
)
