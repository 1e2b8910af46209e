"""How long the processes of a bot were ready to run and had no core, from reading to reading.

The kernel counts that for each thread (/proc/PID/task/TID/schedstat), but adds a wait only when it ends: a
thread that has had no core for seconds shows nothing yet.  So its state is read as well.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterable, Sequence
from threading import Lock
from typing import NamedTuple

from ladder.process.procfs import Running, cpu_clock, is_ready, read_running, threads

Clocks = tuple[tuple[int, int], ...]
"""Each process's CPU clock, and the nanoseconds on it."""


def read_clocks(pids: Iterable[int]) -> Clocks | None:
    """Return the CPU clocks of *pids*; None if one has ended, or the system does not tell."""
    try:
        return tuple((clock, time.clock_gettime_ns(clock)) for clock in map(cpu_clock, pids))
    except (OSError, AttributeError):
        return None


def _have_moved(clocks: Clocks) -> bool:
    """Return whether one of *clocks* tells another time by now, or none."""
    try:
        return any(time.clock_gettime_ns(clock) != told for clock, told in clocks)
    except OSError:
        return True


class Activity:
    """A tree of processes, from one measurement to the next.

    What has not run has the same memory, threads, files and CPU time as before, and no process is new: to
    start one takes CPU time.
    """

    def __init__(self) -> None:
        """Nothing is known yet: it counts as having run."""
        self._known: Sequence[int] = ()
        self._clocks: Clocks | None = None

    @property
    def has_run(self) -> bool:
        """Whether one of them has run since `note`, as far as is known."""
        return self._clocks is None or _have_moved(self._clocks)

    def note(self, list_pids: Callable[[], Sequence[int]]) -> Sequence[int]:
        """Return the processes that *list_pids* returns, which are to be measured after this.

        Clocks are read before processes are listed, so that one that starts in between shows on the clock of
        its parent.  A new one is known only at the second call.
        """
        before = read_clocks(self._known)
        pids = list_pids()
        self._clocks = before if pids and pids == self._known else None
        self._known = pids
        return pids


class _Thread(NamedTuple):
    """What was last read of a thread."""

    running: Running
    since_ns: int
    """The time of the first reading that found this."""
    waited_ns: int
    """How long it has waited, a wait that has not ended included."""


class Waits:
    """The time that a tree of processes has waited for a core: at most once, however many threads wait.

    A thread that has lowered its own priority is not counted, because it chose to wait.
    """

    def __init__(
        self,
        read: Callable[[int, int], Running | None] = read_running,
        now: Callable[[], int] = time.monotonic_ns,
        threads_of: Callable[[int], Sequence[int]] = threads,
    ) -> None:
        """Read threads with *read*, and their ids with *threads_of*, at the times of *now* in nanoseconds."""
        self.gone = 0
        """How many processes have ended between two readings."""
        self._read = read
        self._now = now
        self._threads_of = threads_of
        self._nice = os.getpriority(os.PRIO_PROCESS, 0) if hasattr(os, "getpriority") else 0
        self._total_ns = 0
        self._began_ns = now()
        self._seen: dict[tuple[int, int], _Thread] = {}
        self._pids: set[int] = set()
        self._activity = Activity()
        self._lock = Lock()
        """Held during a reading: tables and the thread that counts them may want one at once."""

    def read_again_us(self, list_pids: Callable[[], Sequence[int]]) -> int:
        """Return what `read_us` would of the processes that *list_pids* returns.

        Where none has run and none is ready to run, nothing has changed: then that is all that is read.
        """
        with self._lock:
            if self._activity.has_run or any(is_ready(*key) for key in self._seen):
                return self._read_us(self._activity.note(list_pids))
            return self._total_ns // 1000

    def read_us(self, pids: Sequence[int]) -> int:
        """Read the threads of the processes *pids*; return the time waited so far, in microseconds."""
        with self._lock:
            return self._read_us(pids)

    def _read_us(self, pids: Sequence[int]) -> int:
        now = self._now()
        seen: dict[tuple[int, int], _Thread] = {}
        longest_ns = 0
        for pid in pids:
            for thread in self._threads_of(pid):
                if running := self._read(pid, thread):
                    key = pid, thread
                    before = self._seen.get(key)
                    seen[key] = found = _compare(running, before, now)
                    if running.nice <= self._nice and not running.idle:
                        longest_ns = max(longest_ns, found.waited_ns - (before.waited_ns if before else 0))
        self.gone += len(self._pids.difference(pids))
        self._seen, self._pids = seen, {*pids}
        self._total_ns = min(self._total_ns + longest_ns, now - self._began_ns)
        return self._total_ns // 1000


def _compare(running: Running, before: _Thread | None, now: int) -> _Thread:
    """Return what is known of a thread that was found *running* like that."""
    if before is None or before.running != running or not running.ready:
        return _Thread(running, now, running.waited_ns)
    return _Thread(running, before.since_ns, running.waited_ns + now - before.since_ns)  # it has had no core


def own_wait_us() -> int:
    """Return how long this thread was ready to run and had no core; 0 if unknown."""
    with contextlib.suppress(OSError, IndexError), open("/proc/thread-self/schedstat", "rb") as file:  # noqa: PTH123 - the path is read often
        return int(file.read().split()[1]) // 1000
    return 0
