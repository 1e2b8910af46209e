"""Measure runs of many bots, whose processes must not start again and again, and of bots that wait."""

from __future__ import annotations

import resource
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace
from support.staging import enlist

from engines import GAMES
from ladder.dev.benchmark.figure import Figure, at_most
from ladder.dev.benchmark.rig import start_workers
from ladder.home.home import Home, create_home, house_bots, open_home
from ladder.machine.cores import usable_cores
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
FEW_BOTS, MANY_BOTS = 8, 100
LEAST, ENOUGH = 1_000, 10_000
"""With fewer matches there is no figure; with fewer than enough it is mostly starts of processes: no aim."""


def crowd_figures(matches: int) -> Iterator[Figure]:
    """Measure runs of Stellar in temporary homes, if *matches* are not too few for it."""
    if matches < LEAST:
        return
    matches = min(matches, ENOUGH)
    few, many = (_crowd(house_bots()["random"], count, matches) for count in (FEW_BOTS, MANY_BOTS))
    name = f"{MANY_BOTS} bots, {matches:,} matches"
    what, ratio = f"{name}: CPU a match / {FEW_BOTS} bots", many.cpu_s / few.cpu_s
    yield at_most(what, ratio, "", 1.3) if matches == ENOUGH else Figure(what, ratio, "")
    yield Figure(f"{name}: process starts per bot", many.starts / MANY_BOTS, "")
    slow = _crowd(SLOW_BOT, 2, SLOW_MATCHES)
    ideal = slow.decisions * SLOW_SECONDS / slow.tables
    name = f"slow bots, {SLOW_MATCHES} matches"
    yield Figure(f"{name}: most tables in progress", slow.tables, "")
    yield at_most(f"{name}: run / ideal with these tables", slow.wall_s / ideal, "", 1.3)


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


def _enlist(home: Home, program: Path, count: int) -> None:
    """Add *count* bots with names of their own, without a trial."""
    with copy_bundled(program.parent) as folder:
        manifest = read_manifest(folder / program.name, GAMES)
        for number in range(count):
            enlist(home, folder / program.name, replace(manifest, name=f"bot-{number}"))


def _cpu_s() -> float:
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime
