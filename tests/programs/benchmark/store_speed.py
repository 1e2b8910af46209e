"""Measure a home with a tenth of very many matches, then with all: record, open, rate, verify, continue them.

No bot process plays them.  The engines play random moves on all cores, each match on the deal of its block,
and the parent of a run records the matches as if workers had sent them.  So every row can be read, replayed
and verified; but the times of decisions are invented, and the ratings only show that the bots are alike.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from statistics import median

from support.submitting import submit

from engines import GAMES, playout
from engines.game import Outcome, Seat
from engines.playout import deal_digest
from ladder.contest.blocks import PlannedBlock, ScheduledMatch, matches_of
from ladder.contest.custom_options import replace_custom
from ladder.contest.keys import Keys, deal_rng
from ladder.dev.benchmark.figure import Figure
from ladder.dev.benchmark.rig import memory_mb
from ladder.errors import LadderError, RunStopped
from ladder.home.home import Home, create_home, house_bots, open_home
from ladder.machine.cores import usable_cores
from ladder.machine.pool import Pool
from ladder.process.procfs import children
from ladder.run.coordinator import Coordinator
from ladder.run.executors.base import Executor, FinishedBlock, Result
from ladder.run.request import begin
from ladder.run.run_options import RunRequest
from ladder.run.setup import setup_of
from ladder.run.status import Stop
from ladder.worker.worker_messages import Setup
from programs.benchmark.cost_page import CostTable
from results import record
from results.storage import schema
from results.storage.store import Store

BOTS = 20
PLAYED = ("stellar", "stella")
"""The games: one with two seats, and one requested at four."""
LEFT = 8
"""Blocks that are left for `ladder run --resume` to play with bot processes."""
BATCH_BLOCKS = 2000
"""Blocks played before the parent records them: about a second of its work."""
TASK_BLOCKS = 20
"""Blocks per task of a process."""
MEMORY_MB = 1000
"""The target for the memory of a command, for any number of matches."""
SPACE = 700
"""Bytes of the disk that a match takes, with its share of the site."""
SPARE_BYTES = 3_000_000_000
"""What the rest takes, and stays free."""
WHOLE = 100_000
"""With more matches, a verification that replays all of them is left out: it takes core-hours."""


def record_figures(matches: int, table: CostTable) -> Iterator[Figure]:
    """Record *matches* in two runs, half Stellar, half Stella at four seats; measure after each.

    The first run has a tenth of them.  The home is a temporary folder (see TMPDIR), which is removed
    afterwards.  If its disk is too small, there are fewer.  *table* gets the costs.
    """
    with tempfile.TemporaryDirectory() as folder:
        room = (shutil.disk_usage(folder).free - SPARE_BYTES) // SPACE
        if room < 20_000:
            raise LadderError(f"{folder}: the disk is almost full", "free some, or set TMPDIR")
        most = min(matches, room)
        home = _make_home(Path(folder, "home"))
        for part in (most // 10, most - most // 10):
            yield from _measure_recording(home, part, sum(table.sizes[-1:]) + part, table)
            yield from _measure_reading(home, Path(folder, "site"), table, replay_all=most <= WHOLE)


def _measure_reading(home: Home, site: Path, table: CostTable, *, replay_all: bool) -> Iterator[Figure]:
    """Measure what reads the matches of *home*, when its last run has ended."""
    size_mb = sum(file.stat().st_size for file in home.results.rglob("*") if file.is_file()) / 1e6
    yield table.add("results on the disk", size_mb, "MB", grows=True)
    yield from _apart("opening the results (wall time)", _open, home, table, 0.2)
    yield from _command(table, home, "leaderboard", "--game", "stella", aim=3)
    yield from _apart("planning the next link of a chain", _plan_link, home, table, 2)
    yield from _command(table, home, "home", "rate", grows=True)
    yield from _command(table, home, "site", str(site), grows=True)
    yield from _command(table, home, "home", "verify", "--sample", "1000", grows=True)
    if replay_all:
        yield from _command(table, home, "home", "verify", grows=True)


def _make_home(path: Path) -> Home:
    """Return a new home at *path* with BOTS bots."""
    home = create_home(path)
    for number in range(BOTS):
        submit(home, house_bots()["random"], f"bot-{number}", checks="none")
    return home


# -- recording


class Playouts(Executor):
    """An executor that plays random moves without bots: many blocks at a time, while the parent waits."""

    def __init__(self, setup: Setup, end: int, stop: Stop, pool: Pool) -> None:
        """Ask to *stop* before block *end*; *pool* plays."""
        super().__init__()
        self.seconds = 0.0
        """The CPU time of this process for playing, which is not the work of a run's parent."""
        self.blocks = self.bytes = 0
        """The numbers of blocks and bytes returned to the parent."""
        self._setup = setup
        self._end = end
        self._stop = stop
        self._pool = pool
        self._waiting: list[PlannedBlock] = []

    def room(self) -> int:
        return 0 if self._stop.asked or len(self._waiting) >= BATCH_BLOCKS else 1

    def submit(self, blocks: Sequence[PlannedBlock], *, alone: bool = False, charge: str = "") -> None:
        self._waiting += [block for block in blocks if block.number < self._end]
        if blocks[-1].number >= self._end:
            self._stop.asked = 1

    def results(self, timeout: float) -> list[Result]:
        began = time.process_time()
        starts = range(0, len(self._waiting), TASK_BLOCKS)
        tasks = ((self._setup, self._waiting[start : start + TASK_BLOCKS]) for start in starts)
        played = [done for _, task in self._pool.each(_play_blocks, tasks) for done in task]
        self._waiting = []
        self.blocks += len(played)
        self.bytes += sum(len(done.payload) for done in played)
        self.seconds += time.process_time() - began
        return [*played]


