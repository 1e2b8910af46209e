"""An executor that plays in this process."""

from __future__ import annotations

from collections import deque

from ladder.run.executors.base import Executor, FinishedBlock
from ladder.run.setup import setup_of
from ladder.worker.worker import Worker
from results.record import encode_block


class Here(Executor):
    """An executor that plays in this process, in the order of the plan or in one that *shuffle* gives.

    A shuffled run has chunks of two blocks: their length must not follow how fast this machine is, or a run
    would have another order each time.
    """

    def __init__(self, home, run, shuffle=None):
        super().__init__()
        self.chunk_s = 0.0 if shuffle else 0.25
        self.worker = Worker(setup_of(home, run, 1))
        self.queue = deque()
        self.shuffle = shuffle
        self.submitted = []
        self.unpinned = False
        self.told = {}

    def room(self):
        return max(0, 8 - len(self.queue))

    def choose(self, blocks):
        return self.shuffle.randrange(len([*blocks])) if self.shuffle else 0

    def submit(self, blocks):
        self.queue.append(blocks)
        self.submitted.append([block.number for block in blocks])

    def results(self, timeout):
        if self.shuffle:
            self.shuffle.shuffle(self.queue)
        if not self.queue:
            return []
        return [
            FinishedBlock(block.number, encode_block(block))
            for block in self.worker.play(self.queue.popleft())
        ]

    def parallel(self, block):
        return 2 if self.shuffle else 1

    def unpin(self):
        self.unpinned = True

    def tell(self, lapses):
        self.told = dict(lapses)

    def outlays(self):
        return [self.worker.outlays()]

    def close(self):
        self.worker.close()
