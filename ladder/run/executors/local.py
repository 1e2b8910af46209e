"""Run workers on this machine: one process per worker.

Each worker has its own pipe, not a shared queue, so a worker that dies loses only its current blocks.
ladder.run.executors.cluster runs workers on other machines.
"""

import contextlib
import logging
import multiprocessing
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from threading import Thread
from typing import assert_never

import msgspec
from msgspec.structs import replace

from ladder.contest.blocks import PlannedBlock
from ladder.errors import LadderError, Told, TooBusy
from ladder.machine.capacity import most_processes
from ladder.machine.cores import Pin, usable_cores
from ladder.machine.exits import describe_exit
from ladder.machine.interrupts import undisturbed_starts
from ladder.machine.logs import WorkerLog
from ladder.process.other_load import OtherLoad
from ladder.referee.lapses import Count
from ladder.registry.seat_caps import count_at_once
from ladder.run.executors.base import QUEUED, STARVED, Executor, FinishedBlock, Result, Waiting
from ladder.run.executors.warm import WarmBots
from ladder.worker import worker_messages
from ladder.worker.main import work
from results.words import count

DEATHS = 3
"""Stop the run after one block has killed this many workers."""
LOG_SECONDS = 1.0
"""How long the end of a run waits for the last log lines of its workers."""

log = logging.getLogger(__name__)


class _PendingChunk:
    """A chunk at a worker: its seating, and its blocks that are not finished."""

    def __init__(self, chunk: worker_messages.Chunk, *, together: bool) -> None:
        """Expect that each lane of its blocks has a table of its own, or those of all blocks *together*."""
        self.chunk = chunk
        self.seating = chunk.blocks[0].seating
        self.left = {block.number: block for block in chunk.blocks}
        self.lanes = len(chunk.blocks[0].bots) * (1 if together else len(chunk.blocks))
        """How many lanes are not played."""


class _LocalWorker:
    """A worker process on this machine, and its unfinished chunks."""

    @classmethod
    def start(
        cls,
        setup: tuple[bytes, bytes],
        cores: Sequence[int],
        processes: int,
        handler: logging.Handler,
        level: int,
    ) -> "_LocalWorker":
        context = multiprocessing.get_context("spawn")
        log = WorkerLog(handler, context)
        pipe, other = context.Pipe()
        process = context.Process(target=work, args=(other, log.queue, level, setup, cores), daemon=True)
        with undisturbed_starts():
            process.start()
        other.close()
        return cls(process, pipe, log, cores, WarmBots(processes))

    def __init__(
        self, process: SpawnProcess, pipe: Connection, log: WorkerLog, cores: Sequence[int], warm: WarmBots
    ) -> None:
        self.process = process
        self.pipe = pipe
        self.log = log
        self.cores = cores
        self.warm = warm
        self.chunks: dict[int, _PendingChunk] = {}
        """By the numbers of their first blocks, in the order in which they were sent."""
        self.tables = 1
        """How many tables it can hold in progress."""
        self.had_several = False
        """Whether it may have held several tables: if it dies, no single block is to blame."""
        self.waits = 0.0
        """The part of the time in which its tables need no core."""
        self.starved = 0.0
        """The part of the time in which they are ready to run and have no core."""
        self.bound: worker_messages.Bound = ""
        """What keeps it from more tables."""

    @property
    def room(self) -> int:
        """The number of chunks that can be sent to it now, one after the other.

        None lies ready where bots wait at several tables: another worker may have a table free for it.
        """
        return max(0, QUEUED - len(self.chunks) if self.tables == 1 else self.tables - self.lanes)

    @property
    def lanes(self) -> int:
        """The number of lanes that it has to play: as many tables can be in progress."""
        return sum(chunk.lanes for chunk in self.chunks.values())

    @property
    def load(self) -> float:
        """How much it has to do for each of its tables; it gets no chunk before one that has less."""
        return (len(self.chunks) if self.tables == 1 else self.lanes) / self.tables

    @property
    def playing(self) -> int:
        """The number of tables in progress."""
        return min(self.tables, self.lanes)

    def end_block(self, number: int) -> None:
        """Remove a block that is played, or given back, from its chunk."""
        chunk = next(chunk for chunk in self.chunks.values() if number in chunk.left)
        del chunk.left[number]

    @property
    def busy(self) -> bool:
        """Whether a block is unfinished; the message that its chunk is done may still be on its way."""
        return any(chunk.left for chunk in self.chunks.values())

    def send(self, message: worker_messages.Message) -> None:
        with contextlib.suppress(OSError):  # the sentinel reports a worker that is gone
            self.pipe.send_bytes(worker_messages.encode(message))

    def read(self) -> list[worker_messages.Report]:
        """Return the messages that have arrived."""
        messages = []
        with contextlib.suppress(EOFError, OSError):
            while self.pipe.poll():
                messages.append(worker_messages.decode_report(self.pipe.recv_bytes()))
        return messages

    def end(self) -> Thread | None:
        """Kill the process if it still runs; return the thread that reads the rest of its log."""
        self.process.kill()
        self.process.join()
        self.pipe.close()
        return self.log.close_later()


