"""A home with very many recorded matches: what it takes to record, open, rate and continue them.

No bot process plays them.  Matches of random moves are played through the engines, about a segment's worth,
and the parent of a run records them again and again as if workers had sent them: each under its own number,
block, bots and names, with the deal, moves, ranks and times of the match that it repeats.  So every row can
be read and replayed, but a deal's seed is that of the block that was played first, and the ratings say no
more than that all bots are alike.  No segment holds the same moves twice, which would pack too well.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from engines import GAMES, playout
from engines.playout import digest
from ladder.benchmark.figure import Figure, at_most
from ladder.errors import LadderError, RunStopped
from ladder.executors import Played
from ladder.fixture import Block, Fixture, fixtures_of
from ladder.home import Home, create_home, house_bots
from ladder.keys import Keys
from ladder.request import Request, begin, setup_of
from ladder.rule_options import kept
from ladder.run import SEAL_MATCHES, Running, Stop
from ladder.schedule import equal_shares
from ladder.submission import submit
from ladder.worker import Setup
from results import record, schema
from results.ratings import Fold
from results.store import Store

__all__ = ["record_figures"]

BOTS = 6
LEFT = 8
"""So many blocks of the run are left for `ladder run --resume` to play, with bot processes."""
MEMORY_MB = 1000


def record_figures(matches: int) -> Iterator[Figure]:
    """Record a run of about *matches* matches, half Stellar, half Stella at four seats, and read it again.

    The home is made where temporary files are (TMPDIR), and removed.
    """
    with tempfile.TemporaryDirectory() as folder:
        home = create_home(Path(folder, "home"))
        for number in range(BOTS):
            submit(home, house_bots()["random"], f"bot-{number}")
        store = Store(home.results)
        yield from _recorded(home, store, matches)
        yield from _command(home, "leaderboard", seconds=2)
        yield from _command(home, "run", "--resume", "--sandbox", "none")
        yield _opened(home)
        yield from _command(home, "leaderboard", seconds=2)
        yield from _command(home, "leaderboard", "--game", "stella", "--seats", "4")
        yield from _folded(store)


# -- recording


class _Repeats:
    """An executor that plays no more matches than a segment holds, at random, and repeats them."""

    def __init__(self, setup: Setup, end: int, stop: Stop) -> None:
        """Ask to *stop* before block *end*."""
        self.seconds = 0.0
        """What was spent on playing and repeating, which a run's parent leaves to others."""
        self.bytes = 0
        self._setup = setup
        self._keys = Keys(setup.secret)
        self._end = end
        self._stop = stop
        share = 1.2 * SEAL_MATCHES / len(setup.contests)
        self._played: list[list[list[record.Match]]] = [[] for _ in setup.contests]
        """Blocks by contest."""
        self._most = [round(share / contest.seats) for contest in setup.contests]
        self._recorded = [0] * len(setup.contests)
        self._done: list[Played] = []

    def room(self) -> int:
        return 0 if self._done or self._stop.asked else 1

    def submit(self, blocks: Sequence[Block]) -> None:
        began = time.perf_counter()
        for block in blocks:
            if block.number >= self._end:
                self._stop.asked = 1
                break
            payload = record.encode_block(self._block(block))
            self.bytes += len(payload)
            self._done.append(Played(block.number, payload))
        self.seconds += time.perf_counter() - began

    def results(self, timeout: float) -> list[Played]:
        done, self._done = self._done, []
        return done

    def parallel(self, block: Block) -> int:
        return 1

    def unpin(self) -> None:
        pass

    def drain(self) -> Iterator[list[Played]]:
        return iter(())

    def close(self) -> None:
        pass

    def _block(self, block: Block) -> record.Block:
        fixtures = fixtures_of(block, self._setup.contests[block.contest])
        played, most = self._played[block.contest], self._most[block.contest]
        if len(played) < most:
            played.append([self._match(fixture) for fixture in fixtures])
        repeated = played[self._recorded[block.contest] % most]
        self._recorded[block.contest] += 1
        matches = [self._again(match, fixture) for match, fixture in zip(repeated, fixtures, strict=True)]
        return record.Block(block.number, matches, [])

    def _match(self, fixture: Fixture) -> record.Match:
        """Play *fixture* at random; who sits there is said by _again."""
        contest, rng = fixture.contest, Random(fixture.match)
        game, seed = GAMES[contest.game], self._keys.deal(fixture.block)
        deal = game.deal(contest.seats, Random(int.from_bytes(seed, "big")), contest.options)
        _, *steps = playout(game, deal, contest.seats, rng)
        outcome = game.outcome(steps[-1].state)
        asked = [sum(seat in step.moves for step in steps) for seat in range(contest.seats)]
        return record.Match(
            run=self._setup.run,
            number=fixture.match,
            attempt=0,
            block=fixture.block,
            rotation=fixture.rotation,
            game=contest.game,
            game_version=game.version,
            options=kept(contest.options),
            deal_seed=seed.hex(),
            deal_digest=digest(deal),
            deal=None,
            moves=schema.to_json([[[seat, move] for seat, move in sorted(s.moves.items())] for s in steps]),
            seats=[
                _seat(rank, score, count, rng)
                for rank, score, count in zip(outcome.ranks, outcome.scores, asked, strict=True)
            ],
            void=False,
            paired=True,
            sandbox="none",
            started=time.time_ns() // 1000,
            duration_us=sum(asked) * 120,
        )

    def _again(self, match: record.Match, fixture: Fixture) -> record.Match:
        """Return *match* as that of *fixture*."""
        seats = [
            replace(
                seat,
                bot=self._setup.bots[bot].bot,
                version=self._setup.bots[bot].version,
                name=self._keys.name(fixture.match, index),
            )
            for index, (seat, bot) in enumerate(zip(match.seats, fixture.bots, strict=True))
        ]
        return replace(match, number=fixture.match, block=fixture.block, seats=seats)


def _seat(rank: int, score: int, decisions: int, rng: Random) -> record.Seat:
    """Return a seat of a bot that thinks for about 50 us."""
    think_us = [round(40 * rng.paretovariate(3)) for _ in range(decisions)]
    return record.Seat(
        bot="",
        version="",
        name="",
        rank=rank,
        score=score,
        fault=None,
        fault_step=None,
        think_us=think_us,
        busy_us=[us * 9 // 10 for us in think_us],
        outside_us=rng.randrange(300),
        cpu_us=sum(think_us),
        notes=[],
        usage=None,
    )


def _recorded(home: Home, store: Store, matches: int) -> Iterator[Figure]:
    """Record all but the last blocks of a run."""
    with store.lock():
        run = begin(home, store, Request(games=("stellar", "stella"), seats=(2, 4), matches=2 * matches, seed=1))
        ...
