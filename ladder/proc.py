"""What Linux tells of other processes, in /proc (proc(5)); elsewhere there is nothing to be known."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

__all__ = ["Use", "alive", "children", "marked", "use_of"]

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
    files: int = 0
    """What lies in their scratch space."""


def use_of(pids: Iterable[int]) -> Use | None:
    """Return what the processes *pids* use; None if it cannot be told."""
    threads = memory = ticks = 0
    for pid in pids:
        try:
            fields = _stat(pid)
            memory += _memory(_read(f"/proc/{pid}/status"))
        except OSError:  # it has just ended
            continue
        threads += int(fields[17])
        ticks += sum(map(int, fields[11:15]))
    return Use(threads, memory, ticks * _TICK_US) if threads else None


def alive(pid: int) -> bool:
    """Return whether there is a process *pid* that has not ended; one that nobody has reaped has."""
    try:
        return _stat(pid)[0] not in (b"Z", b"X")
    except OSError:
        return False


def children(pid: int) -> Iterator[int]:
    """Yield the processes that *pid* has started and that have not been reaped."""
    with contextlib.suppress(OSError):
        for task in os.scandir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError):
                yield from map(int, Path(task.path, "children").read_text().split())


def marked(mark: str) -> list[int]:
    """Return the processes that run with *mark* among their arguments or in their environment."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            words = (folder / "cmdline").read_bytes()
            with contextlib.suppress(PermissionError):
                words += (folder / "environ").read_bytes()
            if mark.encode() in words and alive(int(folder.name)):
                found.append(int(folder.name))
    return found


def _stat(pid: int) -> list[bytes]:
    """Return the fields of a process from its state on: what stands before may hold blanks."""
    return _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()


def _memory(status: bytes) -> int:
    return 1024 * sum(int(line.split()[1]) for line in status.splitlines() if line.startswith(_COUNTED))


def _read(path: str) -> bytes:
    fd = os.open(path, os.O_RDONLY)
    try:
        return os.read(fd, 65536)
    finally:
        os.close(fd)
