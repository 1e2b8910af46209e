"""Run workers on a Dask cluster: the parent's side, which sends chunks as tasks and reads their reports.

If a worker is lost, Dask gives its chunk to another.  Bots, confinement and faults are handled at the worker,
as on one machine (ladder.run.executors.cluster_worker).
"""

from __future__ import annotations

import logging
import secrets
import socket
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from queue import Empty, SimpleQueue
from typing import Any, cast

import dask
import msgspec
from distributed import Client, Future, KilledWorker, LocalCluster
from distributed.cli.dask_worker import main as dask_worker

from ladder.contest.blocks import PlannedBlock
from ladder.errors import LadderError, short
from ladder.referee.lapses import Count
from ladder.registry.transfer import machine_type, pack
from ladder.registry.version import Version
from ladder.run.executors.base import QUEUED, Executor, Result
from ladder.run.executors.cluster_worker import ChunkReport, RunPackage, RunPlugin, play, stop
from ladder.run.executors.local import block_error
from ladder.worker.worker_messages import Chunk, Setup, Unplayed

__all__ = ["on_cluster", "reach", "serve"]

LOCAL = "local-cluster"
"""`local-cluster:N` is a cluster of N workers on this machine, for trials."""
VOICE = "distributed.nanny.pre-spawn-environ.DASK_LOGGING__DISTRIBUTED"
SETTINGS = {
    "distributed.worker.daemon": False,
    "distributed.worker.preload": ["ladder.run.executors.cluster_worker"],
    VOICE: "critical",
}
"""Settings of Dask workers: child processes are allowed, cluster_worker is preloaded, logs are off."""
PATIENCE = 30
"""How long to wait for a scheduler, in seconds."""
REACH_SECONDS = 5.0
"""How long to wait for the port of a scheduler; Dask itself would retry without end."""
COUNT_SECONDS = 1.0
"""How often the parent counts the workers."""

log = logging.getLogger(__name__)


