"""The values of confinement: what to start, within which bounds, and what the spawner is to do for it."""

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

__all__ = [
    "BOUNDS",
    "BUILD",
    "ENVIRONMENT",
    "Bounds",
    "CannotConfine",
    "Confined",
    "Plan",
    "limits_of",
    "tasks",
]

ENVIRONMENT: Mapping[str, str] = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": "/tmp",  # noqa: S108 - a bot has no home; some runtimes insist on the variable
    "LANG": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",  # a snapshot never changes
}
"""All that a bot finds in its environment, in whichever seat, besides what its manifest may pass through."""


class CannotConfine(LadderError):
    """A bot could not be started under its tier, through no fault of its own."""


@dataclass(frozen=True)
class Bounds:
    """What the kernel holds a bot's processes to.  For each process, unless said otherwise."""

    memory_mb: int = 512
    """Private memory (RLIMIT_DATA).  What it cannot see, and the sum of a tree, is for others to watch."""
    processes: int = 64
    """Processes and threads of a bot together."""
    files: int = 128
    """Open files.  What pipes and sockets hold counts as memory (ladder.process.procfs)."""
    signals: int = 1024
    """Signals and timers that wait, of all processes of a user."""
    file_mb: int = 8
    """The size of a file."""
    scratch_mb: int = 0
    """What /tmp holds (and /dev/shm a quarter of it); 0: nothing can be written anywhere.  Under `bwrap`."""
    cpu_s: int = 30 * 24 * 3600
    """Far beyond what an honest process uses in its life: the limit of a match is measured from outside."""
    mapped_mb: int = 32 * 1024
    """Address space (RLIMIT_AS): page tables are memory too.  Java and node reserve a lot of it."""


BOUNDS = Bounds()
"""For bots."""
BUILD = Bounds(memory_mb=4096, processes=512, files=4096, file_mb=1024, scratch_mb=1024, mapped_mb=256 * 1024)
"""For builds: compilers need room, and take it once."""


@dataclass(frozen=True)
class Confined:
    """What to start, and how it is to be confined."""

    tier: str
    arguments: tuple[str, ...]
    environment: Mapping[str, str]
    """The whole environment."""
    folder: Path
    """The bot's own folder, where it starts; read-only unless *building*."""
    bounds: Bounds = BOUNDS
    network: bool = False
    building: bool = False
    readable: tuple[Path, ...] = ()
    """What the operator lets bots read besides the system and the interpreters."""

    @property
    def namespaced(self) -> bool:
        """Whether bubblewrap stands between the spawner and the bot."""
        return self.tier == "bwrap"

    @property
    def needs_user(self) -> bool:
        """Whether the process must become a user of its own, for it must never be root."""
        return self.tier != "none" and os.geteuid() == 0


class Plan(TypedDict):
    """What the spawner does to start a process (ladder/spawner/main.py), as plain values."""

    arguments: list[str | int]
    """A number n stands for a descriptor from which *attached*[n] can be read."""
    attached: list[bytes]
    environment: dict[str, str]
    folder: str
    cores: list[int]
    """The cores that it may run on."""
    limits: list[tuple[int, int]]
    """Resource limits: which, how much."""
    user: int | None
    """The user and group that it becomes; None: whoever the spawner is."""
    files: list[tuple[str, str]] | None
    """What Landlock allows, see ladder.spawner.restrict; None: everything."""
    network: bool
    filter: bytes | None
    """The seccomp filter."""


def limits_of(confined: Confined) -> list[tuple[int, int]]:
    """Return the resource limits of a process under *confined*; a sandbox counts its processes itself."""
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
            others = 0 if confined.needs_user else tasks()
            limits.append((resource.RLIMIT_NPROC, bounds.processes + others))
    return limits


@cache
def tasks() -> int:
    """Return how many tasks there were on this machine when it was first asked.

    RLIMIT_NPROC counts all that a user has, so whoever has no user of its own is allowed as many more; the
    same number for every bot, which could tell matches apart otherwise.
    """
    return int(Path("/proc/loadavg").read_text().split()[3].partition("/")[2])
