"""A table of bots that can be driven through the runner or over bare pipes, with the same bytes."""

import logging
import os
import select
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any, Literal, NamedTuple

from engines import GAMES, playout
from ladder.contest.blocks import PlannedBlock
from ladder.contest.keys import secret_of_seed
from ladder.errors import LadderError
from ladder.home.home import house_bots
from ladder.machine.cores import run_on, usable_cores
from ladder.process.bot import BotProcess
from ladder.process.command import build
from ladder.registry.bot_manifest import read_manifest
from ladder.registry.bundled import copy_bundled
from ladder.registry.version import Version
from ladder.run.executors.local import LocalExecutor
from ladder.sandbox import confine
from ladder.sandbox.confinement import Confinement
from ladder.worker.main import spare_collections
from ladder.worker.practice import practice_setup
from ladder.worker.worker import Worker
from ladder.worker.worker_messages import Setup
from results.record import Contest, RunSettings

CLIENT_BOT = Path(__file__).with_name("client_bot.py")
"""A bot with the client library that requests no views."""
C_BOT = Path(__file__).with_name("c_bot.c")
"""A bot that takes next to no time."""
COMPILE_S = 60.0
"""How long the compiler may take for it."""
DECISIONS = 4_500
"""The approximate number of decisions in one round of matches."""


@contextmanager
def pin_to_core() -> Iterator[None]:
    run_on(0, usable_cores()[-1:])
    try:
        yield
    finally:
        run_on(0, usable_cores())


@contextmanager
def build_c_bot() -> Iterator[Path | None]:
    """Yield the manifest of the bot in C; None without a C compiler.  Raises LadderError if it fails."""
    if (compiler := shutil.which("cc")) is None:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="ladder-c-bot-") as folder:
        command = [compiler, "-std=c11", "-O2", "-o", "bot", str(C_BOT)]
        status, output = build(confine("none", command, Path(folder), {}), COMPILE_S)
        if status != 0:
            raise LadderError(f"{C_BOT.name} could not be compiled: {output.strip()[-500:]}")
        manifest = Path(folder, "bot.toml")
        manifest.write_text('name = "c-bot"\nrun = ["./bot"]\n')
        yield manifest


def start_workers(setup: Setup, jobs: int, pin: Literal["auto", "on"] = "on") -> closing[LocalExecutor]:
    """Return *jobs* workers that log nothing; they end with the block."""
    return closing(LocalExecutor.start(setup, jobs, pin, logging.NullHandler(), logging.ERROR))


def memory_mb(pid: int, *, peak: bool) -> float | None:
    """Return the resident size of process *pid*, or its *peak* so far, in MB; None without /proc.

    wait4 would include the size of this process at the moment when it started the other.
    """
    with suppress(OSError, IndexError):
        status = Path(f"/proc/{pid}/status").read_text("ascii")
        return int(status.partition("VmHWM:" if peak else "VmRSS:")[2].split()[0]) / 1024
    return None


class _Tee:
    """A bot process that records every write."""

    def __init__(self, process: BotProcess, sent: list[tuple[int, bytes]], index: int) -> None:
        self._process = process
        self._sent = sent
        self._index = index

    def __getattr__(self, name: str) -> Any:
        return getattr(self._process, name)

    def send(self, data: bytes) -> bool:
        self._sent.append((self._index, data))
        return self._process.send(data)


class Cost(NamedTuple):
    """The cost of a round: wall time and CPU time per decision, in microseconds."""

    wall: float
    cpu: float
    own: float
    """The share of this process in the CPU time."""


