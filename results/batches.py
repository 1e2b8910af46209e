"""Divide a long row of things into batches."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def in_batches(things: Iterable[T], size: Callable[[T], int], least: int) -> Iterator[list[T]]:
    """Yield *things* in batches, each of at least the size *least* except the last; *size* is that of one."""
    batch: list[T] = []
    so_far = 0
    for thing in things:
        batch.append(thing)
        so_far += size(thing)
        if so_far >= least:
            yield batch
            batch, so_far = [], 0
    if batch:
        yield batch
