"""What memory a process tree really takes, where it looks too much: pages that are shared count once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Final

from ladder.process.procfs import Use, fair_memory

__all__ = ["TreeMemory"]

PART_NS: Final = 5_000_000
"""How long to read at one look: the grace of a decision is ten times as long."""
HURRIED_NS: Final = 4 * PART_NS
"""The same where the tree may have taken as much again as it may use, since it was last read."""
REST: Final = 9
"""After a part nothing is read for this many times as long, unless there is a hurry."""
PAGE: Final = 4096


class TreeMemory:
    """The memory of one process tree, read process by process.

    The kernel goes through all pages of a process, 16 MB in a millisecond, and meanwhile the referee hears no
    bot.  So it is asked in parts, at several looks.
    """

    def __init__(self) -> None:
        self._pids: list[int] = []
        """The processes that are still to be read."""
        self._bytes = 0
        self._began: Use | None = None
        """What the tree used when the first of them was read..."""
        self._began_before: Use | None = None
        """...and when the first was read the time before."""
        self._rest_until_ns = 0

    def excess(self, pids: Callable[[], Iterable[int]], use: Use, most: int) -> int:
        """Return the memory of the tree of *pids* if that is known to be more than *most* bytes, else 0.

        *use* is what it uses now.
        """
        if use.memory_bytes <= most:
            self._pids, self._began, self._began_before = [], None, None
            return 0
        if not self._pids:
            self._pids, self._bytes = list(pids()), 0
            self._began_before, self._began = self._began or use, use
        assert self._began_before
        hurried = _possible_growth(self._began_before, use) > most
        now_ns = time.monotonic_ns()
        if hurried or now_ns >= self._rest_until_ns:
            self._read(now_ns, HURRIED_NS if hurried else PART_NS, most)
        return self._bytes if self._bytes > most else 0

    def _read(self, began_ns: int, part_ns: int, most: int) -> None:
        """Read on, up to the last process, or until there is too much, or for about *part_ns*."""
        spent_ns = 0
        while self._pids and self._bytes <= most and spent_ns < part_ns:
            self._bytes += fair_memory(self._pids.pop())
            spent_ns = time.monotonic_ns() - began_ns
        self._rest_until_ns = began_ns + spent_ns * (1 + REST)


def _possible_growth(before: Use, now: Use) -> int:
    """Return how many bytes a tree may have taken between two moments, as far as its use tells."""
    page_faults = max(0, now.page_faults - before.page_faults)
    return PAGE * page_faults + max(0, now.memory_bytes - before.memory_bytes)
