"""How much this machine can hold: free memory, and bot processes of a worker."""

import contextlib
import os
import resource
from pathlib import Path

ALWAYS = 64
"""A worker may keep this many bot processes even if memory is scarce."""
MOST = 1_024
"""A worker never keeps more than this."""
MOST_ON_A_MACHINE = 3_000
"""All workers together never keep more: each process may need a user of its own (ladder.sandbox.users)."""
PROCESS_BYTES = 16 << 20
"""The memory of a small bot: Python with the standard library takes 9 MB, more with the client library."""
RESERVE_BYTES = 1 << 30
"""With less free memory than this, fewer processes are kept, and nothing more is begun beside what waits."""
DESCRIPTORS = 8
"""The descriptors that a worker has open for a bot process: four pipes, its user, and what comes and goes."""
OTHERS = 256
"""The descriptors that a worker has open for other things."""
CONTROL_GROUPS = Path("/sys/fs/cgroup")


def available_bytes() -> int | None:
    """Return the memory free without swapping, if known; in a container, what memory.max (v2) leaves."""
    found = [
        _number(line) * 1024 for line in _lines(Path("/proc/meminfo")) if line.startswith("MemAvailable:")
    ]
    for limit in _limits():
        with contextlib.suppress(OSError, ValueError):
            most, used = (int((limit / name).read_text()) for name in ("memory.max", "memory.current"))
            cached = [_number(line) for line in _lines(limit / "memory.stat") if line.startswith("file ")]
            found.append(max(0, most - used + sum(cached)))
    return min(found, default=None)


def most_processes(jobs: int) -> int:
    """Return how many bot processes each of *jobs* workers may keep: half of the free memory is for them."""
    bounds = [MOST, MOST_ON_A_MACHINE // jobs, (_descriptors() - OTHERS) // DESCRIPTORS]
    if (free := available_bytes()) is not None:
        bounds.append(free // 2 // jobs // PROCESS_BYTES)
    return max(ALWAYS, min(bounds))


def raise_descriptors() -> None:
    """Let this process open as many files as it may: bots have their own limit."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (_descriptors(), hard))


def spare_addresses() -> None:
    """Where addresses are limited (ulimit -v), let libraries start fewer threads: each takes 8 MB of them."""
    if resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY:
        fewer = dict.fromkeys(("ARROW_IO_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
        os.environ.update({"ARROW_DEFAULT_MEMORY_POOL": "system", **fewer, **os.environ})


def _descriptors() -> int:
    """Return how many files a process may open if it raises its own limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    enough = OTHERS + DESCRIPTORS * MOST
    return max(soft, enough if hard == resource.RLIM_INFINITY else min(hard, enough))


def _limits() -> list[Path]:
    """Return the control groups of this process, from its own up to the root."""
    for line in _lines(Path("/proc/self/cgroup")):
        number, _, path = line.split(":", 2)
        if number == "0":
            own = CONTROL_GROUPS / path.strip("/")
            return [own, *(parent for parent in own.parents if parent.is_relative_to(CONTROL_GROUPS))]
    return []


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text("ascii").splitlines()
    except OSError:
        return []


def _number(line: str) -> int:
    return int(line.split()[1])
