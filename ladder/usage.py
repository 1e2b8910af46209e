"""What a bot's processes use: memory, processes and threads, CPU time.

Linux tells, in /proc (proc(5)); elsewhere nothing is known.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import NamedTuple

__all__ = ["Use", "use_of"]

_TICK_US = 1_000_000 // os.sysconf("SC_CLK_TCK")
_COUNTED = (b"VmRSS:", b"VmPTE:", b"VmSwap:")
"""Resident pages, the page tables themselves, what is swapped out: memory that a bot takes from others."""


class Use(NamedTuple):
    """What several processes use together."""

    threads: int
    """Processes, each with all its threads."""
    memory_bytes: int
    cpu_us: int
    """User and system time since the start of each, with that of children that have ended."""


def use_of(pids: Iterable[int]) -> Use | None:
    """Return what the processes *pids* use; None if it cannot be told."""
    threads = memory = ticks = 0
    for pid in pids:
        try:
            fields = _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()
            memory += _memory(_read(f"/proc/{pid}/status"))
        except OSError:  # it has just ended
            continue
        threads += int(fields[17])
        ticks += sum(map(int, fields[11:15]))
    return Use(threads, memory, ticks * _TICK_US) if threads else None


def _memory(status: bytes) -> int:
    return 1024 * sum(int(line.split()[1]) for line in status.splitlines() if line.startswith(_COUNTED))


def _read(path: str) -> bytes:
    fd = os.open(path, os.O_RDONLY)
    try:
        return os.read(fd, 65536)
    finally:
        os.close(fd)
