"""The cores of this machine: which may be used, and who runs on which."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence

__all__ = ["run_on", "usable_cores"]


def usable_cores() -> list[int]:
    """Return the cores that the ladder may use; pinning a process does not change it for the others."""
    return _CORES


_CORES = (
    sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else list(range(os.cpu_count() or 1))
)


def run_on(thread: int, cores: Sequence[int]) -> None:
    """Let a thread (0: this one) run on *cores* only, where the system can do that."""
    with contextlib.suppress(AttributeError, OSError):
        os.sched_setaffinity(thread, cores)
