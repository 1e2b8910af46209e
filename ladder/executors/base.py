"""What every executor does: it takes chunks of blocks and gives back what became of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from ladder.blocks import Block
from ladder.referee.lapses import Count
from ladder.worker.spending import Outlay

__all__ = ["QUEUED", "BlockResult", "Executor"]

QUEUED = 2
"""Chunks that a worker has at most: one in hand, one that waits, so that it never does."""


class BlockResult(NamedTuple):
    """A block that is done: its number, and its record as encode_block made it."""

    number: int
    payload: bytes


class Executor(Protocol):
    """A place where blocks are played."""

    chunk_s: float
    """How long a chunk should keep a worker busy: long for the sake of warm bots, short to share the end."""

    def room(self) -> int:
        """Return how many more chunks it would take now."""
        ...

    def submit(self, blocks: Sequence[Block]) -> None:
        """Take *blocks*, all of one table, to be played in a row."""
        ...

    def results(self, timeout: float) -> list[BlockResult]:
        """Return what has been done, waiting up to *timeout* seconds for something."""
        ...

    def parallel(self, block: Block) -> int:
        """Return how many matches the table of *block* has had in progress; 1 until it is known."""
        ...

    def unpin(self) -> None:
        """Let workers and bots run on any core from now on."""
        ...

    def tell(self, lapses: Mapping[str, Count]) -> None:
        """Tell all workers how often each bot has lapsed in the whole run."""
        ...

    def outlays(self) -> list[dict[str, Outlay]]:
        """Return what workers have told since this was last asked; after `close`, their last word of it."""
        ...

    def drain(self) -> Iterator[list[BlockResult]]:
        """Let each worker finish the block in hand; yield what gets done, several times a second."""
        ...

    def close(self) -> None:
        """End all workers and with them all bot processes."""
        ...