def _play_blocks(task: tuple[Setup, list[PlannedBlock]]) -> list[FinishedBlock]:
    setup, blocks = task
    return [FinishedBlock(block.number, record.encode_block(_block(setup, block))) for block in blocks]


def _block(setup: Setup, block: PlannedBlock) -> record.Block:
    contest, seed = setup.contests[block.contest], Keys(setup.secret).deal(block.number)
    deal = GAMES[contest.game].deal(contest.seats, deal_rng(seed), contest.options)
    matches = [_match(setup, scheduled, seed, deal) for scheduled in matches_of(block, contest)]
    return record.Block(block.number, matches, [])


def _match(setup: Setup, scheduled: ScheduledMatch, seed: bytes, deal: record.Json) -> record.Match:
    """Play *scheduled* on *deal*, which follows from *seed*, at random."""
    contest, rng = scheduled.contest, Random(scheduled.match)
    game = GAMES[contest.game]
    _, *steps = playout(game, deal, contest.seats, rng)
    outcome = game.outcome(steps[-1].state)
    asked = [sum(seat in step.moves for step in steps) for seat in range(contest.seats)]
    return record.Match(
        run=setup.run,
        number=scheduled.match,
        attempt=0,
        block=scheduled.block,
        rotation=scheduled.rotation,
        game=contest.game,
        game_version=game.version,
        options=replace_custom(contest.options),
        deal_seed=seed.hex(),
        deal_digest=deal_digest(deal),
        deal=None,
        moves=schema.to_json([sorted(step.moves.items()) for step in steps]),
        seats=[_seat(setup, scheduled, seat, outcome, asked[seat], rng) for seat in range(contest.seats)],
        void=False,
        paired=True,
        sandbox="none",
        started=time.time_ns() // 1000,
        duration_us=sum(asked) * 120,
    )


