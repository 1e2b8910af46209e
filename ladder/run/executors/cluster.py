"""Run workers on a Dask cluster: the parent's side, which sends chunks as tasks and reads their reports.

If a worker is lost, Dask gives its chunk to another.  Bots, confinement and faults are handled at the worker,
as on one machine (ladder.run.executors.cluster_worker).
"""

import logging
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from math import inf
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import cast

import dask
import msgspec
from distributed import Future, KilledWorker
from distributed.cli.dask_worker import main as dask_worker

from ladder.contest.blocks import PlannedBlock
from ladder.errors import LadderError, short
from ladder.referee.lapses import Count
from ladder.registry.transfer import machine_type, pack
from ladder.registry.version import Version
from ladder.run.executors.base import QUEUED, Executor, Result, WorkerSpeed
from ladder.run.executors.cluster_worker import ChunkReport, RunPackage, RunPlugin, play, stop
from ladder.run.executors.local import block_error
from ladder.run.executors.scheduler import (
    ENDING,
    PATIENCE,
    SETTINGS,
    SLURM,
    SOCKETS,
    SSH,
    Cluster,
    await_scheduler,
    no_scheduler,
    open_cluster,
    reach,
)
from ladder.run.executors.ssh_hosts import read_hosts
from ladder.run.executors.tls_files import TlsFiles, read_tls, tls_settings
from ladder.run.executors.worker_speed import WorkerSpeeds
from ladder.worker.worker_messages import Chunk, Setup, Unplayed
from results.words import count

START_SECONDS = 60.0
"""How long workers that were started may take to come, before that is told."""
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
    def start(cls, setup: Setup, cluster: Cluster) -> "ClusterExecutor":
        """Send the run's setup and bots to all workers.  Raises LadderError if one cannot take part."""
        name = f"ladder-{secrets.token_hex(8)}"
        lease = cluster.client.submit(int, key=f"{name}-lease", pure=False)
        executor = cls(setup.bots, cluster, name, lease)
        executor._send(setup)
        executor._count()
        return executor

    def __init__(self, bots: Sequence[Version], cluster: Cluster, name: str, lease: Future) -> None:
        """Play with *bots* under *name*, which the workers of *cluster* forget when *lease* is released."""
        super().__init__()
        self._bots = bots
        self._cluster = cluster
        self._client = cluster.client
        self._address = cluster.name
        self._name = name
        self._lease = lease
        self._flying: dict[str, tuple[Future, Chunk]] = {}
        self._landed: SimpleQueue[Future] = SimpleQueue()
        self._failure: LadderError | None = None
        self._draining = False
        self._submitted = 0
        self._speeds = WorkerSpeeds()
        self._lapses: Mapping[str, Count] = {}
        self._places: int | None = None
        self._counted_at = -COUNT_SECONDS
        self._late_at = time.monotonic() + START_SECONDS if cluster.is_starting else -inf
        """When it is told that there is no worker yet, if so."""

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
                "start workers with the ladder's own command: ladder worker ADDRESS",
            ) from None

    def room(self) -> int:
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

    def speeds(self) -> list[WorkerSpeed]:
        """Return how fast each worker has played, slowest first."""
        return self._speeds.speeds()

    def hurry(self) -> None:
        with suppress(OSError, AttributeError):  # the scheduler is gone
            self._client.run(stop, self._name, hurry=True, on_error="ignore")

    def tell(self, lapses: Mapping[str, Count]) -> None:
        """Send the number of lapses of each bot in the whole run with every later chunk."""
        self._lapses = dict(lapses)

    def drain(self) -> Iterator[list[Result]]:
        self._draining = True
        with suppress(OSError, AttributeError):  # the scheduler is gone, and with it the current blocks
            self._client.run(stop, self._name, on_error="ignore")
        while self._flying and not self._failure:
            yield self._collect(0.2)

    def close(self) -> None:
        """End the run at all workers; afterwards no bot of it runs at a worker that answers."""
        self._flying.clear()  # which cancels the tasks that have not begun
        self._lease.release()
        # The scheduler is gone, or never had it.  AttributeError: the client has given it up.
        with suppress(OSError, ValueError, RuntimeError, AttributeError):
            self._client.unregister_worker_plugin(self._name)

    def _count(self) -> None:
        """Count the chunks that the workers can play at once; warn if there are fewer than before."""
        if time.monotonic() - self._counted_at < COUNT_SECONDS:
            return
        self._cluster.check()
        workers = self._client.nthreads()
        places, before = sum(workers.values()), self._places
        self._places, self._counted_at = places, time.monotonic()
        late = self._counted_at > self._late_at
        if not places and (before or late):
            log.warning("%s has no worker; %s", self._address, self._cluster.more)
            self._late_at = inf
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
        worker = report.address, report.host, report.processes
        self._speeds.add(worker, chunk.blocks, report.played, report.seconds)
        for line in report.log:
            logging.getLogger(line.logger).log(line.level, "%s: %s", report.address, line.text)
        played = {done.block if isinstance(done, Unplayed) else done.number for done in report.played}
        left = [block for block in chunk.blocks if block.number not in played]
        if report.failure:
            self._failure = report.failure.error()
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
                f"{count(dead, 'worker')} died while playing block {blocks[0].number}",
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
def on_cluster(where: str, setup: Setup, tls: Path | None = None) -> Iterator[ClusterExecutor]:
    """Yield the workers at *where*, read by open_cluster, with certificates *tls*.  Raises LadderError."""
    _quieten()
    files = read_tls(tls) if tls else None
    with open_cluster(where, files) as cluster, closing(ClusterExecutor.start(setup, cluster)) as executor:
        yield executor


def prepare(where: str, tls: Path | None) -> None:
    """Raise LadderError if the cluster at *where* surely cannot play."""
    files = read_tls(tls) if tls else None
    kind, _, what = where.partition(":")
    if kind == SSH:
        read_hosts(Path(what))
    elif kind == SLURM:
        from ladder.run.executors.slurm_jobs import require_slurm  # an extra of its own

        require_slurm()
    elif kind in SOCKETS:
        reach(where, files)


def serve(address: str, jobs: int, tls: TlsFiles | None = None, *, for_one_run: bool = False) -> None:
    """Run a Dask worker that plays *jobs* chunks at once, until a signal or the end of the scheduler.

    It listens only on the address from which this machine reaches the scheduler.  If it is *for_one_run*, it
    ends soon after that was killed.  Raises LadderError if there is no scheduler.
    """
    _quieten()
    host = f"--host {await_scheduler(address, tls)}" if address.partition("://")[0] in SOCKETS else ""
    options = (
        f"--nworkers 1 --nthreads {jobs} --memory-limit 0 --no-dashboard --dashboard-address 127.0.0.1:0 "
        f"--death-timeout {PATIENCE} {host}"
    )
    with dask.config.set(SETTINGS | (tls_settings(tls) if tls else {}) | (ENDING if for_one_run else {})):
        try:
            dask_worker.main([address, *options.split()], standalone_mode=False)
        except SystemExit:
            raise no_scheduler(address, f"waited {PATIENCE} s") from None


def _quieten() -> None:
    """Silence Dask's logs: the ladder reports what matters itself."""
    for name in ("distributed", "distributed.client", "distributed.gc"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
