"""Plays in this process: the place for bots that are Python functions, which no other process has."""

import time
from collections import deque
from collections.abc import Mapping, Sequence

from ladder.contest.blocks import PlannedBlock
from ladder.process.function import Function
from ladder.process.seat_kinds import SeatKind
from ladder.referee.lapses import Count
from ladder.run.executors.base import Executor, FinishedBlock, Result
from ladder.worker.spending import Outlay
from ladder.worker.worker import Worker
from ladder.worker.worker_messages import Chunk, Setup, Unplayed
from results.record import encode_block


class InProcessExecutor(Executor):
    """One worker in this process: `results` plays, a block at a time, and functions answer in threads."""

    @classmethod
    def open(cls, setup: Setup, functions: Mapping[str, Function]) -> "InProcessExecutor":
        """Return an executor for bots that are *functions*, by the id of their version, and for others."""
        seats = {bot: SeatKind.of_function(function) for bot, function in functions.items()}
        worker = Worker(setup, seats=seats)
        if functions:  # which nothing confines, whatever holds for the other bots of the run
            worker.rules = worker.rules._replace(sandbox="none")
        return cls(worker)

    def __init__(self, worker: Worker) -> None:
        """Play by *worker*."""
        super().__init__()
        self._worker = worker
        self._waiting: deque[Chunk] = deque()
        """Chunks of one block each."""

    def room(self) -> int:
        """Return how many more chunks it would take now."""
        return 0 if self._waiting else 1

    def submit(self, blocks: Sequence[PlannedBlock], *, alone: bool = False, charge: str = "") -> None:
        """Take *blocks*, all of one table, to be played in a row."""
        self._waiting.extend(Chunk((block,), alone, charge) for block in blocks)

    def results(self, timeout: float) -> list[Result]:
        """Play a block and return what has become of it."""
        self._worker.look()
        if not self._waiting:
            time.sleep(timeout)  # the run pauses, or is over
            return []
        chunk = self._waiting.popleft()
        (block,) = self._worker.attempt(chunk.blocks, alone=chunk.alone, charge=chunk.charge)
        return [block if isinstance(block, Unplayed) else FinishedBlock(block.number, encode_block(block))]

    def tell(self, lapses: Mapping[str, Count]) -> None:
        """Tell the worker how often each bot has lapsed in the whole run."""
        self._worker.lanes.lapses.raise_to(lapses)

    def outlays(self) -> list[dict[str, Outlay]]:
        """Return what processes took to start and to leave since this was last asked."""
        return [self._worker.outlays()]

    def close(self) -> None:
        """End all bots."""
        self._worker.close()