class Rig:
    """Random bots at the smallest table of a game, one process per bot and lane, and the bytes they get."""

    def __init__(
        self,
        game: str,
        in_progress: int,
        tier: str = "none",
        freeze: Literal["on", "off"] = "off",
        program: Path | None = None,
    ) -> None:
        """Start no bot yet.  *program*: the script or manifest of the bots, if not the house bot's."""
        seats = GAMES[game].seats[0]
        file = program or house_bots()["random"]
        self._copied = ExitStack()
        folder = self._copied.enter_context(copy_bundled(file.parent))
        manifest = read_manifest(folder / file.name, GAMES)
        self._bots = [Version("random", str(i), str(folder), manifest) for i in range(seats)]
        self._in_progress = in_progress
        setup = practice_setup(
            (Contest(game, seats, {}, tuple(range(seats))),),
            tuple(self._bots),
            RunSettings(freeze=freeze),
            Confinement(tier),
            secret=secret_of_seed(0),
            in_progress=in_progress,
            cores=1,
        )
        self._worker = Worker(setup)
        spare_collections()
        self._sent: list[tuple[int, bytes]] = []
        per_match = sum(1 for _ in playout(GAMES[game], GAMES[game].deal(seats, Random(7)), seats, Random(7)))
        count = max(2, round(DECISIONS / per_match / seats))
        self._blocks = [PlannedBlock(i, seats * i, 0, tuple(range(seats))) for i in range(count)]

    @property
    def matches(self) -> int:
        """The number of matches in a round."""
        return len(self._blocks) * len(self._bots)

    def close(self) -> None:
        self._worker.lanes.close()
        self._copied.close()

    def record(self) -> int:
        """Play once and record the bytes sent; return the number of decisions."""
        self._play(self._blocks[:2])
        for index, player in enumerate(self._players()):
            player.process = _Tee(player.process, self._sent, index)
        self._play(self._blocks)
        for player in self._players():
            player.process = player.process._process
        return sum(data.count(b'{"type":"act"') for _, data in self._sent)

    def start_ms(self) -> float:
        """Start one more process; return the time until its `ready`."""
        began = time.perf_counter_ns()
        (player,) = self._worker.lanes.fresh(self._bots[:1])
        assert player.process, player.failure
        select.select([player.process.stdout_fd], [], [], 10)
        took = time.perf_counter_ns() - began
        self._worker.lanes.retire([player])
        return took / 1e6

    def play(self) -> Cost:
        """Measure the recorded matches through the runner."""
        return self._cost(lambda: self._play(self._blocks))

    def bare(self) -> Cost:
        """Measure the recorded bytes over bare pipes, without a referee."""
        # The same processes get the same bytes, without a referee: what is left is the cost of pipes and
        # bots, which no referee can go below, so the ratio of the two says what the ladder adds.
        fds = [(p.process.stdin_fd, p.process.stdout_fd) for p in self._players() if p.process]
        for fd in (fd for pair in fds for fd in pair):
            os.set_blocking(fd, True)
        try:
            turns = self._turns()
            return self._cost(lambda: _ping_pong(fds, turns))
        finally:
            for fd in (fd for pair in fds for fd in pair):
                os.set_blocking(fd, False)

    def _turns(self) -> list[list[tuple[int, bytes, int]]]:
        """Return the writes between two reads: for each its bot, its bytes and the number of answers."""
        if self._in_progress == 1:
            return [[(index, data, data.count(b'{"type":"act"'))] for index, data in self._sent]
        lines: dict[int, list[bytes]] = {}
        for index, data in self._sent:
            acts = [line for line in data.splitlines(keepends=True) if line.startswith(b'{"type":"act"')]
            lines.setdefault(index, []).extend(acts)
        size = self._in_progress
        turns: list[list[tuple[int, bytes, int]]] = []
        for lane in range(len(self._bots)):  # whose bots are at work at the same time
            players = [lane * len(self._bots) + seat for seat in range(len(self._bots))]
            for at in range(0, max(len(lines[index]) for index in players), size):
                batches = [(index, lines[index][at : at + size]) for index in players]
                turns.append([(index, b"".join(batch), len(batch)) for index, batch in batches if batch])
        return turns

    def _players(self) -> list[Any]:
        lanes = range(len(self._bots))
        return [player for lane in lanes for player in self._worker.lanes.seat(self._bots, lane)]

    def _play(self, blocks: Sequence[PlannedBlock]) -> None:
        if self._in_progress > 1:
            list(self._worker.play(blocks))
        else:
            for block in blocks:
                list(self._worker.play([block]))

    def _cost(self, work: Callable[[], object]) -> Cost:
        decisions = sum(data.count(b'{"type":"act"') for _, data in self._sent)
        bots = [player.process for player in self._players()]
        before = sum(bot.cpu_us() or 0 for bot in bots)
        own, wall = time.process_time_ns(), time.perf_counter_ns()
        work()
        wall, own = time.perf_counter_ns() - wall, time.process_time_ns() - own
        spent = sum(bot.cpu_us() or 0 for bot in bots) - before
        return Cost(wall / 1000 / decisions, (own / 1000 + spent) / decisions, own / 1000 / decisions)


def _ping_pong(fds: Sequence[tuple[int, int]], turns: Sequence[Sequence[tuple[int, bytes, int]]]) -> None:
    write, read = os.write, os.read
    for turn in turns:
        for index, data, _ in turn:
            write(fds[index][0], data)
        for index, _, answers in turn:
            while answers > 0:
                answers -= read(fds[index][1], 65536).count(b"\n")
