"""Tests of all games: every size of every game, and of two that only tests have.  Tests of fewer games."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from engines import GAMES
from engines.template import Toy
from support.short_game import Showdown

ALL_GAMES = [*GAMES.values(), Toy(), Showdown()]
TABLES = [(game, seats) for game in ALL_GAMES for seats in game.seats]
each_table = pytest.mark.parametrize(
    ("game", "seats"), TABLES, ids=[f"{game.name}-{seats}" for game, seats in TABLES]
)


@contextmanager
def only(*names: str) -> Iterator[None]:
    """Let there be the games of these *names* alone; afterwards all of them, in their order."""
    games = dict(GAMES)
    for name in games.keys() - {*names}:
        del GAMES[name]
    try:
        yield
    finally:
        GAMES.clear()
        GAMES.update(games)
