"""Make homes with made-up results, for tests of commands that read."""

import json
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from random import Random

from engines import GAMES, playout
from ladder.home.home import Home, create_home
from results.rating.cache import save
from results.record import Block, Match
from results.reports.labels import Key
from results.storage.store import Store
from support.records import a_lone_match, a_match, a_seat
from support.stores import keep_run, stored


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
    blocks = []
    for number, pair in enumerate(tables):
        ranks = (2, 1) if number % 7 < 2 or number % 11 == 3 else (1, 2)
        played = [_match(run, number, i, pair[::step], ranks[::step]) for i, step in enumerate((1, -1))]
        blocks.append(Block(number, played, []))
    with store.lock():
        keep_run(store, blocks, run, bots=[{"name": name, "version": version} for name, version in bots])
        save(store)


def _match(run: int, block: int, rotation: int, bots: Sequence[Key], ranks: Sequence[int]) -> Match:
    seats = [a_seat(name, rank, version=version) for (name, version), rank in zip(bots, ranks, strict=True)]
    return a_match(2 * block + rotation, run=run, block=block, rotation=rotation, seats=seats)


def a_replayable_home(path: Path, game: str = "stellar", seats: int = 2, matches: int = 2) -> Home:
    """Make a home with random matches of *game*, which can be replayed."""
    home = create_home(path)
    rules, names, blocks = GAMES[game], "abcdef"[:seats], []
    for number in range(matches):
        rng = Random(number)
        deal = rules.deal(seats, rng)
        *_, last = steps = [*playout(rules, deal, seats, rng)]
        outcome = rules.outcome(last.state)
        moves = [[[seat, move] for seat, move in sorted(step.moves.items())] for step in steps[1:]]
        taken = [
            a_seat(name, rank, score=score, notes=[])
            for name, rank, score in zip(names, outcome.ranks, outcome.scores, strict=True)
        ]
        told = {"game": game, "game_version": rules.version, "options": {}, "deal": deal, "rotation": 0}
        blocks.append(a_lone_match(number, seats=taken, moves=json.dumps(moves), **told))
    stored(home.results, *blocks, bots=[{"name": name, "version": f"{name}-1"} for name in names])
    return home
