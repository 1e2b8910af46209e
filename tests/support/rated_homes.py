"""Make homes with made-up results, for tests of commands that read."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

from ladder.home.home import create_home
from results.rating.cache import save
from results.record import Block, Match, encode_block
from results.reports.labels import Key
from results.storage.store import Store
from support.records import a_match, a_run, a_seat

__all__ = ["a_rated_home", "rate"]


def a_rated_home(path: Path, bots: list[str], blocks: int = 10) -> Path:
    """Make a home in which each two of *bots* have played that many *blocks* of stellar; return *path*.

    A bot mostly beats those that come after it.
    """
    create_home(path)
    rate(path, [(bot, f"{bot}-1") for bot in bots], blocks)
    return path


def rate(home: Path, bots: list[Key], blocks: int = 10) -> None:
    """Add a run to *home* in which each two of *bots*, names and versions, have played: see a_rated_home."""
    store = Store(home / "results")
    tables = [pair for _ in range(blocks) for pair in combinations(bots, 2)]
    run = 1 + len(store.runs())
    with store.lock():
        store.begin(a_run(run, bots=[{"name": name, "version": version} for name, version in bots]))
        for number, pair in enumerate(tables):
            ranks = (2, 1) if number % 7 < 2 or number % 11 == 3 else (1, 2)
            played = [_match(run, number, i, pair[::step], ranks[::step]) for i, step in enumerate((1, -1))]
            store.append(number, encode_block(Block(number, played, [])))
        store.finish(run, len(tables))
        save(store)


def _match(run: int, block: int, rotation: int, bots: Sequence[Key], ranks: Sequence[int]) -> Match:
    seats = [a_seat(name, rank, version=version) for (name, version), rank in zip(bots, ranks, strict=True)]
    return a_match(2 * block + rotation, run=run, block=block, rotation=rotation, seats=seats)
