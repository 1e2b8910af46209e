"""Compare whole runs, from the start to Parquet, with the same matches played without being recorded."""

import resource
import statistics
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from engines import GAMES
from ladder.contest.blocks import PlannedBlock
from ladder.dev.benchmark.figure import Figure, at_least, at_most
from ladder.dev.benchmark.rig import Rig, memory_mb, pin_to_core, start_workers
from ladder.dev.benchmark.starts import PROGRAM, spend
from ladder.home.home import Home, create_home, house_bots
from ladder.machine.cores import usable_cores
from ladder.registry.bot_manifest import read_manifest
from ladder.registry.roster import StagedVersion
from ladder.run.coordinator import Coordinator
from ladder.run.executors.local import LocalExecutor
from ladder.run.request import begin
from ladder.run.run_options import RunRequest
from ladder.run.setup import setup_of
from ladder.run.status import Status, Stop
from ladder.worker.worker_messages import Setup
from results.storage.store import Store

CHUNK = 32
"""The most blocks per chunk of matches that are not recorded."""
ROUNDS = 5
"""How often the bare pipes are measured."""


def run_figures(matches: int) -> Iterator[Figure]:
    """Measure runs of Stellar between two random bots, in a temporary home."""
    jobs = len(usable_cores())
    with tempfile.TemporaryDirectory() as folder:
        home = create_home(Path(folder, "home"))
        for name in ("one", "other"):
            random = house_bots()["random"]
            staged = home.roster.stage(random, read_manifest(random, GAMES, name), {}, None)
            assert isinstance(staged, StagedVersion)  # the home is new
            staged.accept()
        for in_progress in (1, 32):
            setup = _whole_run(home, 4, in_progress, jobs).setup
            # the machine's speed drifts: play half of the unrecorded matches before the run, half after
            unkept = _play_unkept(setup, matches // 2, jobs)
            run = _whole_run(home, matches, in_progress, jobs)
            unkept += _play_unkept(setup, matches - matches // 2, jobs)
            name = f"{matches:,} matches, {jobs} workers, {in_progress} in progress"
            yield Figure(name, run.seconds * 10_000 / matches, "s/10,000")
            if in_progress > 1:
                bare = _bare_seconds(matches, in_progress) / jobs
                yield at_most(f"{name}: run / bare pipes on all cores", run.seconds / bare, "", 1.35)
            yield at_most(f"{name}: whole run / play alone", run.seconds / unkept, "", 1.2)
            yield at_most(
                f"{name}: CPU of the parent", 100 * run.parent / (jobs * run.seconds), "% of all", 4
            )
            yield at_most(f"{name}: memory of a worker", run.peak_mb, "MB", 60)
            yield at_most(f"{name}: growth of a worker from the middle to the end", run.growth_mb, "MB", 2)
            if in_progress == 1 and jobs > 1:
                one, two = (_play_unkept(setup, count * matches // 4, count) for count in (1, 2))
                yield at_least("two workers / one worker", 2 * one / two, "", 1.8)


def house_figures(matches: int) -> Iterator[Figure]:
    """Measure `ladder run` in a new home: all house bots in all games, at every table size."""
    jobs = len(usable_cores())
    with tempfile.TemporaryDirectory(prefix="ladder-bench-") as folder:
        spent = spend((*PROGRAM, "run", "--games", str(matches), "--home", str(Path(folder, "home"))))
    name = f"house bots, all games, {matches:,} matches, {jobs} workers"
    yield at_most(name, spent.wall * 10_000 / matches, "s/10,000", 120)
    yield Figure(f"{name}: use of the cores", 100 * spent.cpu / (jobs * spent.wall), "%")


class _Run(NamedTuple):
    """The costs of a whole run."""

    setup: Setup
    seconds: float
    parent: float
    """CPU time of this process, in seconds."""
    peak_mb: float
    """The peak size of a worker."""
    growth_mb: float
    """The growth of the largest worker from the middle of the run to its end."""


def _whole_run(home: Home, matches: int, in_progress: int, jobs: int) -> _Run:
    middle: list[float] = []

    def look(status: Status) -> None:
        if not middle and 2 * status.done >= matches:
            middle.append(_largest_mb(executor, peak=False))

    began = time.perf_counter()
    with Store(home.results).lock() as store:
        run = begin(home, store, RunRequest(game="stellar", games=matches, seed=1))
        setup = setup_of(home, run, in_progress)
        running = Coordinator.resume(store, run, setup, look)
        parent = time.process_time()
        with start_workers(setup, jobs) as executor:
            running.play(executor, Stop())
            peak = _largest_mb(executor, peak=True)
            end = _largest_mb(executor, peak=False)
        parent = time.process_time() - parent
    return _Run(setup, time.perf_counter() - began, parent, peak, end - middle[0])


def _play_unkept(setup: Setup, matches: int, jobs: int) -> float:
    """Play *matches* with warm workers, without recording them; return the seconds."""
    blocks = [PlannedBlock(i, 2 * i, 0, (0, 1)) for i in range(matches // 2)]
    size = min(CHUNK, max(1, len(blocks) // (4 * jobs)))
    chunks = deque(blocks[i : i + size] for i in range(0, len(blocks), size))
    with start_workers(setup, jobs) as executor:
        for first in (True, False):
            waiting = deque(chunks.popleft() for _ in range(min(jobs, len(chunks)))) if first else chunks
            left = sum(map(len, waiting))
            timed, began = left, time.perf_counter()
            while left:
                while waiting and executor.room():
                    executor.submit(waiting.popleft())
                left -= len(executor.results(timeout=1.0))
    return (time.perf_counter() - began) * len(blocks) / timed


def _bare_seconds(matches: int, in_progress: int) -> float:
    """Return how long the messages of *matches* take over bare pipes on one core."""
    with pin_to_core(), closing(Rig("stellar", in_progress)) as rig:
        decisions = rig.record() / rig.matches
        return matches * decisions * statistics.median(rig.bare().wall for _ in range(ROUNDS)) / 1e6


def _largest_mb(workers: LocalExecutor, *, peak: bool) -> float:
    """Return the size, or the *peak*, of the largest worker in MB; without /proc, that of any child."""
    found = [memory_mb(pid, peak=peak) for pid in workers.pids()]
    of_any = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return max(of_any if size is None else size for size in found)
