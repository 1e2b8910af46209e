"""What a Dask worker has of a run: the bots unpacked, and a local executor for each of its threads.

Dask moves chunks and their results; processes of bots, their confinement and their end are as on one machine.
A worker asks the scheduler every few seconds whether the run still has its lease, a task that only its parent
holds on to: without it, everything of the run goes, as it does when the parent says so.
"""

from __future__ import annotations

import logging
import secrets
import shutil
import signal
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock

import msgspec
from distributed import Worker as DaskWorker
from distributed import WorkerPlugin, get_worker
from msgspec.structs import replace
from tornado.gen import sleep
from tornado.ioloop import PeriodicCallback

import protocol
from engines import GAMES
from ladder import __version__
from ladder.blocks import Block
from ladder.cores import usable_cores
from ladder.errors import LadderError
from ladder.executors.base import QUEUED, BlockResult
from ladder.executors.local import LocalExecutor
from ladder.process.tiers import chosen
from ladder.referee.lapses import Count
from ladder.registry.transfer import Parcel, unpack
from ladder.worker.messages import Failed, Setup
from ladder.worker.spending import Outlay

__all__ = ["ChunkReport", "RunPackage", "RunPlugin", "play", "stop", "versions"]

LEASE_SECONDS = 5.0
"""How often a worker looks whether the run is still there."""
PATIENCE = 10.0
"""How long the end of a run waits for chunks in hand, in seconds; they look up ten times a second."""


class RunPackage(msgspec.Struct, frozen=True):
    """What is sent to a worker before its first chunk."""

    setup: Setup
    parcels: tuple[Parcel, ...]
    """The bots of *setup*, in its order."""
    origin: str
    """The machine type of who sends it."""


class LogLine(msgspec.Struct, frozen=True):
    """What was logged at a worker."""

    logger: str
    level: int
    text: str


class ChunkReport(msgspec.Struct, frozen=True):
    """What has become of a chunk."""

    task: str
    address: str
    """Whose report it is."""
    played: list[BlockResult] = []
    parallel: int = 1
    """How many matches its table had in progress."""
    failure: Failed | None = None
    outlays: list[dict[str, Outlay]] = []
    """What processes took to start and to leave, as far as it is known."""
    log: list[LogLine] = []
    """What was logged meanwhile."""


def versions() -> dict[str, str]:
    """Return what must be the same at both ends for the same blocks to end the same."""
    games = {f"game {name}": str(game.version) for name, game in GAMES.items()}
    return {"ladder": __version__, "protocol": str(protocol.VERSION), **games}


def dask_setup(dask_worker: DaskWorker) -> None:
    """Let Ctrl-C be: it reaches the whole terminal; Dask calls this in a worker that the ladder starts."""
    signal.signal(signal.SIGINT, lambda *_: None)  # unlike SIG_IGN this is not inherited by the bots


def play(name: str, task: str, blocks: tuple[Block, ...], lapses: Mapping[str, Count]) -> ChunkReport:
    """Play *blocks* for the run called *name* at the Dask worker that runs this.

    *lapses*: how often each bot has lapsed in the whole run.
    """
    worker = get_worker()
    plugin: RunPlugin | None = worker.plugins.get(name)
    if plugin is None:  # the worker is ending: let others have the chunk
        return ChunkReport(task, worker.address)
    return plugin.play(task, blocks, lapses)


def stop(name: str, dask_worker: DaskWorker) -> None:
    """Let the blocks in hand be the last of the run called *name*."""
    with suppress(KeyError):  # the worker is ending
        dask_worker.plugins[name].stop()


