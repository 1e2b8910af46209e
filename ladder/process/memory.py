"""Measure the memory of a process tree exactly if the quick sum is too high: shared pages count once."""

import time
from collections.abc import Callable, Iterable
from typing import Final

from ladder.process.procfs import Use, fair_memory

PART_NS: Final = 5_000_000
"""The time for one part of the reading.  The grace of a decision is ten times as long."""
HURRIED_NS: Final = 4 * PART_NS
"""The same in a hurry: if the tree may have allocated more than its limit since it was last read."""
REST: Final = 9
"""After a part, reading pauses for this many times as long, unless in a hurry."""
PAGE: Final = 4096


class TreeMemory:
    """The memory of one process tree, read process by process.

    The kernel walks all pages of a process, at 16 MB per millisecond, and the referee cannot serve bots
    meanwhile.  So the tree is read in parts, over several calls.
    """

    def __init__(self) -> None:
        self._pids: list[int] = []
        """The processes that are not read yet."""
        self._bytes = 0
        self._began: Use | None = None
        """The use of the tree when the current reading began..."""
        self._began_before: Use | None = None
        """...and when the previous reading began."""
        self._rest_until_ns = 0

    @property
    def is_under_way(self) -> bool:
        """Whether processes are left to be read: `excess` must be called again, also if none of them runs."""
        return bool(self._pids)

    def excess(self, pids: Callable[[], Iterable[int]], use: Use, most: int) -> int:
        """Return the tree's memory if known to exceed *most* bytes, else 0; *pids* lists it, *use* is now."""
        if use.memory_bytes <= most:
            self._pids, self._began, self._began_before = [], None, None
            return 0
        if not self._pids:
            self._pids, self._bytes = list(pids()), 0
            self._began_before, self._began = self._began or use, use
        assert self._began_before
        # the most bytes that the tree may have allocated between the two uses
        page_faults = max(0, use.page_faults - self._began_before.page_faults)
        grown = PAGE * page_faults + max(0, use.memory_bytes - self._began_before.memory_bytes)
        hurried = grown > most
        now_ns = time.monotonic_ns()
        if hurried or now_ns >= self._rest_until_ns:
            self._read(now_ns, HURRIED_NS if hurried else PART_NS, most)
        return self._bytes if self._bytes > most else 0

    def _read(self, began_ns: int, part_ns: int, most: int) -> None:
        """Read processes until all are read, the sum exceeds *most*, or *part_ns* have passed."""
        spent_ns = 0
        while self._pids and self._bytes <= most and spent_ns < part_ns:
            self._bytes += fair_memory(self._pids.pop())
            spent_ns = time.monotonic_ns() - began_ns
        self._rest_until_ns = began_ns + spent_ns * (1 + REST)
