"""Read facts about processes from /proc (proc(5)).  On systems without it, most are unknown."""

import contextlib
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

_TICK_US = 1_000_000 // os.sysconf("SC_CLK_TCK")
_COUNTED = (b"VmRSS:", b"VmPTE:", b"VmSwap:")
"""Resident pages, page tables and swapped pages: memory that a bot takes from others."""
_SCHED_IDLE = 5
"""A scheduling policy (sched(7))."""
_SOCKET, _PIPE = "socket:", "pipe:"
_HOLDS = {_SOCKET: 400 << 10, _PIPE: 68 << 10, "/dev/pt": 128 << 10, "anon_inode:": 32 << 10}
"""The most bytes of kernel memory that one descriptor of each kind can hold, as measured."""
_UNREADABLE = [_SOCKET] * 128
"""The descriptors assumed for a process whose own cannot be read."""
_NUMBERED = (_SOCKET, _PIPE)
"""Kinds whose target names the object: several descriptors with the same target are one pipe or socket."""
_SHARED = (b"Pss:", b"SwapPss:")
"""Resident and swapped pages, each divided by the number of processes that share it."""


class Use(NamedTuple):
    """The resource use of several processes together."""

    threads: int
    """The threads of all processes."""
    memory_bytes: int
    """The sum over all processes; memory that several share counts several times."""
    cpu_us: int
    """User and system time since the start of each process, children that have ended included."""
    children_us: int = 0
    """The part of *cpu_us* that the program's children used, living or ended."""
    page_faults: int = 0
    """The number of page faults.  Each adds at most one page; huge pages show in *memory_bytes* at once."""
    files: int = 0
    """The number of files in their scratch space."""
    buffer_bytes: int = 0
    """The most kernel memory that their open pipes, sockets and the like can hold."""


def read_use(pids: Sequence[int], program: int, *, times_only: bool = False) -> Use | None:
    """Return the use of *pids*, parents first, one the *program*; *times_only*: CPU alone.  None: unknown."""
    threads = memory = ticks = own_ticks = page_faults = 0
    for pid in reversed(pids):  # what one that ends meanwhile used is counted twice, but not missed
        try:
            fields = _stat(pid)
            memory += 0 if times_only else _kilobytes(_read(f"/proc/{pid}/status"), _COUNTED)
        except OSError:  # it has just ended
            continue
        threads += int(fields[17])
        page_faults += sum(map(int, fields[7:11]))
        ticks += sum(map(int, fields[11:15]))
        if pid == program:
            own_ticks = sum(map(int, fields[11:13]))
    if not threads:
        return None
    children_us, own_us = (ticks - own_ticks) * _TICK_US, own_ticks * _TICK_US
    with contextlib.suppress(OSError, AttributeError):  # it has just ended
        own_us = time.clock_gettime_ns(cpu_clock(program)) // 1000
    buffer_bytes = 0 if times_only else _buffer_bytes(pids)
    return Use(threads, memory, own_us + children_us, children_us, page_faults, buffer_bytes=buffer_bytes)


def cpu_clock(pid: int) -> int:
    """Return the kernel's CPU clock of a process (clock_gettime(2), linux/posix-timers.h)."""
    return ~pid << 3 | 2


def cpu_us(pids: Iterable[int]) -> int:
    """Return what the processes *pids* have worked, their children that have ended included."""
    ticks = 0
    for pid in pids:
        with contextlib.suppress(OSError):  # it has just ended
            ticks += sum(map(int, _stat(pid)[11:15]))
    return ticks * _TICK_US


def _buffer_bytes(pids: Iterable[int]) -> int:
    """Return the most bytes that the descriptors of *pids* can hold; no limit of the kernel counts them."""
    shared: set[str] = set()
    own: list[str] = []
    for pid in pids:
        try:
            for fd in os.listdir(f"/proc/{pid}/fd"):  # noqa: PTH208 - a path for each takes time
                with contextlib.suppress(FileNotFoundError):  # just closed
                    target = os.readlink(f"/proc/{pid}/fd/{fd}")  # noqa: PTH115 - as above
                    shared.add(target) if target.startswith(_NUMBERED) else own.append(target)
        except PermissionError:  # the process made itself unreadable
            own += _UNREADABLE
        except OSError:  # it has just ended
            continue
    return sum(most for target in (*shared, *own) for kind, most in _HOLDS.items() if target.startswith(kind))