class _KeptLog(logging.Handler):
    """Keeps what is logged until somebody takes it to where it is read."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._kept: deque[LogLine] = deque()

    def emit(self, record: logging.LogRecord) -> None:
        self._kept.append(LogLine(record.name, record.levelno, self.format(record)))

    def take(self) -> list[LogLine]:
        return [self._kept.popleft() for _ in range(len(self._kept))]


class RunPlugin(WorkerPlugin):  # type: ignore[misc]  # distributed is typed in part
    """A run at one Dask worker.  Dask calls setup and teardown in its event loop, play in its threads."""

    def __init__(self, name: str, lease: str, tier: str, cargo: bytes) -> None:
        """Be what is sent: nothing but plain values."""
        self.name = name
        self._lease = lease
        self._tier = tier
        self._versions = versions()
        self._cargo = cargo

    def setup(self, worker: DaskWorker) -> None:
        """Begin, at a worker that was there or has just come."""
        self._worker = worker
        self._folder: Path | None = None
        self._settled: Setup | LadderError | None = None
        self._lock = Lock()
        self._resting: list[LocalExecutor] = []
        self._playing = 0
        self._stopping = self._over = False
        self._log = _KeptLog()
        logging.getLogger("ladder").addHandler(self._log)
        try:
            chosen(self._tier)  # here, for a self-test needs the main thread
        except LadderError as error:
            self._settled = self._here(error)
        self._watch = PeriodicCallback(self._look, LEASE_SECONDS * 1000)
        self._watch.start()

    async def teardown(self, worker: DaskWorker) -> None:
        """End all bots, and leave nothing behind."""
        self._over = True
        self._watch.stop()
        deadline = time.monotonic() + PATIENCE
        while self._playing and time.monotonic() < deadline:
            await sleep(0.02)
        for closing in [worker.loop.run_in_executor(None, e.close) for e in self._resting]:
            await closing
        logging.getLogger("ladder").removeHandler(self._log)
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)

    def stop(self) -> None:
        """Let the blocks in hand be the last."""
        self._stopping = True

    def play(self, task: str, blocks: Sequence[Block], lapses: Mapping[str, Count]) -> ChunkReport:
        """Play *blocks*, all of one table, in a row; fewer, if the run or the worker is being ended."""
        played: list[BlockResult] = []
        parallel, failure = 1, None
        outlays: list[dict[str, Outlay]] = []
        try:
            with self._executor() as executor:
                if lapses:
                    executor.tell(lapses)
                self._play(executor, blocks, played)
                parallel = executor.parallel(blocks[0])
                outlays = executor.outlays()
        except LadderError as error:
            failure = Failed(str(error), error.hint)
        log = self._log.take()
        return ChunkReport(task, self._worker.address, played, parallel, failure, outlays, log)

    def _play(self, executor: LocalExecutor, blocks: Sequence[Block], played: list[BlockResult]) -> None:
        """Add *blocks* to *played* as they are done, until the chunk is, or something ends it."""
        if self._stopping:
            return
        executor.submit(blocks)
        while (len(played) < len(blocks) or executor.room() < QUEUED) and not self._over:
            if self._stopping:
                self._drain(executor, played)
                return
            played += executor.results(0.1)

    def _drain(self, executor: LocalExecutor, played: list[BlockResult]) -> None:
        for done in executor.drain():
            played += done
            if self._over:
                return

    @contextmanager
    def _executor(self) -> Iterator[LocalExecutor]:
        """Give an executor that rests, with its warm bots, or a new one; it rests again if all went well."""
        with self._lock:
            self._playing += 1
        try:
            setup = self._ready()
            executor = self._rested() or LocalExecutor(setup, 1, "off", self._log, logging.WARNING)
            rests = False
            try:
                yield executor
                rests = not (self._stopping or self._over)
            finally:
                if rests:
                    self._resting.append(executor)
                else:
                    executor.close()
        finally:
            with self._lock:
                self._playing -= 1

    def _rested(self) -> LocalExecutor | None:
        with self._lock:
            return self._resting.pop() if self._resting else None

    def _ready(self) -> Setup:
        """Return the run's setup with the bots as they lie here.  Raises LadderError if that cannot be."""
        with self._lock:
            if self._settled is None:
                try:
                    self._settled = self._settle()
                except LadderError as error:  # others need not try
                    self._settled = self._here(error)
        if isinstance(self._settled, LadderError):
            raise self._settled
        return self._settled

    def _here(self, error: LadderError) -> LadderError:
        return LadderError(f"{self._worker.address}: {error}", error.hint)

    def _settle(self) -> Setup:
        """Unpack the bots, in a folder that only they can find."""
        here = versions()
        if differing := [
            f"{what} is {here.get(what)} there and {wanted} here"
            for what, wanted in self._versions.items()
            if here.get(what) != wanted
        ]:
            raise LadderError(
                f"the worker cannot play this run: {'; '.join(differing)}", "install the same version on both"
            )
        cargo = msgspec.msgpack.decode(self._cargo, type=RunPackage)
        setup = cargo.setup
        self._folder = Path(tempfile.mkdtemp(prefix="ladder-", dir=self._worker.local_directory))
        self._folder.chmod(0o711)  # a bot's own user may pass, but sees nothing
        place = self._folder / secrets.token_hex(16)
        bots = []
        for parcel in cargo.parcels:
            id_ = parcel.version.id
            bots.append(
                unpack(
                    parcel,
                    place / id_,
                    cargo.origin,
                    setup.passed[id_],
                    setup.sandbox,
                    readable=setup.readable,
                    network=setup.build_network,
                )
            )
        cores = max(1, len(usable_cores()) // self._worker.state.nthreads)
        return replace(setup, bots=tuple(bots), cores=cores)

    async def _look(self) -> None:
        """See whether the run is still there; if not, be the one who says so to all workers."""
        scheduler = self._worker.scheduler
        with suppress(OSError, ValueError):  # no scheduler: the worker ends; ValueError: another was faster
            states = await scheduler.get_task_status(keys=[self._lease])
            if states[self._lease] is None:
                await scheduler.unregister_worker_plugin(name=self.name)
