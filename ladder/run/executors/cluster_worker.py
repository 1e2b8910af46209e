"""A run at a Dask worker: the unpacked bots, and a local executor for each thread.

Dask moves chunks and their results; bot processes are started, confined and ended as on one machine.  Every
few seconds a worker asks the scheduler for the run's lease, a task that only the run's parent keeps alive.
If the lease is gone, or the parent ends the run, the worker ends its bots and removes the run's files.
"""

import logging
import secrets
import signal
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import cast

import msgspec
from distributed import Worker as DaskWorker
from distributed import WorkerPlugin, get_worker
from msgspec.structs import replace
from tornado.gen import sleep
from tornado.ioloop import PeriodicCallback

import protocol
from engines import GAMES
from ladder.errors import LadderError, Told, TooBusy
from ladder.machine.capacity import most_processes
from ladder.machine.cores import usable_cores
from ladder.machine.installation import __version__
from ladder.machine.removal import remove_folder
from ladder.process.tiers import choose
from ladder.referee.lapses import Count
from ladder.referee.records import MACHINE
from ladder.registry.transfer import PackedBot, unpack
from ladder.run.executors.base import QUEUED, Result
from ladder.run.executors.local import LocalExecutor
from ladder.worker.spending import Outlay
from ladder.worker.worker_messages import Chunk, Setup, WorkerFailed

LEASE_SECONDS = 5.0
"""How often a worker checks the lease of a run."""
PATIENCE = 10.0
"""How long the end of a run waits for unfinished chunks, in seconds; they check ten times a second."""


class RunPackage(msgspec.Struct, frozen=True):
    """The setup and the bots of a run, sent to a worker before its first chunk."""

    setup: Setup
    parcels: tuple[PackedBot, ...]
    """The bots of *setup*, in its order."""
    origin: str
    """The machine type of the sender."""


class LogLine(msgspec.Struct, frozen=True):
    """A log record of a worker."""

    logger: str
    level: int
    text: str


class ChunkReport(msgspec.Struct, frozen=True):
    """The results of a chunk."""

    task: str
    address: str
    """The address of the worker."""
    played: list[Result] = []
    parallel: int = 1
    """The number of matches that its seating had in progress."""
    failure: WorkerFailed | None = None
    outlays: list[dict[str, Outlay]] = []
    """The time and processes that bots took to start and to leave, as far as known."""
    log: list[LogLine] = []
    """The log records since the last report."""
    host: str = ""
    processes: int = 1
    """How many chunks the worker plays at once."""
    seconds: float = 0.0
    """How long it took for this one."""


def versions() -> dict[str, str]:
    """Return the versions that parent and worker must share for blocks to have the same results."""
    games = {f"game {name}": str(game.version) for name, game in GAMES.items()}
    return {"ladder": __version__, "protocol": str(protocol.VERSION), **games}


def check_versions(wanted: Mapping[str, str]) -> None:
    """Raise LadderError if the versions here are not those that are *wanted*, which are those of the run."""
    here = versions()
    if differing := [
        f"{what} is {here.get(what)} there and {version} here"
        for what, version in wanted.items()
        if here.get(what) != version
    ]:
        raise LadderError(
            f"the worker cannot play this run: {'; '.join(differing)}", "install the same version on both"
        )


def dask_setup(dask_worker: DaskWorker) -> None:
    """Ignore Ctrl-C, which reaches the whole terminal.  Dask calls this in workers that the ladder starts."""
    signal.signal(signal.SIGINT, lambda *_: None)  # unlike SIG_IGN this is not inherited by the bots


def play(name: str, task: str, chunk: Chunk, lapses: Mapping[str, Count]) -> ChunkReport:
    """Play *chunk* of the run *name* at this Dask worker; *lapses*: of each bot in the whole run."""
    worker = get_worker()
    plugin = cast("RunPlugin | None", worker.plugins.get(name))
    if plugin is None:  # the worker is ending: others play the chunk
        return ChunkReport(task, worker.address)
    return plugin.play(task, chunk, lapses)


def stop(name: str, dask_worker: DaskWorker, *, hurry: bool = False) -> None:
    """Let the worker finish its blocks of the run called *name*, and begin no more; or only *hurry*."""
    with suppress(KeyError):  # the worker is ending
        cast("RunPlugin", dask_worker.plugins[name]).stop(hurry=hurry)


