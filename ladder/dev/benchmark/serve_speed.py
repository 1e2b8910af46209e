"""Measure the CPU time of `ladder serve` for bots on other machines, and for an upload."""

import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from http.client import HTTPConnection
from pathlib import Path

from ladder.dev.benchmark.figure import Figure, at_most
from ladder.dev.benchmark.starts import PROGRAM
from ladder.home.home import create_home
from ladder.home.packing import PEOPLE
from ladder.machine.seat_socket import call_hub
from ladder.process.procfs import cpu_clock

SEATS, ANSWERS, UPLOAD_MB = 64, 30, 50
AIM_US = 156
"""CPU of the hub for an answer: 5 % of two cores, if each seat answers every 100 ms."""
ACT = b'{"type":"act","id":"%d","view":"' + b"x" * 500 + b'"}\n'
TOKEN = "bench"  # noqa: S105 - of a home that is gone at the end
PERSON = {"name": "ann", "sha256": sha256(TOKEN.encode()).hexdigest(), "added": "2026-01-01T00:00:00Z"}


def serve_figures(rounds: int) -> Iterator[Figure]:
    """Measure both; nothing where the server does not start: without the extra `web`, or a sandbox."""
    with tempfile.TemporaryDirectory(prefix="ladder-bench-") as folder, ExitStack() as stack:
        home = create_home(Path(folder, "home")).path
        (home / PEOPLE).write_text(json.dumps([PERSON]))
        (inbox := home.with_name("inbox")).mkdir()
        server = (*PROGRAM, "serve", "--port", "0", "--uploads", str(inbox), "--home", str(home))
        pid, url = stack.enter_context(_running(1, *server))
        if not url:
            return
        stack.enter_context(
            _running(2, "-m", "ladder.live.connect", url, "mine", "--tables", "8", "--", "cat")
        )
        seats = [stack.enter_context(call_hub(home / "bots", "mine")) for _ in range(SEATS)]

        def answer() -> None:
            for number in range(ANSWERS):
                for seat in seats:
                    seat.setblocking(True)
                    seat.sendall(ACT % number)
                for seat in seats:
                    seat.recv(len(ACT))

        us = _cpu_us(pid, answer, rounds) / SEATS / ANSWERS
        yield at_most(f"{SEATS} remote seats that answer at once: hub's CPU", us, "us/answer", AIM_US)
        ms = _cpu_us(pid, lambda: _upload(url), rounds) / 1000
        yield Figure(f"upload of {UPLOAD_MB} MB: CPU of ladder serve", ms, "ms")


def _cpu_us(pid: int, work: Callable[[], None], rounds: int) -> float:
    """Return what process *pid* spends meanwhile in one of *rounds*, after one to warm up."""
    work()
    before = time.clock_gettime_ns(cpu_clock(pid))
    for _ in range(rounds):
        work()
    return (time.clock_gettime_ns(cpu_clock(pid)) - before) / 1000 / rounds


@contextmanager
def _running(fd: int, *arguments: str) -> Iterator[tuple[int, str]]:
    """Run Python; yield the number of its process, and the first line that it writes to *fd*."""
    told, out = os.pipe()
    quiet = (os.POSIX_SPAWN_OPEN, 3 - fd, os.devnull, os.O_RDWR, 0)
    files = [quiet, (os.POSIX_SPAWN_DUP2, out, fd)]
    environment = {**os.environ, "LADDER_TOKEN": TOKEN}
    pid = os.posix_spawn(sys.executable, [sys.executable, *arguments], environment, file_actions=files)
    os.close(out)
    try:
        with open(told) as lines:  # noqa: PTH123 - a pipe
            yield pid, lines.readline().strip(" /\n")
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def _upload(url: str) -> None:
    connection, body = HTTPConnection(url[7:]), os.urandom(8) + bytes(UPLOAD_MB * 10**6 - 8)
    connection.request("PUT", "/api/v1/bots/large.zip", body, {"Authorization": f"Bearer {TOKEN}"})
    assert connection.getresponse().status == 202
    connection.close()