class ClusterExecutor(Executor):
    """The workers of a Dask cluster, including those that join later.

    The scheduler chooses the workers.  They do not say how much they wait, and their bots run on any core.
    The outlays of a worker after its last chunk are lost.
    """

    chunk_s = 1.0  # a task costs some milliseconds of the one scheduler

    @classmethod
    def start(cls, setup: Setup, client: Client) -> ClusterExecutor:
        """Send the run's setup and bots to all workers.  Raises LadderError if one cannot take part."""
        name = f"ladder-{secrets.token_hex(8)}"
        executor = cls(setup.bots, client, name, client.submit(int, key=f"{name}-lease", pure=False))
        executor._send(setup)
        executor._count()
        return executor

    def __init__(self, bots: Sequence[Version], client: Client, name: str, lease: Future) -> None:
        """Play with *bots* under *name*, which the workers of *client* forget when *lease* is released."""
        super().__init__()
        self._bots = bots
        self._client = client
        self._address = client.scheduler.address
        self._name = name
        self._lease = lease
        self._flying: dict[str, tuple[Future, Chunk]] = {}
        self._landed: SimpleQueue[Future] = SimpleQueue()
        self._failure: LadderError | None = None
        self._draining = False
        self._submitted = 0
        self._lapses: Mapping[str, Count] = {}
        self._places: int | None = None
        self._counted_at = -COUNT_SECONDS

    def _send(self, setup: Setup) -> None:
        package = msgspec.msgpack.encode(RunPackage(setup, tuple(map(pack, setup.bots)), machine_type()))
        try:
            self._client.register_plugin(
                RunPlugin(self._name, cast("str", self._lease.key), setup.confinement.tier, package)
            )
        except Exception as error:  # a worker that is not the ladder's may fail in any way
            self.close()
            raise LadderError(
                f"a worker of {self._address} cannot take part: {short(str(error), 300)}",
                f"start workers with the ladder's own command: ladder worker {self._address}",
            ) from None

    def room(self) -> int:
        """Return the number of chunks that can be submitted now."""
        return max(0, QUEUED * (self._places or 0) - len(self._flying))

    def submit(self, blocks: Sequence[PlannedBlock], *, alone: bool = False, charge: str = "") -> None:
        """Queue *blocks*, which share one seating, to be played one after another."""
        self._submitted += 1
        task = f"{self._name}-{self._submitted}"
        chunk = Chunk(tuple(blocks), alone, charge)
        future = self._client.submit(play, self._name, task, chunk, self._lapses, key=task, pure=False)
        self._flying[task] = future, chunk
        future.add_done_callback(self._landed.put)

    def results(self, timeout: float) -> list[Result]:
        """Return what has become of blocks; wait up to *timeout* seconds for the first.

        Raises LadderError, after all other results were returned, if a worker refuses a bot, a block has
        killed as many workers as the scheduler allows, or the scheduler is gone.
        """
        if self._failure:
            raise self._failure
        try:
            self._count()
            return self._collect(timeout)
        except OSError as error:
            raise self._report_gone(str(error)) from None

    def tell(self, lapses: Mapping[str, Count]) -> None:
        """Send the number of lapses of each bot in the whole run with every later chunk."""
        self._lapses = dict(lapses)

    def drain(self) -> Iterator[list[Result]]:
        """Let each worker finish its current block; yield the results several times a second."""
        self._draining = True
        with suppress(OSError):  # the scheduler is gone, and with it the current blocks
            self._client.run(stop, self._name, on_error="ignore")
        while self._flying and not self._failure:
            yield self._collect(0.2)

    def close(self) -> None:
        """End the run at all workers; afterwards no bot of it runs at a worker that answers."""
        self._flying.clear()  # which cancels the tasks that have not begun
        self._lease.release()
        with suppress(OSError, ValueError, RuntimeError):  # the scheduler is gone, or never had it
            self._client.unregister_worker_plugin(self._name)

    def _count(self) -> None:
        """Count the chunks that the workers can play at once; warn if there are fewer than before."""
        if time.monotonic() - self._counted_at < COUNT_SECONDS:
            return
        workers = self._client.nthreads()
        places, before = sum(workers.values()), self._places
        self._places, self._counted_at = places, time.monotonic()
        if not places and before != 0:
            log.warning("%s has no worker; start some with: ladder worker %s", self._address, self._address)
        elif before and places < before:
            log.warning(
                "%s has lost workers: %d matches at once, down from %d", self._address, places, before
            )

    def _collect(self, timeout: float) -> list[Result]:
        done = self._list_ended(timeout)
        finished = [future for future in done if future.status == "finished"]
        reports: list[ChunkReport] = self._client.gather(finished, errors="skip") if finished else []
        played = [block for report in reports for block in self._read(report)]
        for future in done:
            if future.key in self._flying:
                self._mourn(future)
        return played

    def _list_ended(self, timeout: float) -> list[Future]:
        """Return the tasks that have ended, in success or failure."""
        done = []
        with suppress(Empty):
            done.append(self._landed.get(timeout=timeout))
            while True:
                done.append(self._landed.get_nowait())
        return done

    def _read(self, report: ChunkReport) -> list[Result]:
        _, chunk = self._flying.pop(report.task)
        self._outlays += report.outlays
        for line in report.log:
            logging.getLogger(line.logger).log(line.level, "%s: %s", report.address, line.text)
        played = {done.block if isinstance(done, Unplayed) else done.number for done in report.played}
        left = [block for block in chunk.blocks if block.number not in played]
        if report.failure:
            self._failure = LadderError(report.failure.what, report.failure.hint)
        elif left and not self._draining:  # the worker was ended
            self.submit(left, alone=chunk.alone, charge=chunk.charge)
        elif not left:
            self._parallel[chunk.blocks[0].seating] = report.parallel
        return report.played

    def _mourn(self, future: Future) -> None:
        """Handle a task without a report: submit its blocks again if workers died, else fail."""
        _, chunk = self._flying.pop(cast("str", future.key))
        blocks = chunk.blocks
        error = future.exception() if future.status == "error" else None
        if isinstance(error, KilledWorker) and len(blocks) > 1:
            log.warning("workers died while playing %d blocks; each block is played again alone", len(blocks))
            for block in blocks:
                self.submit([block], alone=chunk.alone, charge=chunk.charge)
        elif isinstance(error, KilledWorker):
            dead = error.allowed_failures + 1
            self._failure = block_error(
                f"{dead} worker{'s' if dead > 1 else ''} died while playing block {blocks[0].number}",
                [self._bots[i].id for i in blocks[0].bots],
            )
        elif future.status in ("lost", "pending"):  # it was played, and its worker died with the result
            if not self._draining:
                self.submit(blocks, alone=chunk.alone, charge=chunk.charge)
        elif error:
            self._failure = LadderError(
                f"a worker of {self._address} failed: {short(repr(error), 300)}",
                "the same command continues the run",
            )
        else:
            self._failure = self._report_gone("it no longer knows the run")

    def _report_gone(self, why: str) -> LadderError:
        return LadderError(
            f"the scheduler at {self._address} is gone: {why}",
            "start one and its workers; the same command continues the run",
        )