def block_error(what: str, bots: Sequence[str]) -> LadderError:
    """Return the error for a block that ends the run: *what* happened, and its *bots*."""
    if len(bots) == 1:
        return LadderError(f"{what}; the bot is {bots[0]}", f"ladder run --resume --without {bots[0]}")
    names = f"; at its table: {', '.join(bots)}" if bots else ""
    return LadderError(what + names, "ladder run --resume --without BOT, with the one to blame")


def should_pin(pin: Pin, jobs: int) -> bool:
    """Return whether each of *jobs* workers starts on its own core; auto: if there are enough cores."""
    return pin == "on" or (pin == "auto" and jobs <= len(usable_cores()))


class LocalExecutor(Executor):
    """Plays blocks in *jobs* processes; if pinned, each has a share of cores and starts on the first."""

    @classmethod
    def start(
        cls,
        setup: worker_messages.Setup,
        jobs: int,
        pin: Pin,
        handler: logging.Handler,
        level: int,
        carried: bytes = b"",
    ) -> "LocalExecutor":
        """Start *jobs* workers; *handler* gets their log from *level* on; *carried*: functions that play."""
        cores = usable_cores()
        count = max(1, (setup.cores or len(cores)) // jobs)
        processes = setup.processes or most_processes(jobs)
        encoded = msgspec.msgpack.encode(replace(setup, cores=count, processes=processes)), carried
        start_worker = partial(_LocalWorker.start, encoded, processes=processes, handler=handler, level=level)
        shares = [[cores[(i * count + k) % len(cores)] for k in range(count)] for i in range(jobs)]
        workers = [start_worker(share if should_pin(pin, jobs) else ()) for share in shares]
        return cls(setup, workers, start_worker, may_unpin=pin == "auto")

    def __init__(
        self,
        setup: worker_messages.Setup,
        workers: Sequence[_LocalWorker],
        start_worker: Callable[[Sequence[int]], _LocalWorker],
        *,
        may_unpin: bool,
    ) -> None:
        """Play by *workers*; *start_worker* replaces one that dies."""
        super().__init__()
        self._setup = setup
        self._other_load = OtherLoad()
        self._start_worker = start_worker
        self._may_unpin = may_unpin
        self._lapses = worker_messages.LapsesSoFar({})
        """The lapses of the bots, as last sent to the workers."""
        self._workers = list(workers)
        self._deaths: Counter[int] = Counter()
        self._one_table = False
        """Whether each worker holds one table only, since one has died."""
        self._failure: LadderError | None = None

    def room(self) -> int:
        return sum(worker.room for worker in self._workers)

    def choose(self, blocks: Iterable[PlannedBlock]) -> int:
        """Return the index of the first of *blocks* for which the next worker starts the fewest processes.

        So the bots of a run divide among the workers, and each worker stays with some bots for a while if it
        cannot keep the processes of all.
        """
        warm = self._next_worker().warm
        best, least = 0, 1 << 30
        for index, block in enumerate(blocks):
            if (missing := warm.missing(block)) < least:
                best, least = index, missing
            if not missing:
                break
        return best

    def _next_worker(self) -> _LocalWorker:
        return min(self._workers, key=lambda worker: (not worker.room, worker.load))

    def submit(self, blocks: Sequence[PlannedBlock], *, alone: bool = False, charge: str = "") -> None:
        """Queue *blocks*, which share one seating, to be played one after another."""
        worker = self._next_worker()
        chunk = worker_messages.Chunk(tuple(blocks), alone, charge)
        worker.warm.add(blocks[0])
        pending = _PendingChunk(chunk, together=self.parallel(blocks[0]) > 1)
        pending.lanes = min(pending.lanes, count_at_once(self._setup.caps, blocks[0].bots))
        worker.chunks[blocks[0].number] = pending
        worker.send(chunk)

    def results(self, timeout: float) -> list[Result]:
        """Return what has become of blocks; wait up to *timeout* seconds for the first.

        Raises LadderError for a block that has killed three workers, after all other results were returned.
        """
        if self._failure:
            raise self._failure
        workers = self._workers
        ready = wait([w.pipe for w in workers] + [w.process.sentinel for w in workers], timeout)
        played = [done for worker in workers if worker.pipe in ready for done in self._read(worker)]
        for i, worker in enumerate(workers):
            if worker.process.sentinel in ready:
                played += self._read(worker)
                worker.end()
                self._workers[i] = self._start_worker(worker.cores)
                if self._lapses.counts:
                    self._workers[i].send(self._lapses)
                self._mourn(worker)
        return played

    def waiting(self) -> Waiting | None:
        """Return how many tables are in progress, and how much they wait; None while all rest."""
        busy = [worker for worker in self._workers if worker.chunks]
        if not (tables := sum(worker.playing for worker in busy)):
            return None
        waits = sum(worker.waits * worker.playing for worker in busy) / tables
        starved = sum(worker.starved * worker.playing for worker in busy) / tables
        bounds = {worker.bound for worker in busy}
        bound = bounds.pop() if len(bounds) == 1 else ""
        if bound == "processes" and not self._setup.processes:
            bound = "memory"  # it bounds the processes
        others = self._other_load.look() if starved >= STARVED else None
        return Waiting(tables, waits, bound, starved, others)

    def unpin(self) -> None:
        for worker in self._workers:
            if worker.cores and self._may_unpin:
                worker.cores = ()
                worker.send(worker_messages.Unpin())

    def hurry(self) -> None:
        for worker in self._workers:
            worker.send(worker_messages.Hurry())

    def tell(self, lapses: Mapping[str, Count]) -> None:
        self._lapses = worker_messages.LapsesSoFar(dict(lapses))
        for worker in self._workers:
            worker.send(self._lapses)

    def pids(self) -> list[int]:
        """Return the process ids of the workers."""
        return [worker.process.pid or 0 for worker in self._workers]

    def drain(self) -> Iterator[list[Result]]:
        for worker in self._workers:
            worker.send(worker_messages.StopAfterBlock())
        left = list(self._workers)
        while left:
            ready = wait([w.pipe for w in left] + [w.process.sentinel for w in left], 0.2)
            yield [done for worker in left if worker.pipe in ready for done in self._read(worker)]
            left = [worker for worker in left if worker.process.is_alive()]
        yield [done for worker in self._workers for done in self._read(worker)]

    def close(self) -> None:
        """End all workers: let idle ones exit, and kill the others at once."""
        for worker in self._workers:
            worker.send(worker_messages.StopAfterBlock())
        for worker in self._workers:
            worker.process.join(0.0 if worker.busy else 3.0)
            worker.process.terminate()  # its bots end with it
            worker.process.join(3.0)
        deadline = time.monotonic() + LOG_SECONDS
        for worker in self._workers:
            self._read(worker)
        for waiting in [worker.end() for worker in self._workers]:
            if waiting:
                waiting.join(max(0.0, deadline - time.monotonic()))
        self._workers.clear()

    def _read(self, worker: _LocalWorker) -> list[Result]:
        """Return what has become of blocks of *worker*, and remove them from its chunks."""
        played: list[Result] = []
        for message in worker.read():
            match message:
                case worker_messages.WorkerFailed() as failed:
                    self._failure = failed.error()
                case worker_messages.Outlays(outlays):
                    self._outlays.append(outlays)
                case worker_messages.Load(tables, waits, starved, bound):
                    worker.tables = 1 if self._one_table else tables
                    worker.waits, worker.starved, worker.bound = waits, starved, bound
                    worker.had_several |= tables > 1
                case worker_messages.TableReady(first, parallel):
                    if first in worker.chunks:  # else its table, another thread of the worker, was faster
                        self._parallel[worker.chunks[first].seating] = parallel
                case worker_messages.LaneDone(first):
                    if first in worker.chunks:  # else another table of the worker was faster
                        worker.chunks[first].lanes = max(1, worker.chunks[first].lanes - 1)
                case worker_messages.ChunkDone(first, parallel):
                    self._parallel[worker.chunks.pop(first).seating] = parallel
                case worker_messages.BlockDone(number, payload):
                    worker.end_block(number)
                    played.append(FinishedBlock(number, payload))
                case worker_messages.Unplayed() as unplayed:
                    worker.end_block(unplayed.block)
                    played.append(unplayed)
                case _:
                    assert_never(message)
        return played

    def _mourn(self, dead: _LocalWorker) -> None:
        """Submit a *dead* worker's blocks each alone, a table a worker: the next death shows the cause."""
        ended = describe_exit(dead.process.exitcode)
        lost = [(block, pending.chunk) for pending in dead.chunks.values() for block in pending.left.values()]
        log.warning("a worker died (%s); %d blocks are played again", ended, len(lost))
        self._one_table = True
        for worker in self._workers:
            worker.tables = 1
            worker.send(worker_messages.OneTable())
        in_hand = [chunk for chunk in dead.chunks.values() if chunk.left]
        if lost and not (dead.had_several and len(in_hand) > 1):
            suspect, _ = lost[0]
            self._deaths[suspect.number] += 1
            if self._deaths[suspect.number] >= DEATHS:
                bots = [self._setup.bots[i].id for i in suspect.bots]
                self._failure = block_error(
                    f"{count(DEATHS, 'worker')} died while playing block {suspect.number}", bots
                )
                if dead.process.exitcode == -signal.SIGKILL:  # as the kernel does where memory runs out
                    hint = f"ladder run --resume, when more memory is free; or {self._failure.hint}"
                    self._failure = Told(str(self._failure), hint, "machine", TooBusy.exit_code)
                return
        for block, chunk in lost:
            self.submit([block], alone=chunk.alone, charge=chunk.charge)
