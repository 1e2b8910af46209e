"""The values of confinement: the process to start, its limits, and the plan for the spawner."""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypedDict

from ladder.errors import LadderError

ENVIRONMENT: Mapping[str, str] = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": "/tmp",  # noqa: S108 - a bot has no home; some runtimes insist on the variable
    "LANG": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",  # a snapshot never changes
}
"""The environment of every bot in every seat; its manifest may pass further variables."""


class CannotConfine(LadderError):
    """A bot could not be started under its tier.  That is no fault of the bot."""

    exit_code = 8


@dataclass(frozen=True)
class Bounds:
    """The kernel's limits for a bot's processes.  Each is per process unless it says otherwise."""

    memory_mb: int = 512
    """Private memory (RLIMIT_DATA).  The referee watches other memory, and the sum of a tree."""
    processes: int = 64
    """Processes and threads of a bot together."""
    beside: int = 0
    """Other processes of the same user that may start later, where the kernel counts them together."""
    files: int = 128
    """Open files.  The buffers of pipes and sockets count as memory (ladder.process.procfs)."""
    signals: int = 1024
    """Pending signals and timers of all processes of a user together."""
    file_mb: int = 8
    """The size of a file."""
    scratch_mb: int = 0
    """The size of /tmp under `bwrap`; /dev/shm has a quarter of it.

    0: nothing can be written but 1 MB in /dev/shm, for locks and pools, which counts as memory.
    """
    cpu_s: int = 30 * 24 * 3600
    """CPU time, far more than an honest process uses.  The limit of a match is measured from outside."""
    mapped_mb: int = 32 * 1024
    """Address space (RLIMIT_AS), because page tables also take memory.  Java and node reserve a lot of it."""


BOUNDS = Bounds()
"""The limits for bots, unless the settings say otherwise."""
BUILD = Bounds(memory_mb=4096, processes=512, files=4096, file_mb=1024, scratch_mb=1024, mapped_mb=256 * 1024)
"""The limits for builds, which are higher because compilers need more."""


@dataclass(frozen=True)
class Confined:
    """A process to start, and its confinement."""

    tier: str
    arguments: tuple[str, ...]
    environment: Mapping[str, str]
    """The whole environment."""
    folder: Path
    """The bot's own folder, in which it starts; read-only unless *building*."""
    bounds: Bounds = BOUNDS
    network: bool = False
    building: bool = False
    readable: tuple[Path, ...] = ()
    """Paths that the operator lets bots read besides the system and the interpreters."""

    @property
    def namespaced(self) -> bool:
        """Whether bubblewrap runs between the spawner and the bot."""
        return self.tier == "bwrap"

    @property
    def needs_user(self) -> bool:
        """Whether the process must become a user of its own, because it must never be root."""
        return self.tier != "none" and os.geteuid() == 0


class Plan(TypedDict):
    """The spawner's steps to start a process (ladder/spawner/main.py), as plain values."""

    arguments: list[str | int]
    """A number n stands for a descriptor from which the process can read *attached*[n]."""
    attached: list[bytes]
    environment: dict[str, str]
    folder: str
    cores: list[int]
    """The cores that it may run on."""
    limits: list[tuple[int, int]]
    """Resource limits: pairs of a limit's number and its value."""
    user: int | None
    """The user and group that the process becomes; None: those of the spawner."""
    files: list[tuple[str, str]] | None
    """The rules for Landlock, see ladder.spawner.restrict; None: no Landlock."""
    network: bool
    group: str
    """The folder of the control group that counts its CPU time; empty: none."""
    filter: bytes | None
    """The seccomp filter."""


def limits_of(confined: Confined) -> list[tuple[int, int]]:
    """Return the resource limits for *confined*.  A namespaced process gets its process limit inside."""
    bounds, mb = confined.bounds, 2**20
    limits = [
        (resource.RLIMIT_FSIZE, bounds.file_mb * mb),
        (resource.RLIMIT_NOFILE, bounds.files),
        (resource.RLIMIT_CPU, bounds.cpu_s),
        (resource.RLIMIT_CORE, 0),
    ]
    if sys.platform == "linux":  # elsewhere these mean something else, or nothing
        limits.append((resource.RLIMIT_DATA, bounds.memory_mb * mb))
        limits.append((resource.RLIMIT_AS, bounds.mapped_mb * mb))
        limits.append((resource.RLIMIT_SIGPENDING, bounds.signals))
        if not confined.namespaced:
            others = 0 if confined.needs_user else tasks() + bounds.beside
            limits.append((resource.RLIMIT_NPROC, bounds.processes + others))
    return limits


@cache
def tasks() -> int:
    """Return the number of tasks on this machine at the first call.

    RLIMIT_NPROC counts all tasks of a user, so a bot without a user of its own may have this many more.  The
    number is the same for every bot, because bots could tell matches apart by it otherwise.
    """
    try:
        return int(Path("/proc/loadavg").read_text().split()[3].partition("/")[2])
    except (OSError, LookupError, ValueError) as error:
        what = f"the number of processes of this machine cannot be read, which bounds those of bots: {error}"
        raise CannotConfine(what, "mount /proc: ladder doctor") from None
