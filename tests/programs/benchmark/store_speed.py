"""Measure a home with very many matches: record, open, rate, verify and continue them.

No bot process plays them.  The engines play random moves on all cores, each match on the deal of its block,
and the parent of a run records the matches as if workers had sent them.  So every row can be read, replayed
and verified; but the times of decisions are invented, and the ratings only show that the bots are alike.
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

from support.submitting import submit

from engines import GAMES, playout
from engines.game import Outcome, Seat
from engines.playout import deal_digest
from ladder.contest.blocks import PlannedBlock, ScheduledMatch, matches_of
from ladder.contest.custom_options import replace_custom
from ladder.contest.keys import Keys, deal_rng
from ladder.dev.benchmark.figure import Figure, at_most
from ladder.dev.benchmark.rig import memory_mb
from ladder.errors import LadderError, RunStopped
from ladder.home.home import Home, create_home, house_bots
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
from results import record
from results.rating.counting import count_matches
from results.rating.outcomes import Counts
from results.rating.standings import Totals
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


def record_figures(matches: int) -> Iterator[Figure]:
    """Record a run of about *matches* matches, half Stellar, half Stella at four seats, and read it.

    The home is a temporary folder (see TMPDIR), which is removed afterwards.
    """
    with tempfile.TemporaryDirectory() as folder:
        home, empty = (_make_home(Path(folder, name)) for name in ("home", "empty"))
        store = Store(home.results)
        yield _measure_link("plan the first link of a chain: CPU", empty)
        yield from _measure_recording(home, store, matches)
        yield from _command(home, "leaderboard")
        yield from _command(home, "run", "--resume", "--sandbox", "none")
        yield _measure_opening(home)
        yield from _command(home, "leaderboard", within_s=2)
        yield from _command(home, "leaderboard", "--game", "stella", "--seats", "4", within_s=3)
        yield from _command(home, "rate", within_s=60, within_mb=300)
        yield _measure_link("plan the next link of a chain: CPU", home)
        yield from _command(home, "site", str(Path(folder, "site")), within_s=60)
        yield from _command(home, "site", str(Path(folder, "site")))  # the second time, nothing has changed
        yield from _command(home, "verify")
        yield from _command(home, "digest")
        yield from _measure_counting(store)


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


def _measure_recording(home: Home, store: Store, matches: int) -> Iterator[Figure]:
    """Record all but the last blocks of a run, and measure the CPU time of its parent."""
    with store.lock():
        run = begin(home, store, RunRequest(game=PLAYED, seats=(2, 4), games=matches, seed=1))
        setup, stop = setup_of(home, run, 1), Stop()
        running = Coordinator.resume(store, run, setup, lambda status: None)
        began = time.process_time()
        with Pool(len(usable_cores())) as pool, suppress(RunStopped):
            executor = Playouts(setup, sum(run.settings.blocks or ()) - LEFT, stop, pool)
            running.play(executor, stop)
        seconds = time.process_time() - began - executor.seconds
    done = running.status.done
    name = f"{done:,} matches recorded"
    yield Figure(f"{name}: matches, parent of a run alone", done / seconds, "matches/s")
    yield Figure(f"{name}: blocks", executor.blocks / seconds, "blocks/s")
    sheet = store.contents().manifest
    assert sheet is not None
    sealed = [segment.matches for segment in sheet.segments]
    yield Figure(f"{name}: in the journal", executor.bytes / done, "bytes/match")
    packed = sum(file.size for file in sealed) / sum(file.rows for file in sealed)
    yield Figure(f"{name}: in Parquet", packed, "bytes/match")


# -- reading


def _command(
    home: Home, *words: str, within_s: float | None = None, within_mb: float = MEMORY_MB
) -> Iterator[Figure]:
    """Measure a command of the ladder from start to end; its memory is that of its largest process.

    The target *within_s* is for CPU time, which a busy machine changes less.  Raises LadderError if the
    command fails.
    """
    name = f"ladder {' '.join(word for word in words if not Path(word).is_absolute())}"
    command = [sys.executable, "-m", "ladder", *words, "--home", str(home.path)]
    quiet = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_WRONLY, 0) for stream in (1, 2)]
    began = time.perf_counter()
    pid = os.posix_spawn(sys.executable, command, os.environ, file_actions=quiet)
    peak_mb = 0.0
    while not os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
        peak_mb = max(peak_mb, *(memory_mb(each, peak=True) or 0.0 for each in (pid, *children(pid))))
        time.sleep(0.01)
    seconds = time.perf_counter() - began
    _, status, used = os.wait4(pid, 0)
    if status:
        code = os.waitstatus_to_exitcode(status)
        raise LadderError(f"{name} ended with exit status {code}", "measure again, in a quiet moment")
    yield Figure(name, seconds, "s")
    cpu_s, of_cpu = used.ru_utime + used.ru_stime, f"{name}: CPU"
    yield at_most(of_cpu, cpu_s, "s", within_s) if within_s else Figure(of_cpu, cpu_s, "s")
    if peak_mb:
        yield at_most(f"{name}: memory", peak_mb, "MB", within_mb)


def _measure_link(name: str, home: Home) -> Figure:
    """Measure how long a link of `ladder run --forever` takes to be planned up to its first matches."""
    store = Store(home.results)
    with store.lock():
        began = time.process_time()
        run = begin(home, store, RunRequest(game=PLAYED, seats=(2, 4), forever=300.0))
        Coordinator.resume(store, run, setup_of(home, run, 1), lambda status: None)
        seconds = time.process_time() - began
        store.abandon(run.run)
    return Figure(name, seconds, "s")


def _measure_opening(home: Home) -> Figure:
    began = time.perf_counter()
    with Store(home.results).lock():
        return at_most("open the results", time.perf_counter() - began, "s", 1)


def _measure_counting(store: Store) -> Iterator[Figure]:
    """Measure the CPU time of what comes before the fit: reading all matches, and counting their outcomes."""
    totals, contents = Totals(), store.contents()
    reading = counting = 0.0
    began = time.process_time()
    for finishes in contents.finishes(1):
        arrived = time.process_time()
        reading += arrived - began
        totals.add(count_matches(finishes, 1))
        began = time.process_time()
        counting += began - arrived
    matches = sum(counts.matches for counts in totals.counts.values())
    counts = totals.counts.get("stella", Counts())
    yield Figure("read a match for rating", 1e6 * reading / matches, "us/match")
    yield at_most("read and count a match", 1e6 * (reading + counting) / matches, "us/match", 40)
    yield Figure("distinct outcomes of the matches of four seats", len(counts.outcomes), "")
