"""Kill and stop whole runs, each in its own home, and look for processes that are left.

Processes are found by a mark: the ladder's own have it in their environment, bots in their arguments.
No process without the mark is touched.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import chain, islice, repeat
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from ladder.dev.hostile.case_trial import survivors
from ladder.home.home import create_home, open_home
from ladder.process.procfs import find_marked
from ladder.registry.bot_manifest import BotManifest
from protocol.messages import Json
from results.storage.store import Store
from support.ladders import signal_all
from support.places import BAD_BOTS
from support.staging import enlist

MANY = 3_000
"""Matches of a run: more than are played before most kills, yet the run ends even if it is orphaned."""
PATIENCE = 120.0
"""How long to wait for a run to do something, in seconds."""


class Kill(NamedTuple):
    """One kill -9, and the processes that it should have ended but did not."""

    victim: str
    """`runner` or `worker`."""
    after_ms: int
    """The time since the start of the run."""
    left: list[int]


class _Ladder:
    """A home with two bots of the same program, and the runs started there."""

    def __init__(
        self, folder: str, tier: str, program: str, config: dict[str, Json] | None = None, limits: str = ""
    ) -> None:
        self.mark = f"hostile-{secrets.token_hex(8)}"
        self.pid = 0
        path = Path(folder, "home")
        create_home(path)
        (path / "ladder.toml").write_text(
            f'[run]\ngames = ["stellar"]\n[sandbox]\ntier = "{tier}"\n[limits]\n{limits}\n'
        )
        self.home = open_home(path)
        for name in ("one", "other"):
            run = ("{python}", "-S", f"{program}.py", self.mark)
            enlist(self.home, BAD_BOTS, BotManifest(name, run=run, config=config or {}), tier)

    def start(self, matches: int, jobs: int) -> None:
        """Start `ladder run`; the same command continues a run."""
        asked = f"run --games {matches} --seed 1 -j {jobs} --home".split()
        null = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in range(3)]
        self.pid = os.posix_spawn(
            sys.executable,
            [sys.executable, "-P", "-m", "ladder", *asked, str(self.home.path)],
            {**os.environ, "LADDER_SELFTEST": f"{self.mark}-runner"},
            file_actions=null,
        )

    def bots(self) -> list[int]:
        return find_marked(f"{self.mark}\0")

    def own(self) -> list[int]:
        """Return the ladder's own processes."""
        return find_marked(f"{self.mark}-runner")

    def workers(self) -> list[int]:
        found = []
        for pid in self.own():
            with contextlib.suppress(OSError):
                if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes():
                    found.append(pid)
        return found

    def kill(self) -> None:
        """Kill the runner, and wait only for the runner itself."""
        os.kill(self.pid, signal.SIGKILL)
        self.wait()

    def wait(self) -> int:
        """Wait for the end of the run; return its exit status, or minus the signal that ended it."""
        status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        self.pid = 0
        return status

    def close(self) -> None:
        """End all processes that are left."""
        if self.pid:
            self.kill()
        survivors(self.mark)

    def faults(self) -> list[str | None]:
        """Return the fault of each seat of each match, None where there is none."""
        rows = Store(self.home.results).matches(["seats"]).to_pylist()
        return [seat["fault"] for row in rows for seat in row["seats"]]


@contextlib.contextmanager
def _ladder(tier: str, program: str, **given: Any) -> Iterator[_Ladder]:
    with tempfile.TemporaryDirectory(prefix="ladder-killed-") as folder:
        ladder = _Ladder(folder, tier, program, **given)
        try:
            yield ladder
        finally:
            ladder.close()


def _until(true: Callable[[], bool]) -> float:
    """Wait until *true*() returns true; return the seconds that it took."""
    began = time.monotonic()
    while not true():
        assert time.monotonic() - began < PATIENCE, "a run did not get under way"
        time.sleep(0.05)
    return time.monotonic() - began


# Kills at random moments, because the interesting ones (between a fork and its report, say) are microseconds
# long, and no list of them would be complete.
def kills(count: int, tier: str, rng: Random) -> Iterator[Kill]:
    """Kill the runner, or a worker and then the runner, at random moments, also during start-up.

    Each bot has a daemon and never exits by itself.  Needs /proc.
    """
    with _ladder(tier, "keeps_a_daemon") as ladder:
        ladder.start(MANY, jobs=2)
        # Half as long again as a start takes on this machine: about two kills of three come during a start.
        span = 1.5 * _until(lambda: len(ladder.bots()) >= 4)
        ladder.close()
        yield from islice(chain.from_iterable(_round(ladder, span, rng) for _ in repeat(None)), count)


def _round(ladder: _Ladder, span: float, rng: Random) -> Iterator[Kill]:
    by_way_of_a_worker = rng.random() < 0.5
    ladder.start(MANY, jobs=1 if by_way_of_a_worker else 2)
    began = time.monotonic()
    time.sleep(rng.random() * span)
    if by_way_of_a_worker and (workers := ladder.workers()):
        bots = ladder.bots()  # of this one worker
        os.kill(workers[0], signal.SIGKILL)
        yield Kill("worker", _ms_since(began), survivors(ladder.mark, bots))
        time.sleep(rng.random() * span / 4)
    killed = _ms_since(began)
    ladder.kill()
    yield Kill("runner", killed, survivors(ladder.mark))


def _ms_since(began: float) -> int:
    return round(1000 * (time.monotonic() - began))


def faults_after_stops(tier: str) -> list[str]:
    """Stop the ladder's own processes twice, for longer than a clock; return the kinds of faults."""
    limits = "move_ms = 500\nbank_ms = 0"
    with _ladder(tier, "thinks", config={"ms": 10}, limits=limits) as ladder:
        ladder.start(8, jobs=2)
        for _ in range(2):
            _until(lambda: len(ladder.bots()) >= 4)
            own = ladder.own()
            signal_all(own, signal.SIGSTOP)
            time.sleep(1.5)
            signal_all(own, signal.SIGCONT)
            time.sleep(0.3)
        assert 0 == ladder.wait()
        return sorted({fault for fault in ladder.faults() if fault})
