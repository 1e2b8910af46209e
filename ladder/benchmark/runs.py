"""Whole runs, from the start to Parquet."""

from __future__ import annotations

import resource
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from ladder.benchmark.figure import Figure, at_most
from ladder.home import house_bots
from ladder.worker import usable_cores

__all__ = ["run_figures"]


def run_figures(matches: int) -> Iterator[Figure]:
    """Measure a run of Stellar, random against random, in a home of its own: from the start to Parquet."""
    import logging

    from ladder.executors import LocalExecutor
    from ladder.home import create_home
    from ladder.request import Request, begin, setup_of
    from ladder.run import Running, Stop
    from ladder.submission import submit
    from results.store import Store

    jobs = len(usable_cores())
    with tempfile.TemporaryDirectory() as folder:
        home = create_home(Path(folder, "home"))
        for name in ("one", "other"):
            submit(home, house_bots()["random"], name)
        for in_progress in (1, 32):
            began = time.perf_counter()
            with Store(home.results).lock() as store:
                run = begin(home, store, Request(games=("stellar",), matches=matches, seed=1))
                setup = setup_of(home, run, in_progress, pinned=True)
                running = Running(store, run, setup, lambda status: None)
                parent = time.process_time()
                with closing(
                    LocalExecutor(setup, jobs, "on", logging.NullHandler(), logging.ERROR)
                ) as executor:
                    running.play(executor, Stop())
                    memory = max(map(_peak_mb, executor.pids()))
                parent = time.process_time() - parent
            seconds = time.perf_counter() - began
            name = f"{matches:,} matches, {jobs} workers, {in_progress} in progress"
            yield at_most(name, seconds * 10_000 / matches, "s/10,000", 20)
            yield Figure(f"{name}: CPU of the parent", parent / (jobs * seconds), "of all")
            yield at_most(f"{name}: memory of a worker", memory, "MB", 60)


def _peak_mb(pid: int) -> float:
    """Return the largest resident size that process *pid* has had, in MB; without /proc this one's."""
    try:
        status = Path(f"/proc/{pid}/status").read_text("ascii")
    except OSError:
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024
