"""The tables that a worker holds in progress, as many as TableCount says.

Each table has a thread, which plays one lane of a chunk after another.  So the matches of a block are played
side by side where several tables are free, and one after another where there is one.  Threads share the
worker's processes.
"""

import sys
import time
from collections import deque
from collections.abc import Callable
from threading import Condition, Lock, Thread

from ladder.registry.seat_caps import count_at_once
from ladder.worker import worker_messages as messages
from ladder.worker.open_blocks import OpenBlocks
from ladder.worker.table_count import TableCount
from ladder.worker.worker import Worker
from results import record

TELL_SECONDS = 1.0
"""How often the parent is told how much the bots wait."""
PATIENCE = 0.5
"""How long to wait for a report that is being sent, in seconds."""
SWITCH_SECONDS = 0.0005
"""How long another thread may keep a table from reading an answer that has come."""


class _PlayedChunk:
    """A chunk in progress."""

    def __init__(self, chunk: messages.Chunk) -> None:
        self.chunk = chunk
        self.first = chunk.blocks[0].number
        self.left = list(chunk.blocks)
        """The blocks that no table has begun."""
        self.begun: list[OpenBlocks] = []
        """The blocks of which a lane is left."""
        self.together = 1
        """How many matches its table had in progress."""
        self.tables = 0
        """How many tables play it."""

    def take(self, worker: Worker, table: int, *, new: bool) -> OpenBlocks | None:
        """Return blocks of which *table* is to play the next lane; None if there are none.

        Only with *new* are further blocks begun.  A chunk has one table alone, or as many as caps allow.
        """
        most = 1 if self.chunk.alone else count_at_once(worker.setup.caps, self.chunk.blocks[0].bots)
        if self.tables >= most:
            return None
        self.begun = [blocks for blocks in self.begun if blocks.has_lanes]
        if not self.begun and new and self.left:
            self.together = worker.parallel(self.left[0])
            size = len(self.left) if self.together > 1 else 1
            blocks, self.left = self.left[:size], self.left[size:]
            self.begun.append(worker.open_blocks(blocks, first_lane=table))
        return self.begun[0] if self.begun else None

    @property
    def is_over(self) -> bool:
        """Whether nothing of it is left, and no table plays it."""
        return not self.left and not self.tables and not any(blocks.has_lanes for blocks in self.begun)


class WorkerTables:
    """The tables of one worker."""

    def __init__(self, worker: Worker, send: Callable[[messages.Message], None]) -> None:
        """Play by *worker*, and report by *send*."""
        self._worker = worker
        self._send = send
        self._held = TableCount(worker)
        self._chunks: deque[messages.Chunk] = deque()
        self._begun: list[_PlayedChunk] = []
        """The chunks in progress, in the order in which they were begun."""
        self._playing: dict[int, _PlayedChunk] = {}
        """The chunks in progress, by table."""
        self._threads: list[Thread] = []
        self._changed = Condition()
        self._stopping = self._silent = False
        self._failure: BaseException | None = None
        self._voice = Lock()
        """Held while a report is sent."""
        self._told: set[int] = set()
        """The chunks in progress whose parent knows how many matches they may have at once."""
        self._tell_at = 0.0
        self._watch = worker.watch_tables()
        self._open()

    @property
    def resting(self) -> bool:
        """Whether no table is in progress."""
        return not self._playing

    def add(self, chunk: messages.Chunk) -> None:
        """Queue *chunk*."""
        with self._changed:
            self._chunks.append(chunk)
            self._changed.notify_all()

    def hold_one(self) -> None:
        """Hold one table from now on."""
        self._held.most = self._held.now = 1
        self._open()

    def finish(self) -> None:
        """Let each table finish its current block, and begin no other.  Raises what a table has raised."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()
        self._raise()

    def silence(self) -> None:
        """Report nothing from now on: bots are about to be killed, which is not their fault."""
        self._silent = True
        if self._voice.acquire(timeout=PATIENCE):  # after what is being sent, if the parent still reads
            self._voice.release()

    def look(self) -> None:
        """Choose how many tables to hold; report what has changed.  Raises what a table has raised."""
        self._raise()
        is_due = self._held.is_due
        before = self._held.now
        if before == 1 or is_due:  # of many tables, each look costs
            self._tell_parallel()
        if not is_due:
            return
        playing = len(self._playing)
        self._held.look(playing)
        if not playing:
            return
        self._open()
        if self._held.now != before or time.monotonic() >= self._tell_at:
            self._tell_at = time.monotonic() + TELL_SECONDS
            bound = self._held.find_bound(playing)
            self.report(messages.Load(self._held.now, self._held.waits, self._held.starved, bound))

    def _tell_parallel(self) -> None:
        """Report of each chunk, once, that its table may have several matches in progress."""
        chunks = {played.first: played.chunk for played in list(self._playing.values())}
        self._told &= chunks.keys()
        for first, chunk in chunks.items():
            if first not in self._told and (parallel := self._worker.parallel(chunk.blocks[0])) > 1:
                self._told.add(first)
                self.report(messages.TableReady(first, parallel))

    def _open(self) -> None:
        """Open as many tables as are held now; those beyond finish their chunks."""
        with self._changed:
            self._changed.notify_all()
        if self._held.now > 1:
            sys.setswitchinterval(SWITCH_SECONDS)
        while len(self._threads) < self._held.now:
            thread = Thread(target=self._run, args=(len(self._threads),), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _run(self, table: int) -> None:
        try:
            while taken := self._next(table):
                self._play(*taken, table)
        except BaseException as error:  # the main thread raises it again
            self._failure = self._failure or error

    def _next(self, table: int) -> tuple[_PlayedChunk, OpenBlocks] | None:
        """Return the blocks of *table*'s next lane, of chunks in progress first; None if it is to stop."""
        with self._changed:
            while True:
                if table < self._held.now or self._stopping:
                    for played in self._begun:
                        if blocks := played.take(self._worker, table, new=not self._stopping):
                            played.tables += 1
                            self._playing[table] = played
                            return played, blocks
                if self._stopping:
                    return None
                if self._chunks and table < self._held.now:
                    played = _PlayedChunk(self._chunks.popleft())
                    self._begun.append(played)
                    continue
                self._changed.wait()

    def _play(self, played: _PlayedChunk, blocks: OpenBlocks, table: int) -> None:
        """Play a lane of *blocks*; send each block when it is done, and ChunkDone after the last."""
        chunk = played.chunk
        for block in self._worker.play_lane(blocks, alone=chunk.alone, charge=chunk.charge):
            self.report(
                block
                if isinstance(block, messages.Unplayed)
                else messages.BlockDone(block.number, record.encode_block(block))
            )
        with self._changed:
            del self._playing[table]
            played.tables -= 1
            if is_over := played.is_over:
                self._begun.remove(played)
            self._changed.notify_all()
        if is_over:
            self.tell_outlays()
            self.report(messages.ChunkDone(played.first, played.together))
        elif self._held.now > 1:
            self.report(messages.LaneDone(played.first))

    def tell_outlays(self) -> None:
        """Report what processes took to start and to end."""
        if outlays := self._worker.outlays():
            self.report(messages.Outlays(outlays))

    def report(self, message: messages.Message) -> None:
        """Send *message* to the parent."""
        with self._voice:
            if not self._silent:
                self._send(message)

    def _raise(self) -> None:
        if failure := self._failure or self._watch.failure:
            raise failure