class _KeptLog(logging.Handler):
    """Collects log records until the next report takes them."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._kept: deque[LogLine] = deque()

    def emit(self, record: logging.LogRecord) -> None:
        self._kept.append(LogLine(record.name, record.levelno, self.format(record)))

    def take(self) -> list[LogLine]:
        return [self._kept.popleft() for _ in range(len(self._kept))]


class RunPlugin(WorkerPlugin):  # type: ignore[misc]  # distributed is typed in part
    """A run at one Dask worker.  Dask calls setup and teardown in its event loop, and play in threads."""

    _hurries = False
    """Whether the time of the run is up, so that no table may stand."""

    def __init__(self, name: str, lease: str, tier: str, package: bytes) -> None:
        """Hold only plain values: Dask sends this object to workers."""
        self.name = name
        self._lease = lease
        self._tier = tier
        self._versions = versions()
        self._package = package

    def setup(self, worker: DaskWorker) -> None:
        """Start the run at *worker*, which may have joined after the run began."""
        self._worker = worker
        self._folder: Path | None = None
        self._setup: Setup | LadderError | None = None
        self._lock = Lock()
        self._idle: list[LocalExecutor] = []
        self._playing = 0
        self._stopping = self._over = False
        self._log = _KeptLog()
        logging.getLogger("ladder").addHandler(self._log)
        self._watch = PeriodicCallback(self._look, LEASE_SECONDS * 1000)
        self._watch.start()

    async def teardown(self, worker: DaskWorker) -> None:
        """End all bots and remove the files of the run."""
        self._over = True
        self._watch.stop()
        deadline = time.monotonic() + PATIENCE
        while self._playing and time.monotonic() < deadline:
            await sleep(0.02)
        for closing in [worker.loop.run_in_executor(None, e.close) for e in self._idle]:
            await closing
        logging.getLogger("ladder").removeHandler(self._log)
        if self._folder:
            remove_folder(self._folder)

    def stop(self, *, hurry: bool) -> None:
        """Finish the current blocks, and begin no more; or let no table stand from now on: *hurry*."""
        self._hurries = True
        self._stopping = self._stopping or not hurry

    def play(self, task: str, chunk: Chunk, lapses: Mapping[str, Count]) -> ChunkReport:
        """Play the blocks of *chunk*; fewer if the run or the worker is ending."""
        played: list[Result] = []
        parallel, failure = 1, None
        outlays: list[dict[str, Outlay]] = []
        began = time.monotonic()
        try:
            with self._executor() as executor:
                began = time.monotonic()
                if lapses:
                    executor.tell(lapses)
                self._play(executor, chunk, played)
                parallel = executor.parallel(chunk.blocks[0])
                outlays = executor.outlays()
        except LadderError as error:
            failure = WorkerFailed.of(error)
        return ChunkReport(
            task=task,
            address=self._worker.address,
            host=MACHINE,
            processes=self._worker.state.nthreads,
            seconds=time.monotonic() - began,
            played=played,
            parallel=parallel,
            failure=failure,
            outlays=outlays,
            log=self._log.take(),
        )

    def _play(self, executor: LocalExecutor, chunk: Chunk, played: list[Result]) -> None:
        """Play *chunk*, adding what becomes of each block to *played*, until it is over or the run ends."""
        if self._stopping:
            return
        told_to_hurry = False
        executor.submit(chunk.blocks, alone=chunk.alone, charge=chunk.charge)
        while (len(played) < len(chunk.blocks) or executor.room() < QUEUED) and not self._over:
            if self._stopping:
                self._drain(executor, played)
                return
            if self._hurries and not told_to_hurry:
                told_to_hurry = True
                executor.hurry()
            played += executor.results(0.1)

    def _drain(self, executor: LocalExecutor, played: list[Result]) -> None:
        for done in executor.drain():
            played += done
            if self._over:
                return

    @contextmanager
    def _executor(self) -> Iterator[LocalExecutor]:
        """Yield an idle executor, with its warm bots, or a new one; keep it for later if all went well."""
        with self._lock:
            self._playing += 1
        try:
            setup = self._unpacked_setup()
            executor = self._take_idle() or LocalExecutor.start(setup, 1, "off", self._log, logging.WARNING)
            keep = False
            try:
                yield executor
                keep = not (self._stopping or self._over)
            finally:
                if keep:
                    self._idle.append(executor)
                else:
                    executor.close()
        finally:
            with self._lock:
                self._playing -= 1

    def _take_idle(self) -> LocalExecutor | None:
        with self._lock:
            return self._idle.pop() if self._idle else None

    def _unpacked_setup(self) -> Setup:
        """Return the run's setup with the bots unpacked here.  Raises LadderError if that fails."""
        with self._lock:
            if self._setup is None:
                try:
                    self._setup = self._unpack()
                except TooBusy as error:
                    raise self._at_this_worker(error) from None
                except LadderError as error:  # do not try again
                    self._setup = self._at_this_worker(error)
        if isinstance(self._setup, LadderError):
            raise self._setup
        return self._setup

    def _at_this_worker(self, error: LadderError) -> LadderError:
        return Told(f"{self._worker.address}: {error}", error.hint, error.whose, error.exit_code)

    def _unpack(self) -> Setup:
        """Unpack the bots, in a folder whose name only they know."""
        check_versions(self._versions)
        choose(self._tier)
        package = msgspec.msgpack.decode(self._package, type=RunPackage)
        setup = package.setup
        self._folder = Path(tempfile.mkdtemp(prefix="ladder-", dir=self._worker.local_directory))
        self._folder.chmod(0o711)  # a bot's own user may pass, but sees nothing
        place = self._folder / secrets.token_hex(16)
        bots = []
        for parcel in package.parcels:
            id_ = parcel.version.id
            bots.append(unpack(parcel, place / id_, package.origin, setup.passed[id_], setup.confinement))
        threads = self._worker.state.nthreads
        cores = max(1, len(usable_cores()) // threads)
        processes = setup.processes or most_processes(threads)
        return replace(setup, bots=tuple(bots), cores=cores, processes=processes)

    async def _look(self) -> None:
        """Check the lease of the run; if it is gone, end the run at all workers."""
        scheduler = self._worker.scheduler
        with suppress(OSError, ValueError):  # no scheduler: the worker ends; ValueError: another was first
            states = await scheduler.get_task_status(keys=[self._lease])
            if states[self._lease] is None:
                await scheduler.unregister_worker_plugin(name=self.name)