def _seat(
    setup: Setup, scheduled: ScheduledMatch, seat: Seat, outcome: Outcome, decisions: int, rng: Random
) -> record.Seat:
    """Return *seat* of a match, taken by a bot that thinks for about 50 us."""
    bot = setup.bots[scheduled.bots[seat]]
    think_us = [round(40 * rng.paretovariate(3)) for _ in range(decisions)]
    return record.Seat(
        bot=bot.bot,
        version=bot.version,
        name=Keys(setup.secret).name(scheduled.match, seat),
        rank=outcome.ranks[seat],
        score=outcome.scores[seat],
        fault=None,
        fault_step=None,
        think_us=think_us,
        busy_us=[us * 9 // 10 for us in think_us],
        outside_us=rng.randrange(300),
        cpu_us=sum(think_us),
        notes=[],
        usage=None,
        memory_bytes=rng.randrange(12 << 20, 14 << 20),
    )


def _measure_recording(home: Home, matches: int, total: int, table: CostTable) -> Iterator[Figure]:
    """Record all but the last blocks of a run, and measure the CPU time of its parent; then play those."""
    table.sizes.append(total)
    store = Store(home.results)
    with store.lock():
        run = begin(home, store, RunRequest(game=PLAYED, seats=(2, 4), games=matches, seed=total))
        setup, stop = setup_of(home, run, 1), Stop()
        running = Coordinator.resume(store, run, setup, lambda status: None)
        began = time.process_time()
        with Pool(len(usable_cores())) as pool, suppress(RunStopped):
            executor = Playouts(setup, sum(run.settings.blocks or ()) - LEFT, stop, pool)
            running.play(executor, stop)
        seconds = time.process_time() - began - executor.seconds
    done = running.status.done
    yield Figure(f"{total:,} matches: recorded by the parent alone", done / seconds, "matches/s")
    yield Figure("blocks", executor.blocks / seconds, "blocks/s")
    yield Figure("in the journal", executor.bytes / done, "bytes/match")
    yield from _command(table, home, "leaderboard", "--game", "stella", more=" during the run", aim=3)
    yield from _command(table, home, "run", "--resume", "--sandbox", "none", grows=True)


# -- reading


def _command(
    table: CostTable, home: Home, *words: str, more: str = "", aim: float | None = None, grows: bool = False
) -> Iterator[Figure]:
    """Measure a command of the ladder: its CPU time, with that of others that it starts, and its memory.

    The memory is that of its largest process.  *grows*: the CPU time may grow with the matches.  Raises
    LadderError if the command fails.
    """
    name = f"`ladder {' '.join(word for word in words if not Path(word).is_absolute())}`{more}"
    command = [sys.executable, "-m", "ladder", *words, "--home", str(home.path)]
    quiet = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_WRONLY, 0) for stream in (1, 2)]
    pid = os.posix_spawn(sys.executable, command, os.environ, file_actions=quiet)
    peak_mb = 0.0
    while not os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
        peak_mb = max(peak_mb, *(memory_mb(each, peak=True) or 0.0 for each in (pid, *children(pid))))
        time.sleep(0.01)
    _, status, used = os.wait4(pid, 0)
    if status:
        code = os.waitstatus_to_exitcode(status)
        raise LadderError(f"{name} ended with exit status {code}", "measure again, in a quiet moment")
    yield table.add(name, used.ru_utime + used.ru_stime, "s", grows=grows, aim=aim)
    yield table.add(name, peak_mb, "MB", aim=MEMORY_MB)


def _apart(
    name: str, work: Callable[[Home], float], home: Home, table: CostTable, aim: float
) -> Iterator[Figure]:
    """Measure *work*, which returns its seconds, in a process of its own, whose memory is known."""
    with Pool(2) as pool:
        ((_, (seconds, peak_mb)),) = pool.each(_work_alone, [(work, home.path)])
    yield table.add(name, seconds, "s", aim=aim)
    yield table.add(name, peak_mb, "MB", aim=MEMORY_MB)


def _work_alone(task: tuple[Callable[[Home], float], Path]) -> tuple[float, float]:
    work, path = task
    return work(open_home(path)), memory_mb(os.getpid(), peak=True) or 0.0


def _open(home: Home) -> float:
    """Open the results as a writer does, some times; return the median of the wall times."""
    took = []
    for _ in range(5):
        began = time.perf_counter()
        with Store(home.results).lock():
            took.append(time.perf_counter() - began)
    return median(took)


def _plan_link(home: Home) -> float:
    """Plan a link of `ladder run --forever` up to its first matches; return its CPU time."""
    store = Store(home.results)
    with store.lock():
        began = time.process_time()
        run = begin(home, store, RunRequest(game=PLAYED, seats=(2, 4), forever=300.0))
        Coordinator.resume(store, run, setup_of(home, run, 1), lambda status: None)
        seconds = time.process_time() - began
        store.withdraw(run.run)
    return seconds