@contextmanager
def on_cluster(where: str, setup: Setup) -> Iterator[ClusterExecutor]:
    """Yield the workers of the scheduler at *where*, or of a new `local-cluster:N`.

    Raises LadderError if there is no scheduler.
    """
    _quieten()
    with _client(where) as client, closing(ClusterExecutor.start(setup, client)) as executor:
        yield executor


def serve(address: str, jobs: int) -> None:
    """Run a Dask worker that plays *jobs* chunks at once, until a signal or the end of the scheduler.

    It listens only on the address from which this machine reaches the scheduler.  Raises LadderError if there
    is no scheduler.
    """
    _quieten()
    host = f"--host {_await_scheduler(address)}" if _is_socket(address) else ""
    options = (
        f"--nworkers 1 --nthreads {jobs} --memory-limit 0 --no-dashboard --dashboard-address 127.0.0.1:0 "
        f"--death-timeout {PATIENCE} {host}"
    )
    with dask.config.set(SETTINGS):
        try:
            dask_worker.main([address, *options.split()], standalone_mode=False)
        except SystemExit:
            raise _no_scheduler(address, f"waited {PATIENCE} s") from None


def reach(where: str) -> None:
    """Raise LadderError if nothing listens at *where*, the address of a scheduler."""
    if _is_socket(where):
        _own_address(where)


def _is_socket(where: str) -> bool:
    return where.partition("://")[0] in ("tcp", "tls", "ws", "wss")


def _await_scheduler(address: str) -> str:
    """Return what _own_address does; wait for a scheduler that has not started yet."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return _own_address(address)
        except LadderError:
            if time.monotonic() > deadline:
                raise
        time.sleep(COUNT_SECONDS)


def _quieten() -> None:
    """Silence Dask's logs: the ladder reports what matters itself."""
    for name in ("distributed", "distributed.client", "distributed.gc"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


@contextmanager
def _client(where: str) -> Iterator[Client]:
    if where.startswith(f"{LOCAL}:"):
        workers = int(where.partition(":")[2])
        with dask.config.set(SETTINGS), _local(workers) as cluster, cluster.get_client() as client:
            yield client
        return
    reach(where)
    try:
        client = Client(where, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise _no_scheduler(where, str(error)) from None
    with client:
        yield client


def _no_scheduler(address: str, why: str) -> LadderError:
    host, port = _split(address)
    return LadderError(
        f"no scheduler answers at {address}: {why}",
        f"start one there: dask scheduler --host {host} --port {port}; "
        f"then, where bots are to play: ladder worker {address}",
    )


def _split(address: str) -> tuple[str, str]:
    """Return the host and the port of *address*."""
    host, _, port = address.partition("://")[2].rstrip("/").rpartition(":")
    return host.strip("[]"), port


def _own_address(address: str) -> str:
    """Return the address of this machine from which it reaches the scheduler at *address*.

    Raises LadderError if nothing listens there.
    """
    host, port = _split(address)
    try:
        with socket.create_connection((host, int(port)), REACH_SECONDS) as connection:
            return str(connection.getsockname()[0])
    except (OSError, ValueError) as error:  # ValueError: the host's name is invalid
        raise _no_scheduler(address, str(error)) from None


def _local(workers: int) -> Any:
    try:
        return LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",  # Dask always has a dashboard; let it use any port
            memory_limit=0,
            silence_logs=logging.CRITICAL,
        )
    except RuntimeError as error:  # also when Ctrl-C comes before its workers ignore it
        raise LadderError(
            f"the local cluster has not started: {error}", "run the same command again"
        ) from None
