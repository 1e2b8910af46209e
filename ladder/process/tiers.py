"""Test the sandbox tiers on this machine and choose one for a run.

Versions and settings prove nothing.  A hostile probe bot is started under each tier and reports what it could
do.
"""

import contextlib
import json
import multiprocessing
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache, partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from ladder.errors import LadderError, TooBusy, UsageProblem, suggest
from ladder.process.bot import BotProcess
from ladder.process.patience import Patience
from ladder.process.procfs import descendants, is_alive
from ladder.process.spawn import CannotStart
from ladder.sandbox import AUTO, ENVIRONMENT, TIERS, Bounds, CannotConfine, confine
from ladder.sandbox.bwrap import PLACES
from ladder.sandbox.plan import tasks

WARNING = """\
bots are not confined: they can read your files and other bots' programs, reach the network,
see and stop other processes, and tamper with the results; run only bots you trust"""
"""The warning for the tier `none`."""
HINT = "`ladder doctor` shows what each tier lacks"
INSTALL = f"install bubblewrap (apt install bubblewrap); {HINT}"
PROBE = Path(__file__).parent / "probe"
PATIENCE = 30.0
"""The most time for a step of a tier's self-test, in seconds, by Patience; all usually take half a second."""
PAUSES = (0.0, 1.0, 3.0)
"""The seconds before each attempt at a tier's self-test: what was a matter of time is tried again."""
BOUNDS = Bounds(memory_mb=256, processes=32)
"""The limits of the probe bot."""
IMPORTS = "engines and protocol.client for bots in Python"
COUNTERS = "no counters of the whole machine in /proc"
MINOR = (IMPORTS, COUNTERS)
"""Weaknesses that cause a warning only: the first is not about protection, the second needs Linux 5.8."""
START = "start"
LEFT = "no process left after a bot ends"
OUTLIVING = "no process left after the runner is killed"
AGAINST = {
    "files": "hidden files: the home, the system's secrets",
    "writing": "files that cannot be changed",
    "runner": "hidden environment and descriptors of the runner",
    "network": "no network",
    "processes": "no access to other processes",
    "group": "no escape from the bot's process group",
    "kernel": "no rarely used parts of the kernel",
    "channels": "no signals between bots: locks, notices, keys, shared memory, the page cache",
    "counters": COUNTERS,
    "memory": "a memory limit for each process",
    "storm": "a limit of processes and threads",
    "python": IMPORTS,
}
"""The protection that each attack of the probe bot tests."""
REMAINS = {
    "every tier": "the time that things take, page faults, sysinfo, numbers of new pipes, sockets and mounts",
    "landlock": "the numbers of processes, what stat tells of files and processes",
}
"""Channels that remain between two bots that cooperate, by tier."""


class Weakness(NamedTuple):
    """One protection that a tier should give, and whether it does."""

    what: str
    protected: bool
    detail: str


class TierChoice(NamedTuple):
    """The tier for a run, and a warning for its operator, if any."""

    tier: str
    warning: str = ""

    why: str = ""
    """Why `auto` passed over stronger ones."""

    def require(self) -> None:
        """Raise LadderError if nothing confines bots."""
        if self.tier == "none":
            if self.why:
                raise LadderError(f"bots cannot be confined here ({self.why})", _hint())
            raise UsageProblem("the tier none confines nothing", "ladder doctor shows which tiers hold here")


def choose(wanted: str = AUTO, examine: Callable[[str], list[Weakness]] | None = None) -> TierChoice:
    """Return the tier *wanted*; for `auto`, the first that passes its self-test, else `none` with a warning.

    *examine* returns what the self-test of a tier has found, if not `examine_tier`.  Raises UsageProblem for
    an unknown tier, LadderError if the tier fails its self-test, TooBusy if time was lacking for it.
    """
    if wanted not in (AUTO, *TIERS):
        known = ", ".join((AUTO, *TIERS))
        raise UsageProblem(f"there is no sandbox tier {wanted!r}{suggest(wanted, TIERS)}", f"known: {known}")
    if wanted == "none":
        return TierChoice("none", WARNING)
    reasons = []
    for tier in TIERS[:-1] if wanted == AUTO else (wanted,):
        failed = [finding for finding in (examine or examine_tier)(tier) if not finding.protected]
        if open_doors := [finding for finding in failed if finding.what not in MINOR]:
            reasons.append(f"{tier}: {open_doors[0].detail}")
        else:
            passed_over = [
                f"the sandbox is {tier}, because a stronger one fails here: {reason}" for reason in reasons
            ]
            lacks = [f"under {tier} {finding.detail}" for finding in failed[:1]]
            return TierChoice(tier, "\n".join([*passed_over, *lacks]), "; ".join(reasons))
    why = "; ".join(reasons)
    if wanted != AUTO:
        raise LadderError(f"bots cannot be confined here ({why})", _hint())
    return TierChoice("none", f"{WARNING}\n({why})\n{_hint()}", why)


def _hint() -> str:
    """Return what to do where nothing confines: bubblewrap that is there and fails need not be installed."""
    return HINT if shutil.which("bwrap", path=PLACES) else INSTALL


@cache
def examine_tier(tier: str) -> list[Weakness]:
    """Return what the self-test of *tier* has found on this machine, once for each process.

    A matter of time is no weakness: it is tried again.  Raises TooBusy, which is not kept, if it stays one.
    """
    for pause in PAUSES:
        time.sleep(pause)
        try:
            return _attempts(tier)
        except TooBusy as error:
            busy = error
    raise busy


