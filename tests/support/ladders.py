"""Whole ladders for tests: homes with tiny bots, runs with real workers, and their results.

The bots are one program; its `config` says how it plays, and what it does wrong.  They are deterministic.
"""

import contextlib
import logging
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import UNSET, UnsetType

from ladder.contest.seed import Seed
from ladder.home.home import Home, create_home, open_home
from ladder.machine.cores import Pin
from ladder.registry.bot_manifest import BotManifest
from ladder.registry.version import Version
from ladder.run.coordinator import Coordinator
from ladder.run.executors.local import LocalExecutor
from ladder.run.request import begin
from ladder.run.run_options import RunRequest
from ladder.run.setup import setup_of
from ladder.run.status import Status, Stop
from results.rating import cache
from results.rating.rated import standings_of
from results.record import Json, Run
from results.storage.store import Store
from results.words import ScheduleKind
from support.commands import process_group
from support.here import PLAYER, Here
from support.main_module import ladder_as_main
from support.taken_in import take_in

STELLAR = '[run]\ngames = ["stellar"]\n[sandbox]\ntier = "none"\n'
"""Settings for runs of one game without a sandbox, so bots can do what is forbidden."""

FOUR: Mapping[str, Mapping[str, Json]] = {
    "first": {"style": "first"},
    "last": {"style": "last", "parallel": 4},
    "mixed": {"parallel": 4},
    "plain": {"view": "full"},
}
"""Four bots with different styles."""


def a_home(
    path: Path, bots: Mapping[str, Mapping[str, Json]] = FOUR, settings: str = STELLAR, mark: str = ""
) -> Home:
    """Make a home with *bots*, by name and `config`; *settings* are the text of ladder.toml."""
    create_home(path)
    (path / "ladder.toml").write_text(settings)
    home = open_home(path)
    for name, config in bots.items():
        enlist(home, name, config, mark)
    return home


def enlist(
    home: Home,
    name: str,
    config: Mapping[str, Json],
    mark: str = "",
    think_ms: int | UnsetType = UNSET,
    *,
    network: bool = False,
) -> Version:
    """Add a bot without its match against itself."""
    program = home.path.parent / "player.py"
    program.write_text(PLAYER)
    run = ("{python}", "-S", "player.py", *([mark] if mark else []))
    manifest = BotManifest(name=name, run=run, config=dict(config), think_ms=think_ms, network=network)
    return take_in(home.roster, program, manifest)


# -- runs in this process, with workers of their own


def start_run(
    home: Home,
    matches: int | None = 60,
    seed: Seed | int | None = 1,
    schedule: ScheduleKind | None = None,
    **asked: Any,
) -> Run:
    """Return the unfinished run of *home*, begun if there is none."""
    store = Store(home.results)
    if unfinished := store.unfinished_run():
        return unfinished
    with store.lock():
        return begin(home, store, RunRequest(games=matches, seed=seed, schedule=schedule, **asked))


@contextlib.contextmanager
def executing(
    home: Home,
    run: Run,
    jobs: int = 2,
    pin: Pin = "auto",
    in_progress: int = 32,
    log: logging.Handler | None = None,
    level: int = logging.WARNING,
) -> Iterator[LocalExecutor]:
    """Have *jobs* workers for *run*, whose log goes to *log*, else to stderr."""
    setup = setup_of(home, run, in_progress)
    with ladder_as_main():
        executor = LocalExecutor.start(setup, jobs, pin, log or logging.StreamHandler(), level)
        with contextlib.closing(executor):
            yield executor


def play(
    home: Home,
    *,
    jobs: int = 0,
    pin: Pin = "auto",
    in_progress: int = 32,
    report: Callable[[Status], None] = lambda status: None,
    stop: Stop | None = None,
    **asked: Any,
) -> Coordinator:
    """Play the unfinished run of *home*, or one that *asked* describes, as `ladder run` does.

    Without *jobs*, that is the number of workers, in this process and without processes of bots.
    """
    run = start_run(home, **asked)
    setup = setup_of(home, run, in_progress)
    executor = executing(home, run, jobs, pin, in_progress) if jobs else contextlib.closing(Here(setup))
    with Store(home.results).lock() as store, executor as opened:
        running = Coordinator.resume(store, run, setup, report)
        running.play(opened, stop or Stop())
        return running


# -- the program


def command(home: Path, *arguments: str) -> list[str]:
    """Return the arguments of `ladder run` with *home*."""
    program = Path(sys.executable).with_name("ladder")
    return [str(program), "run", "--home", str(home), *arguments]


def run_command(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Let `ladder run` do its work."""
    return subprocess.run(command(home, *arguments), capture_output=True, text=True, check=False)


def a_run(home: Home, *arguments: str, **options: Any) -> contextlib.AbstractContextManager[Any]:
    """Start `ladder run` for the length of a block."""
    streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True} | options
    return process_group(command(home.path, *arguments), **streams)


def journalled(home: Home) -> int:
    """Return how many bytes the journals have."""
    return sum(path.stat().st_size for path in (home.results / "journal").glob("*.log"))


def wait_until(true: Callable[[], object], process: subprocess.Popen[str]) -> None:
    """Wait until *true* holds, or *process* has ended."""
    deadline = time.monotonic() + 60
    while not true() and process.poll() is None:
        assert time.monotonic() < deadline, "waited for too long"
        time.sleep(0.002)


def processes(mark: str) -> list[int]:
    """Return the ids of processes with *mark* among their arguments."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if mark.encode() in file.read_bytes().split(b"\0"):
                found.append(int(file.parent.name))
    return found


def children(pid: int) -> list[int]:
    """Return the child processes of *pid*."""
    found: list[int] = []
    for file in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += map(int, file.read_text().split())
    return found


def descendants(pid: int) -> list[int]:
    """Return the child processes of *pid*, theirs, and so on: bots are children of their worker's spawner."""
    found = children(pid)
    for child in found:
        found += children(child)
    return found


def workers(pid: int) -> list[int]:
    """Return the children of a `ladder run` that play, without the one that counts semaphores."""
    found = []
    for child in children(pid):
        with contextlib.suppress(OSError):
            if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                found.append(child)
    return found


def signal_all(pids: list[int], number: int) -> None:
    """Send a signal to each of *pids* that still exists."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


# -- what came of it


def rows(home: Path, run: int | None = None) -> list[dict[str, Json]]:
    """Return the rows of matches that stand, without measured values."""
    found = Store(home / "results").matches(run=run).to_pylist()
    for row in found:
        for key in ("started", "duration_us", "attempt", "sandbox"):
            del row[key]
        for seat in row["seats"]:
            del seat["think_us"], seat["busy_us"], seat["outside_us"], seat["cpu_us"]
            del seat["memory_bytes"]
    return found


def ratings(home: Path) -> dict[tuple[str, str], tuple[int, str, str]]:
    """Return matches, mu and sigma of every version, to the last bit."""
    rated = cache.ratings_current(Store(home / "results"))
    return {
        (standing.bot, standing.version): (standing.matches, standing.mu.hex(), standing.sigma.hex())
        for standing in standings_of(rated).values()
    }
