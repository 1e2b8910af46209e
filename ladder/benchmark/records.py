"""A home with very many recorded matches: what it takes to record, open, rate and continue them.

No bot process plays them.  Matches of random moves are played through the engines, about a segment's worth,
and the parent of a run records them again and again as if workers had sent them: each under its own number,
block, bots and names, with the deal, moves, ranks and times of the match that it repeats.  So every row can
be read and replayed, but a deal's seed is that of the block that was played first, and the ratings say no
more than that all bots are alike.  No segment holds the same moves twice, which would pack too well.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random

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
from ladder.submission import submit
from ladder.worker import Setup
from results import record, schema
from results.ratings import Fold
from results.store import Store

__all__ = ["Repeats", "record_figures"]

BOTS = 6
PLAYED = ("stellar", "stella")
"""One of two seats, and one that is asked for at four."""
LEFT = 8
"""So many blocks of the run are left for `ladder run --resume` to play, with bot processes."""
MEMORY_MB = 1000
"""What a command may take at most, however many matches there are."""


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
        yield from _command(home, "leaderboard", within_s=2)
        yield from _command(home, "run", "--resume", "--sandbox", "none")
        yield _opened(home)
        yield from _command(home, "leaderboard", within_s=2)
        yield from _command(home, "leaderboard", "--game", "stella", "--seats", "4")
        yield from _folded(store)


# -- recording


class Repeats:
    """An executor that plays no more matches than a segment holds, at random, and repeats them."""

    chunk_s = 0.25

    def __init__(self, setup: Setup, end: int, stop: Stop) -> None:
        """Ask to *stop* before block *end*."""
        self.seconds = 0.0
        """What was spent on playing and repeating, which a run's parent leaves to others."""
        self.blocks = self.bytes = 0
        """What was handed to the parent."""
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
            self.blocks += 1
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
        run = begin(home, store, Request(games=PLAYED, seats=(2, 4), matches=matches, seed=1))
        setup, stop = setup_of(home, run, 1, pinned=True), Stop()
        executor = Repeats(setup, sum(run.settings["blocks"]) - LEFT, stop)
        running = Running(store, run, setup, lambda status: None)
        began = time.perf_counter()
        with suppress(RunStopped):
            running.play(executor, stop)
        seconds = time.perf_counter() - began - executor.seconds
    done = running.status.done
    name = f"{done:,} matches recorded"
    yield Figure(f"{name}: matches, by the parent of a run alone", done / seconds, "matches/s")
    yield Figure(f"{name}: blocks", executor.blocks / seconds, "blocks/s")
    sheet = store.picture().manifest
    assert sheet is not None
    sealed = [segment.matches for segment in sheet.segments]
    yield Figure(f"{name}: in the journal", executor.bytes / done, "bytes/match")
    packed = sum(file.size for file in sealed) / sum(file.rows for file in sealed)
    yield Figure(f"{name}: in Parquet", packed, "bytes/match")


# -- reading


def _command(home: Home, *words: str, within_s: float | None = None) -> Iterator[Figure]:
    """Measure a command of the ladder, from its start to its end.  Raises LadderError if it fails."""
    name = f"ladder {' '.join(words)}"
    command = [sys.executable, "-m", "ladder", *words, "--home", str(home.path)]
    quiet = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_WRONLY, 0) for stream in (1, 2)]
    began = time.perf_counter()
    pid = os.posix_spawn(sys.executable, command, os.environ, file_actions=quiet)
    peak_mb = 0.0
    while not os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
        peak_mb = peak_rss_mb(pid) or peak_mb
        time.sleep(0.01)
    seconds = time.perf_counter() - began
    _, status, used = os.wait4(pid, 0)
    if status:
        code = os.waitstatus_to_exitcode(status)
        raise LadderError(f"{name} ended with exit status {code}", "measure again, in a quiet moment")
    yield at_most(name, seconds, "s", within_s) if within_s else Figure(name, seconds, "s")
    yield Figure(f"{name}: CPU", used.ru_utime + used.ru_stime, "s")
    if peak_mb:
        yield at_most(f"{name}: memory", peak_mb, "MB", MEMORY_MB)


def peak_rss_mb(pid: int) -> float | None:
    """Return the largest resident size that process *pid* has had so far, in MB, where /proc tells it.

    What a parent is told at the end would include what it took itself when it started the process.
    """
    with suppress(OSError, IndexError):
        status = Path(f"/proc/{pid}/status").read_text("ascii")
        return int(status.partition("VmHWM:")[2].split()[0]) / 1024
    return None


def _opened(home: Home) -> Figure:
    began = time.perf_counter()
    with Store(home.results).lock():
        return at_most("open the results", time.perf_counter() - began, "s", 1)


def _folded(store: Store) -> Iterator[Figure]:
    """Measure the fold of the matches of four seats, in CPU time: reading, which is for all, and rating.

    It is what `ladder leaderboard --seats 4` does.
    """
    fold, picture = Fold(), store.picture()
    fold.begin(picture.run(1))
    seats = of_four = 0
    reading = rating = 0.0
    began = time.process_time()
    for finishes in picture.finishes(1):
        arrived = time.process_time()
        reading += arrived - began
        seats += len(finishes.seats)
        table = finishes.at_tables_of(4)
        fold.add_finished(table)
        of_four += len(table.seats)
        began = time.process_time()
        rating += began - arrived
    read, rated = 4e6 * reading / seats, 4e6 * rating / of_four
    yield Figure("read what ratings need of a match of four seats", read, "us/match")
    yield Figure("rate a match of four seats", rated, "us/match")
    yield at_most("read and rate a match of four seats", read + rated, "us/match", 40)
