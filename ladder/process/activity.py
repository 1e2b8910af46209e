"""Whether processes have run since they were last measured: their CPU clocks tell it at little cost."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence

from ladder.process.procfs import cpu_clock

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
