"""What Linux tells of other processes, in /proc (proc(5)); elsewhere there is nothing to be known."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

__all__ = ["Use", "children", "fair_memory", "find_marked", "is_alive", "read_use", "threads", "waited_us"]

_TICK_US = 1_000_000 // os.sysconf("SC_CLK_TCK")
_COUNTED = (b"VmRSS:", b"VmPTE:", b"VmSwap:")
"""Resident pages, the page tables themselves, what is swapped out: memory that a bot takes from others."""
_SOCKET, _PIPE = "socket:", "pipe:"
_HOLDS = {_SOCKET: 400 << 10, _PIPE: 68 << 10, "/dev/pt": 128 << 10, "anon_inode:": 32 << 10}
"""How many bytes of the kernel's a descriptor may hold, by what it is: the most that was measured."""
_UNREADABLE = [_SOCKET] * 128
"""What is taken to be open where one may not look."""
_NUMBERED = (_SOCKET, _PIPE)
"""Several descriptors of the same number are one pipe or socket."""
_SHARED = (b"Pss:", b"SwapPss:")
"""The same of resident and swapped pages, each divided among the processes that share it."""


class Use(NamedTuple):
    """What several processes use together."""

    threads: int
    """Processes, each with all its threads."""
    memory_bytes: int
    """The sum over all processes: what several of them share counts several times."""
    cpu_us: int
    """User and system time since the start of each, with that of children that have ended."""
    children_us: int = 0
    """The part of *cpu_us* that the program itself has not used: its children, living or ended."""
    page_faults: int = 0
    """Each has given a process at most one page of its own; huge pages show in *memory_bytes* at once."""
    files: int = 0
    """What lies in their scratch space."""
    buffer_bytes: int = 0
    """What the pipes, sockets and the like that they have open may hold: memory of the kernel's."""


def read_use(pids: Collection[int], program: int) -> Use | None:
    """Return what the processes *pids*, of which one is the *program*, use; None if it cannot be told."""
    threads = memory = ticks = own_ticks = page_faults = 0
    for pid in pids:
        try:
            fields = _stat(pid)
            memory += _kilobytes(_read(f"/proc/{pid}/status"), _COUNTED)
        except OSError:  # it has just ended
            continue
        threads += int(fields[17])
        page_faults += sum(map(int, fields[7:11]))
        ticks += sum(map(int, fields[11:15]))
        if pid == program:
            own_ticks = sum(map(int, fields[11:13]))
    if not threads:
        return None
    children_us = (ticks - own_ticks) * _TICK_US
    return Use(threads, memory, ticks * _TICK_US, children_us, page_faults, buffer_bytes=_buffer_bytes(pids))


def _buffer_bytes(pids: Iterable[int]) -> int:
    """Return what the descriptors of *pids* may hold at most; no limit of the kernel's counts it."""
    shared: set[str] = set()
    own: list[str] = []
    for pid in pids:
        try:
            for fd in os.listdir(f"/proc/{pid}/fd"):  # noqa: PTH208 - a path for each takes time
                with contextlib.suppress(FileNotFoundError):  # just closed
                    target = os.readlink(f"/proc/{pid}/fd/{fd}")  # noqa: PTH115 - as above
                    shared.add(target) if target.startswith(_NUMBERED) else own.append(target)
        except PermissionError:  # it has made itself unreadable
            own += _UNREADABLE
        except OSError:  # it has just ended
            continue
    return sum(most for target in (*shared, *own) for kind, most in _HOLDS.items() if target.startswith(kind))


def fair_memory(pid: int) -> int:
    """Return the memory of a process, each page divided among those that share it (PSS).

    Where that may not be read, all of it.  The kernel goes through all pages: 1 ms for 16 MB.
    """
    try:
        status = _read(f"/proc/{pid}/status")
        with contextlib.suppress(PermissionError):
            tables = _kilobytes(status, (b"VmPTE:",))
            return tables + _kilobytes(_read(f"/proc/{pid}/smaps_rollup"), _SHARED)
        return _kilobytes(status, _COUNTED)
    except OSError:  # it has just ended
        return 0


def waited_us(pids: Iterable[int]) -> int:
    """Return for how long a thread of *pids* was ready to run and got no core: of the one that waited most.

    0 where the kernel does not tell (CONFIG_SCHED_INFO).
    """
    longest = 0
    for pid in pids:
        for thread in threads(pid):
            with contextlib.suppress(OSError):
                longest = max(longest, int(_read(f"/proc/{pid}/task/{thread}/schedstat").split()[1]))
    return longest // 1000


def threads(pid: int) -> list[int]:
    """Return the threads of a process; elsewhere than on Linux, the process as its only one."""
    try:
        return list(map(int, os.listdir(f"/proc/{pid}/task")))  # noqa: PTH208 - a path for each takes time
    except OSError:
        return [] if Path("/proc/self").exists() else [pid]


def is_alive(pid: int) -> bool:
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
                yield from map(int, _read(f"{task.path}/children").split())


def find_marked(mark: str) -> list[int]:
    """Return the processes that run with *mark* among their arguments or in their environment."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            words = (folder / "cmdline").read_bytes()
            with contextlib.suppress(PermissionError):
                words += (folder / "environ").read_bytes()
            if mark.encode() in words and is_alive(int(folder.name)):
                found.append(int(folder.name))
    return found


def _stat(pid: int) -> list[bytes]:
    """Return the fields of a process from its state on: what stands before may hold blanks."""
    return _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()


def _kilobytes(told: bytes, fields: tuple[bytes, ...]) -> int:
    """Return the sum of these fields, in bytes."""
    return 1024 * sum(int(line.split()[1]) for line in told.splitlines() if line.startswith(fields))


def _read(path: str) -> bytes:
    fd = os.open(path, os.O_RDONLY)
    try:
        return os.read(fd, 65536)
    finally:
        os.close(fd)
