"""Make homes with made-up results, for tests of commands that read."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

from ladder.home.home import create_home
from results.rating.cache import save
from results.rating.tables import save_pairs
from results.rating.tally import tally_afresh
from results.record import Block, encode_block
from results.storage.store import Store
from support.records import a_match, a_run

__all__ = ["a_rated_home"]


def a_rated_home(path: Path, bots: list[str], blocks: int = 10) -> Path:
    """Make a home in which each two of *bots* have played that many *blocks* of stellar; return *path*.

    A bot mostly beats those that come after it.
    """
    create_home(path)
    store = Store(path / "results")
    tables = [pair for _ in range(blocks) for pair in combinations(bots, 2)]
    with store.lock():
        store.begin(a_run(1))
        for number, pair in enumerate(tables):
            ranks = (2, 1) if number % 7 < 2 or number % 11 == 3 else (1, 2)
            played = [
                a_match(2 * number + i, pair[::step], ranks[::step], block=number, rotation=i)
                for i, step in enumerate((1, -1))
            ]
            store.append(number, encode_block(Block(number, played, [])))
        store.finish(1, len(tables))
        save_pairs(store, save(store, tally_afresh(store.contents())))
    return path