def try_tier(tier: str) -> list[Weakness]:
    """Return what *tier* protects here and what not, as the hostile probe bot finds.  Raises TooBusy."""
    findings = examine_tier(tier)
    return findings if findings[0].what == START else [*findings, _check_outliving(tier)]


def _attempts(tier: str) -> list[Weakness]:
    with tempfile.TemporaryDirectory() as folder, _Target() as target:
        try:
            answer, left = _run_probe(tier, Path(folder), target)
        except (CannotConfine, CannotStart, _NoAnswer) as error:
            return [Weakness(START, False, str(error))]
    if target.was_hit:
        answer["processes"].append("sent the runner a signal")
    findings = [
        _weakness(AGAINST[key], f"a bot {', '.join(done[:4])}" if done else "")
        for key, done in answer.items()
    ]
    return [*findings, _weakness(LEFT, f"{left} left" if left else "")]


def _weakness(what: str, wrong: str) -> Weakness:
    return Weakness(what, not wrong, wrong or "ok")


class _NoAnswer(Exception):
    """The probe bot gave no answer."""


class _Target:
    """A process that stands for this one: the probe bot tries to find, read, trace and signal it.

    So the self-test needs no handler of signals, which only the main thread may set.
    """

    PROGRAM = """
import signal, sys
came = []
signal.signal(signal.SIGURG, lambda *_: came.append(1))
print(flush=True)
sys.stdin.read()
print(len(came))
"""

    def __enter__(self) -> "_Target":
        self.was_hit = False
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", self.PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "LADDER_TARGET": "hidden"},
        )
        assert self._process.stdout
        self._process.stdout.readline()  # from then on it hears signals
        self.pid = self._process.pid
        self.command = ""
        with contextlib.suppress(OSError):
            self.command = Path(f"/proc/{self.pid}/cmdline").read_text()
        return self

    def __exit__(self, *error: object) -> None:
        self.was_hit = self._process.communicate()[0].strip() != "0"


def _run_probe(tier: str, folder: Path, target: _Target) -> tuple[dict[str, list[str]], int]:
    """Return what the probe bot achieved under *tier*, and how many of its processes outlived it."""
    home = folder / "home"
    own = home / "bots" / "probe" / "1" / "files"
    own.mkdir(parents=True)
    for place in (own, shutil.copy(PROBE / "probe_bot.py", own)):
        Path(place).chmod(0o755)  # however the ladder was installed
    results = home / "results"
    results.mkdir()
    for file in (home / "ladder.toml", results / "secret"):
        file.write_text("")
    with socket.create_server(("127.0.0.1", 0)) as server:
        targets = {
            "files": [str(results / "secret"), str(home / "ladder.toml")],
            "folders": [str(home), str(results)],
            "environment": list(ENVIRONMENT),
            "port": server.getsockname()[1],
            # Only the tests' own files and processes are attacked: the probe does no harm where nothing
            # confines it.
            "runner": target.pid,
            "command": target.command,
            "memory_mb": BOUNDS.memory_mb,
            "threads": BOUNDS.processes + tasks(),
        }
        bot = BotProcess.start(confine(tier, (sys.executable, "probe_bot.py"), own, {}, bounds=BOUNDS), 2**20)
        try:
            bot.send(json.dumps(targets).encode() + b"\n")
            answer = json.loads(_read_line(bot))
            pids = bot.tree.pids()
        finally:
            bot.kill()
    return answer, _count_left(pids)


def _read_line(bot: BotProcess) -> bytes:
    """Return the next line of *bot*.  Raises _NoAnswer, and TooBusy if that may be the machine's doing."""
    patience = Patience(PATIENCE, bot.pids)
    while patience.wait(*(fd for fd in (bot.stdout_fd, bot.exit_fd) if fd is not None)) == "came":
        if lines := bot.receive():
            return lines[0]
        if (status := bot.exit_status()) is not None:
            if status == -signal.SIGKILL:  # as where memory runs out
                break
            raise _NoAnswer(f"the bot of the self-test ended: {bot.stderr_text()[-500:].strip()}")
    raise TooBusy(f"the bot of the self-test had not answered after {patience.elapsed_s:.0f} s")


def _check_outliving(tier: str) -> Weakness:
    """Kill a process that has started a bot, and check that nothing is left of the bot."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        runner = context.Process(target=_run_a_bot, args=(tier, folder, there), daemon=True)
        runner.start()
        there.close()
        came = Patience(PATIENCE, partial(descendants, runner.pid or 0)).wait(here.fileno())
        pids: list[int] = []
        with contextlib.suppress(EOFError):
            pids = here.recv() if came == "came" else []
        runner.kill()
        runner.join()
    if not pids:
        raise TooBusy("the self-test of the sandbox could not start a bot")
    left = _count_left(pids)
    return _weakness(OUTLIVING, f"{left} left" if left else "")


def _count_left(pids: list[int]) -> int:
    """Return how many killed *pids* outlast PATIENCE.  Raises TooBusy if the machine took that time."""
    patience, state = Patience(PATIENCE, lambda: pids), "runs"
    while (left := sum(map(is_alive, pids))) and state == "runs":
        state = patience.wait(most_s=0.002)
    if left and state == "too late":
        raise TooBusy(f"{left} killed processes had not ended after {patience.elapsed_s:.0f} s")
    return left


def _run_a_bot(tier: str, folder: str, pipe: Connection) -> None:
    two = ("/bin/sh", "-c", "sleep 600 & echo started; wait")
    bot = BotProcess.start(confine(tier, two, Path(folder), {}), 2**20)
    _read_line(bot)
    pipe.send(bot.tree.pids())
    time.sleep(PATIENCE)
    bot.kill()
