"""How busy the cores are with other programs: only then are people advised to end some."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from ladder.machine.cores import usable_cores
from ladder.process.procfs import cpu_us, descendants

EVERY_SECONDS: Final = 2.0
"""How often it is measured: the kernel counts in ticks of 10 ms."""
STALE_SECONDS: Final = 10.0
"""After so long without a look it is measured anew: what was long ago says nothing of now."""
_BUSY: Final = (0, 1, 2, 5, 6)
"""The columns of /proc/stat that are work: user, nice, system, irq, softirq (proc_stat(5))."""


class CoreTimes(NamedTuple):
    """CPU times so far, in microseconds."""

    machine_us: int
    """What the cores that we may use have worked."""
    own_us: int
    """What this process and all that descend from it have worked, those that have ended included."""


class OtherLoad:
    """Measures, from one look to the next, the part of our cores that programs of others use."""

    def __init__(
        self,
        read: Callable[[], CoreTimes | None] | None = None,
        cores: int = 0,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Measure *cores*, by default all that we may use; *read* returns their times, None if unknown."""
        self._read, self._now = read or _read_times, now
        self._cores = cores or len(usable_cores())
        self._at = 0.0
        self._before: CoreTimes | None = None
        self._share: float | None = None

    def look(self) -> float | None:
        """Return the part, from 0 to 1; None until it is known, and on systems that do not tell."""
        at = self._now()
        seconds = at - self._at
        if self._before and seconds < EVERY_SECONDS:
            return self._share
        times, before = self._read(), self._before
        self._at, self._before, self._share = at, times, None
        if times and before and seconds <= STALE_SECONDS:
            others_us = times.machine_us - before.machine_us - (times.own_us - before.own_us)
            self._share = min(1.0, max(0.0, others_us / (seconds * 1e6 * self._cores)))
        return self._share


def count_busy_ticks(stat: str, cores: list[int]) -> int:
    """Return how many ticks *cores* have worked, as *stat*, the text of /proc/stat, says."""
    names = {f"cpu{core}" for core in cores}
    lines = [line.split() for line in stat.splitlines() if line.startswith("cpu")]
    return sum(int(times[column]) for name, *times in lines if name in names for column in _BUSY)


def _read_times() -> CoreTimes | None:
    try:
        stat = Path("/proc/stat").read_text("ascii")
        machine_us = count_busy_ticks(stat, usable_cores()) * 1_000_000 // os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return None
    return CoreTimes(machine_us, cpu_us(descendants(os.getpid())))