def fair_memory(pid: int) -> int:
    """Return the memory of a process, each page divided by the number of processes that share it (PSS).

    If that is not readable, shared pages count fully.  The kernel walks all pages: 1 ms for 16 MB.
    """
    try:
        status = _read(f"/proc/{pid}/status")
        with contextlib.suppress(PermissionError):
            tables = _kilobytes(status, (b"VmPTE:",))
            return tables + _kilobytes(_read(f"/proc/{pid}/smaps_rollup"), _SHARED)
        return _kilobytes(status, _COUNTED)
    except OSError:  # it has just ended
        return 0


class Running(NamedTuple):
    """How a thread has run so far."""

    ready: bool
    """Whether it runs or is ready to run."""
    nice: int
    idle: bool
    """Whether it runs only where no other thread wants the core (SCHED_IDLE)."""
    ran_ns: int
    waited_ns: int
    """The time for which it was ready and had no core, up to the last time that it got one."""
    turns: int
    """How often it got a core."""


def read_running(pid: int, thread: int) -> Running | None:
    """Return how a thread has run so far; None if it has ended, or the kernel does not count it."""
    try:
        fields = _read(f"/proc/{pid}/task/{thread}/stat").rpartition(b")")[2].split()
        ran, waited, turns = map(int, _read(f"/proc/{pid}/task/{thread}/schedstat").split())
    except (OSError, ValueError):
        return None
    return Running(fields[0] == b"R", int(fields[16]), int(fields[38]) == _SCHED_IDLE, ran, waited, turns)


def is_ready(pid: int, thread: int) -> bool:
    """Return whether a thread runs or is ready to run."""
    try:
        return _read(f"/proc/{pid}/task/{thread}/stat").rpartition(b") ")[2][:1] == b"R"
    except OSError:  # it has ended
        return False


def all_waited_us(pid: int) -> int:
    """Return how long the threads of process *pid* were ready to run and had no core, all together."""
    waited_ns = 0
    for thread in threads(pid):
        with contextlib.suppress(OSError):
            waited_ns += int(_read(f"/proc/{pid}/task/{thread}/schedstat").split()[1])
    return waited_ns // 1000


def threads(pid: int) -> list[int]:
    """Return the ids of the threads of a process; on systems without /proc, the process id only."""
    try:
        return list(map(int, os.listdir(f"/proc/{pid}/task")))  # noqa: PTH208 - a path for each takes time
    except OSError:
        return [] if Path("/proc/self").exists() else [pid]


def is_alive(pid: int) -> bool:
    """Return whether process *pid* exists and has not ended; a zombie has ended."""
    try:
        return _stat(pid)[0] not in (b"Z", b"X")
    except OSError:
        return False


def children(pid: int) -> Iterator[int]:
    """Yield the child processes of *pid* that were not reaped yet."""
    with contextlib.suppress(OSError):
        for task in os.scandir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError):
                yield from map(int, _read(f"{task.path}/children").split())


def descendants(*pids: int) -> list[int]:
    """Return the processes *pids*, and all that descend from them."""
    found = list(dict.fromkeys(pids))
    for pid in found:
        found += children(pid)
    return found


def find_marked(mark: str) -> list[int]:
    """Return the processes that have *mark* in their arguments or their environment."""
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
    """Return the fields of /proc/PID/stat from the state on; the name before it may hold blanks."""
    return _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()


def _kilobytes(text: bytes, fields: tuple[bytes, ...]) -> int:
    """Return the sum of *fields*, which are given in kB, in bytes."""
    return 1024 * sum(int(line.split()[1]) for line in text.splitlines() if line.startswith(fields))


def _read(path: str) -> bytes:
    fd = os.open(path, os.O_RDONLY)
    try:
        return os.read(fd, 65536)
    finally:
        os.close(fd)
