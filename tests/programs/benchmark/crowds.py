"""Measure runs of many bots, whose processes must not start again and again, and of bots that wait."""

from __future__ import annotations

import resource
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace
from support.staging import enlist

from engines import GAMES
from ladder.dev.benchmark.figure import Figure, at_most
from ladder.dev.benchmark.rig import start_workers
from ladder.errors import RunStopped
from ladder.home.home import Home, create_home, house_bots, open_home
from ladder.machine.cores import usable_cores
from ladder.process.procfs import children, cpu_clock
from ladder.registry.bot_manifest import read_manifest
from ladder.registry.bundled import copy_bundled
from ladder.run.coordinator import Coordinator
from ladder.run.request import begin
from ladder.run.run_options import RunRequest
from ladder.run.setup import setup_of
from ladder.run.status import Status, Stop
from results.storage.store import Store

SLOW_BOT = Path(__file__).with_name("slow_bot.py")
SLOW_SECONDS = 0.05
"""How long that bot sleeps before an answer."""
SLOW_MATCHES = 64
WAITING_SECONDS = 2.0
"""How long it sleeps where tables mostly wait."""
WAITING_TABLES, SETTLED_S, MEASURED_S = 64, 5.0, 15.0
"""How many tables are measured; how long they are in progress before, and how long they are measured."""
FEW_BOTS, MANY_BOTS, VERY_MANY_BOTS = 8, 100, 1_000
LEAST, ENOUGH = 1_000, 10_000
"""With fewer matches there is no figure; with fewer than enough it is mostly starts of processes: no aim."""


def crowd_figures(matches: int) -> Iterator[Figure]:
    """Measure runs of Stellar in temporary homes, if *matches* are not too few for it."""
    if matches < LEAST:
        return
    matches = min(matches, ENOUGH)
    few = _crowd(house_bots()["random"], FEW_BOTS, matches)
    for count, most in ((MANY_BOTS, 1.3), (VERY_MANY_BOTS, None)):
        many = _crowd(house_bots()["random"], count, matches)
        name = f"{count:,} bots, {matches:,} matches"
        what, ratio = f"{name}: CPU a match / {FEW_BOTS} bots", many.cpu_s / few.cpu_s
        yield at_most(what, ratio, "", most) if most and matches == ENOUGH else Figure(what, ratio, "")
        yield Figure(f"{name}: process starts per bot", many.starts / count, "")
    slow = _crowd(SLOW_BOT, 2, SLOW_MATCHES)
    ideal = slow.decisions * SLOW_SECONDS / slow.tables
    name = f"slow bots, {SLOW_MATCHES} matches"
    yield Figure(f"{name}: most tables in progress", slow.tables, "")
    yield at_most(f"{name}: run / ideal with these tables", slow.wall_s / ideal, "", 1.3)
    percent = _waiting_percent()
    yield at_most(f"{WAITING_TABLES} waiting tables: CPU of the ladder", percent, "% of a core", 3)


class _Crowd(NamedTuple):
    """The costs of a run."""

    cpu_s: float
    """CPU time of this process, its workers and their bots."""
    wall_s: float
    starts: int
    """How many bot processes were started."""
    tables: int
    """The most tables that were in progress at once."""
    decisions: int


def _crowd(program: Path, count: int, matches: int) -> _Crowd:
    """Let *count* bots that run *program* play *matches*."""
    tables = [1]

    def look(status: Status) -> None:
        if status.waiting:
            tables[0] = max(tables[0], status.waiting.tables)

    with tempfile.TemporaryDirectory() as folder:
        path = create_home(Path(folder, "home")).path
        (path / "ladder.toml").write_text('[sandbox]\ntier = "none"\n', "utf-8")
        home = open_home(path)
        _enlist(home, program, count)
        before, wall = _cpu_s(), time.perf_counter()
        with Store(home.results).lock() as store:
            run = begin(home, store, RunRequest(game="stellar", games=matches, seed=1))
            setup = setup_of(home, run, 1)
            running = Coordinator.resume(store, run, setup, look)
            jobs = len(usable_cores())
            with start_workers(setup, jobs, "auto") as executor:
                running.play(executor, Stop())
            running.hear_outlays(executor)
            wall = time.perf_counter() - wall
            rows = store.matches().select(["seats"]).to_pylist()
        starts = sum(outlay.starts for outlay in running.spending.outlays.values())
        decisions = sum(len(seat["think_us"]) for row in rows for seat in row["seats"])
        return _Crowd(_cpu_s() - before, wall, starts, tables[0], decisions)


def _waiting_percent() -> float:
    """Return the CPU time that the ladder itself uses while WAITING_TABLES wait, in percent of a core."""
    marks: list[tuple[float, float]] = []
    stop, full_since = Stop(), float("inf")

    def look(status: Status) -> None:
        nonlocal full_since
        now = time.perf_counter()
        full = status.waiting is not None and status.waiting.tables >= WAITING_TABLES
        full_since = min(full_since, now) if full else float("inf")
        if now - full_since >= SETTLED_S + MEASURED_S * len(marks):
            marks.append((now, own_s()))
            stop.asked = 2 * (len(marks) - 1)

    def own_s() -> float:
        """Return the CPU time of this process, its workers and their spawners, without bots."""
        workers = executor.pids()
        pids = [*workers, *(pid for worker in workers for pid in children(worker))]
        return time.process_time() + sum(time.clock_gettime(cpu_clock(pid)) for pid in pids)

    with tempfile.TemporaryDirectory() as folder:
        slower = Path(folder, "slower", SLOW_BOT.name)
        slower.parent.mkdir()
        text = SLOW_BOT.read_text().replace(f"SECONDS = {SLOW_SECONDS}", f"SECONDS = {WAITING_SECONDS}")
        slower.write_text(text)
        path = create_home(Path(folder, "home")).path
        (path / "ladder.toml").write_text('[sandbox]\ntier = "none"\n[limits]\nmove_ms = 10000\n', "utf-8")
        home = open_home(path)
        _enlist(home, slower, FEW_BOTS)
        with Store(home.results).lock() as store:
            request = RunRequest(game="stellar", games=4 * WAITING_TABLES, seed=1, schedule="round-robin")
            run = begin(home, store, request)
            setup = setup_of(home, run, 1)
            running = Coordinator.resume(store, run, setup, look)
            jobs = len(usable_cores())
            with suppress(RunStopped), start_workers(setup, jobs, "auto") as executor:
                running.play(executor, stop)
    (began, before_s), (ended, after_s) = marks
    return 100 * (after_s - before_s) / (ended - began)


def _enlist(home: Home, program: Path, count: int) -> None:
    """Add *count* bots with names of their own, without a trial."""
    with copy_bundled(program.parent) as folder:
        manifest = read_manifest(folder / program.name, GAMES)
        for number in range(count):
            enlist(home, folder / program.name, replace(manifest, name=f"bot-{number}"))


def _cpu_s() -> float:
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime
