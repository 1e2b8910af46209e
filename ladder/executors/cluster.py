"""Workers of a Dask cluster: the parent's side, which sends chunks as tasks and reads what came of them.

Dask plays a chunk that is lost with its worker somewhere else; which bots play it, how they are confined and
what a fault is, is settled at the worker as on one machine (ladder.executors.cluster_worker).
"""

from __future__ import annotations

import logging
import secrets
import socket
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from queue import Empty, SimpleQueue
from typing import Any

import dask
import msgspec
from distributed import Client, Future, KilledWorker, LocalCluster
from distributed.cli.dask_worker import main as dask_worker

from ladder.blocks import Block
from ladder.errors import LadderError, short
from ladder.executors.base import QUEUED, BlockResult
from ladder.executors.cluster_worker import ChunkReport, RunPackage, RunPlugin, play, stop
from ladder.executors.local import block_error
from ladder.referee.lapses import Count
from ladder.registry.transfer import machine_type, pack
from ladder.worker.messages import Setup
from ladder.worker.spending import Outlay

__all__ = ["LOCAL", "ClusterExecutor", "on_cluster", "reach", "serve"]

LOCAL = "local-cluster"
"""With `:N` behind it, a cluster of N workers on this machine, for trying it."""
VOICE = "distributed.nanny.pre-spawn-environ.DASK_LOGGING__DISTRIBUTED"
SETTINGS = {
    "distributed.worker.daemon": False,
    "distributed.worker.preload": ["ladder.executors.cluster_worker"],
    VOICE: "critical",
}
"""For Dask workers: they have child processes, which play; see cluster_worker.dask_setup; and are quiet."""
PATIENCE = 30
"""How long to wait for a scheduler, in seconds."""
REACH_SECONDS = 5.0
"""How long to wait for the port of a scheduler: Dask itself would try again and again."""
COUNT_SECONDS = 1.0
"""How often the parent looks how many workers there are."""

log = logging.getLogger(__name__)


class ClusterExecutor:
    """The workers of a Dask cluster: those that are there, and those that come."""

    chunk_s = 1.0  # a task costs some milliseconds, and one scheduler serves them all

    def __init__(self, setup: Setup, client: Client) -> None:
        """Send what workers must know of the run.  Raises LadderError if one of them cannot take it."""
        self._bots = setup.bots
        self._client = client
        self._address = client.scheduler.address
        self._name = f"ladder-{secrets.token_hex(8)}"
        self._lease = client.submit(int, key=f"{self._name}-lease", pure=False)
        self._flying: dict[str, tuple[Future, Sequence[Block]]] = {}
        self._landed: SimpleQueue[Future] = SimpleQueue()
        self._parallel: dict[tuple[int, tuple[int, ...]], int] = {}
        self._failure: LadderError | None = None
        self._draining = False
        self._submitted = 0
        self._outlays: list[dict[str, Outlay]] = []
        self._lapses: Mapping[str, Count] = {}
        self._places: int | None = None
        self._counted_at = -COUNT_SECONDS
        cargo = msgspec.msgpack.encode(RunPackage(setup, tuple(map(pack, setup.bots)), machine_type()))
        try:
            client.register_plugin(RunPlugin(self._name, self._lease.key, setup.sandbox, cargo))
        except Exception as error:  # whatever a strange worker makes of it
            self.close()
            raise LadderError(
                f"a worker of {self._address} cannot take part: {short(str(error), 300)}",
                f"start workers with the ladder's own command: ladder worker {self._address}",
            ) from None
        self._count()

    def room(self) -> int:
        """Return how many more chunks it would take now."""
        return max(0, QUEUED * (self._places or 0) - len(self._flying))

    def submit(self, blocks: Sequence[Block]) -> None:
        """Take *blocks*, all of one table, to be played in a row."""
        self._submitted += 1
        task = f"{self._name}-{self._submitted}"
        future = self._client.submit(
            play, self._name, task, tuple(blocks), self._lapses, key=task, pure=False
        )
        self._flying[task] = future, blocks
        future.add_done_callback(self._landed.put)

    def parallel(self, block: Block) -> int:
        """Return how many matches the table of *block* has had in progress; 1 until it is known."""
        return self._parallel.get(block.seating, 1)

    def results(self, timeout: float) -> list[BlockResult]:
        """Return what has been done, waiting up to *timeout* seconds for something.

        Raises LadderError for what ends the run, when all else is returned: a worker that refuses a bot, a
        block that has taken as many workers with it as the scheduler allows, a scheduler that is gone.
        """
        if self._failure:
            raise self._failure
        try:
            self._count()
            return self._collect(timeout)
        except OSError as error:
            raise self._gone(str(error)) from None

    def unpin(self) -> None:
        """Do nothing: bots and workers run on any core."""

    def tell(self, lapses: Mapping[str, Count]) -> None:
        """Tell all workers, with their next chunks, how often each bot has lapsed in the whole run."""
        self._lapses = dict(lapses)

    def outlays(self) -> list[dict[str, Outlay]]:
        """Return what workers have told since this was last asked; their last word of it is not heard."""
        outlays, self._outlays = self._outlays, []
        return outlays

    def drain(self) -> Iterator[list[BlockResult]]:
        """Let each worker finish the block in hand; yield what gets done, several times a second."""
        self._draining = True
        with suppress(OSError):  # the scheduler is gone, and so is what was in hand
            self._client.run(stop, self._name, on_error="ignore")
        while self._flying and not self._failure:
            yield self._collect(0.2)

    def close(self) -> None:
        """End the run at all workers; when this returns no bot of it is left on those that answer."""
        self._flying.clear()  # which cancels what has not begun
        self._lease.release()
        with suppress(OSError, ValueError, RuntimeError):  # the scheduler is gone, or never had it
            self._client.unregister_worker_plugin(self._name)

    def _count(self) -> None:
        """Look how many chunks the workers can play at once; say so if there are fewer than before."""
        if time.monotonic() - self._counted_at < COUNT_SECONDS:
            return
        workers = self._client.nthreads()
        places, before = sum(workers.values()), self._places
        self._places, self._counted_at = places, time.monotonic()
        if not places and before != 0:
            log.warning("%s has no worker; start some with: ladder worker %s", self._address, self._address)
        elif before and places < before:
            log.warning("%s has lost workers: %d matches at once, before %d", self._address, places, before)

    def _collect(self, timeout: float) -> list[BlockResult]:
        done = self._done(timeout)
        finished = [future for future in done if future.status == "finished"]
        reports: list[ChunkReport] = self._client.gather(finished, errors="skip") if finished else []
        played = [block for report in reports for block in self._read(report)]
        for future in done:
            if future.key in self._flying:
                self._mourn(future)
        return played

    def _done(self, timeout: float) -> list[Future]:
        """Return the tasks that are over, however they ended."""
        done = []
        with suppress(Empty):
            done.append(self._landed.get(timeout=timeout))
            while True:
                done.append(self._landed.get_nowait())
        return done

    def _read(self, report: ChunkReport) -> list[BlockResult]:
        _, blocks = self._flying.pop(report.task)
        self._outlays += report.outlays
        for line in report.log:
            logging.getLogger(line.logger).log(line.level, "%s: %s", report.address, line.text)
        played = {block.number for block in report.played}
        left = [block for block in blocks if block.number not in played]
        if report.failure:
            self._failure = LadderError(report.failure.what, report.failure.hint)
        elif left and not self._draining:  # the worker was ended
            self.submit(left)
        elif not left:
            self._parallel[blocks[0].seating] = report.parallel
        return report.played

    def _mourn(self, future: Future) -> None:
        """See why there is no report: give blocks whose workers all died to others, each by itself."""
        _, blocks = self._flying.pop(future.key)
        error = future.exception() if future.status == "error" else None
        if isinstance(error, KilledWorker) and len(blocks) > 1:
            log.warning("workers died with %d blocks in hand; each is played again by itself", len(blocks))
            for block in blocks:
                self.submit([block])
        elif isinstance(error, KilledWorker):
            self._failure = block_error(
                f"block {blocks[0].number} has taken {error.allowed_failures + 1} workers with it",
                [self._bots[i].id for i in blocks[0].bots],
            )
        elif error:
            self._failure = LadderError(
                f"a worker of {self._address} failed: {short(repr(error), 300)}",
                "the same command continues the run",
            )
        else:
            self._failure = self._gone("it has forgotten the run")

    def _gone(self, why: str) -> LadderError:
        return LadderError(
            f"the scheduler at {self._address} is gone: {why}",
            "start one and its workers; the same command continues the run",
        )


@contextmanager
def on_cluster(where: str, setup: Setup) -> Iterator[ClusterExecutor]:
    """Give the workers of the scheduler at *where*, or of a cluster made here: `local-cluster:N`.

    Raises LadderError if there is none.
    """
    _quieten()
    with _client(where) as client, closing(ClusterExecutor(setup, client)) as executor:
        yield executor


def serve(address: str, jobs: int) -> None:
    """Be a Dask worker, which plays *jobs* chunks at once, until a signal or the end of the scheduler.

    Raises LadderError if no scheduler is found.
    """
    _quieten()
    options = f"--nworkers 1 --nthreads {jobs} --memory-limit 0 --no-dashboard --death-timeout {PATIENCE}"
    with dask.config.set(SETTINGS):
        try:
            dask_worker.main([address, *options.split()], standalone_mode=False)
        except SystemExit:
            raise _no_scheduler(address, f"waited {PATIENCE} s") from None


def reach(where: str) -> None:
    """Raise LadderError if nothing listens at *where*, the address of a scheduler."""
    scheme, _, place = where.partition("://")
    if scheme not in ("tcp", "tls", "ws", "wss"):
        return
    host, _, port = place.rstrip("/").rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), REACH_SECONDS).close()
    except (OSError, ValueError) as error:  # ValueError: the host's name is invalid
        raise _no_scheduler(where, str(error)) from None


def _quieten() -> None:
    """Let Dask say nothing: what matters is said in the ladder's own words."""
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
    return LadderError(
        f"no scheduler answers at {address}: {why}",
        f"start one there: dask scheduler; then, where bots are to play: ladder worker {address}",
    )


def _local(workers: int) -> Any:
    try:
        return LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",  # there is always one; this is the way to have any port
            memory_limit=0,
            silence_logs=logging.CRITICAL,
        )
    except RuntimeError as error:  # also where Ctrl-C came before its workers could ignore it
        raise LadderError(f"the local cluster has not started: {error}", "the same command again") from None
