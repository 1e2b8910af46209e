"""Test the sandbox tiers on this machine and choose one for a run.

Versions and settings prove nothing.  A hostile probe bot is started under each tier and reports what it could
do.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import select
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from ladder.errors import LadderError, UsageProblem, suggest
from ladder.process.bot import BotProcess
from ladder.process.procfs import is_alive
from ladder.process.spawn import CannotStart
from ladder.sandbox import AUTO, ENVIRONMENT, TIERS, Bounds, CannotConfine, confine
from ladder.sandbox.bwrap import PLACES
from ladder.sandbox.plan import tasks

__all__ = ["REMAINS", "WARNING", "Weakness", "choose", "choose_once", "collect_signals", "try_tier"]

WARNING = """\
bots are not confined: they can read your files and other bots' programs, reach the network,
see and stop other processes, and tamper with the results; run only bots you trust"""
"""The warning for the tier `none`."""
HINT = "`ladder doctor` shows what each tier lacks"
INSTALL = f"install bubblewrap (apt install bubblewrap); {HINT}"
PROBE = Path(__file__).parent / "probe"
PATIENCE = 30.0
"""The most time for the self-test of a tier, in seconds; it usually takes half a second."""
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
    """Why `auto` found none that confines."""

    def require(self) -> None:
        """Raise LadderError if nothing confines bots."""
        if self.why:
            raise LadderError(f"bots cannot be confined here ({self.why})", _hint())
        if self.tier == "none":
            raise UsageProblem("the tier none confines nothing", "ladder doctor shows which tiers hold here")


def choose(wanted: str = AUTO) -> TierChoice:
    """Return the tier *wanted*; for `auto`, the first that passes its self-test, else `none` with a warning.

    Raises UsageProblem for an unknown tier, and LadderError if the tier fails its self-test.
    """
    if wanted not in (AUTO, *TIERS):
        known = ", ".join((AUTO, *TIERS))
        raise UsageProblem(f"there is no sandbox tier {wanted!r}{suggest(wanted, TIERS)}", f"known: {known}")
    if wanted == "none":
        return TierChoice("none", WARNING)
    reasons = []
    for tier in TIERS[:-1] if wanted == AUTO else (wanted,):
        failed = _find_weaknesses(tier)
        if open_doors := [finding for finding in failed if finding.what not in MINOR]:
            reasons.append(f"{tier}: {open_doors[0].detail}")
        else:
            passed_over = [
                f"the sandbox is {tier}, because a stronger one fails here: {reason}" for reason in reasons
            ]
            return TierChoice(
                tier, "\n".join([*passed_over, *(f"under {tier} {f.detail}" for f in failed[:1])])
            )
    why = "; ".join(reasons)
    if wanted != AUTO:
        raise LadderError(f"bots cannot be confined here ({why})", _hint())
    return TierChoice("none", f"{WARNING}\n({why})\n{_hint()}", why)


def _hint() -> str:
    """Return what to do where nothing confines: bubblewrap that is there and fails need not be installed."""
    return HINT if shutil.which("bwrap", path=PLACES) else INSTALL


def _find_weaknesses(tier: str) -> list[Weakness]:
    """Return what *tier* does not protect; try again if a busy machine may be the only reason."""
    failed = [finding for finding in _attempts(tier) if not finding.protected]
    # Both can be a matter of time: a probe that starts too slowly, processes that end too slowly.  An attack
    # that succeeded is no matter of time.
    if failed and {finding.what for finding in failed} <= {START, LEFT}:
        failed = [finding for finding in _attempts(tier) if not finding.protected]
    return failed


@cache
def choose_once(wanted: str) -> TierChoice:
    """Return what `choose` returns, cached: a busy machine may answer otherwise a second later."""
    return choose(wanted)


def try_tier(tier: str) -> list[Weakness]:
    """Return what *tier* protects on this machine and what it does not, tried by the hostile probe bot."""
    findings = _attempts(tier)
    if findings[0].what == START:
        return findings
    return [*findings, _check_outliving(tier)]


def _attempts(tier: str) -> list[Weakness]:
    with tempfile.TemporaryDirectory() as folder, collect_signals() as signals:
        try:
            answer, left = _run_probe(tier, Path(folder))
        except (CannotConfine, CannotStart, _NoAnswer) as error:
            return [Weakness(START, False, str(error))]
    if signals:
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


def _run_probe(tier: str, folder: Path) -> tuple[dict[str, list[str]], int]:
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
            # Only the tests' own files and this process are attacked: the probe does no harm where nothing
            # confines it.
            "runner": os.getpid(),
            "command": _own_command(),
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
    """Return the next line of *bot*.  Raises _NoAnswer."""
    poll = select.poll()
    for fd in (bot.stdout_fd, bot.exit_fd):
        if fd is not None:
            poll.register(fd, select.POLLIN)
    deadline = time.monotonic() + PATIENCE
    while poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
        if lines := bot.receive():
            return lines[0]
        if bot.exit_status() is not None:
            raise _NoAnswer(f"the bot of the self-test ended: {bot.stderr_text()[-500:].strip()}")
    raise _NoAnswer(f"the bot of the self-test had not answered after {PATIENCE:.0f} s")


def _own_command() -> str:
    with contextlib.suppress(OSError):
        return Path("/proc/self/cmdline").read_text()
    return ""


@contextlib.contextmanager
def collect_signals() -> Iterator[list[int]]:
    """Yield a list that collects the SIGURG signals sent to this process; they have no other effect."""
    came: list[int] = []
    before = signal.signal(signal.SIGURG, lambda number, _: came.append(number))
    try:
        yield came
    finally:
        signal.signal(signal.SIGURG, before)


# -- the death of the runner


def _check_outliving(tier: str) -> Weakness:
    """Kill a process that has started a bot, and check that nothing is left of the bot."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        runner = context.Process(target=_run_a_bot, args=(tier, folder, there), daemon=True)
        runner.start()
        there.close()
        try:
            pids: list[int] = here.recv() if here.poll(PATIENCE) else []
        except EOFError:
            pids = []
        runner.kill()
        runner.join()
    if not pids:
        return Weakness(OUTLIVING, False, "the self-test could not start a bot")
    left = _count_left(pids)
    return _weakness(OUTLIVING, f"{left} left" if left else "")


def _count_left(pids: list[int]) -> int:
    """Return how many of the killed processes *pids* still exist after PATIENCE."""
    deadline = time.monotonic() + PATIENCE
    while (left := sum(map(is_alive, pids))) and time.monotonic() < deadline:
        time.sleep(0.002)
    return left


def _run_a_bot(tier: str, folder: str, pipe: Connection) -> None:
    two = ("/bin/sh", "-c", "sleep 600 & echo started; wait")
    bot = BotProcess.start(confine(tier, two, Path(folder), {}), 2**20)
    _read_line(bot)
    pipe.send(bot.tree.pids())
    time.sleep(PATIENCE)
    bot.kill()
