"""The cores of this machine: which ones the ladder may use, and pinning to them."""

import contextlib
import os
from collections.abc import Sequence
from typing import Literal, TypeAlias

Pin: TypeAlias = Literal["auto", "on", "off"]
"""Whether each worker and its bots stay on one core; auto: if there are enough cores."""


def usable_cores() -> list[int]:
    """Return the cores that the ladder may use, even after this process was pinned to some of them."""
    return _CORES


_CORES = (
    sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else list(range(os.cpu_count() or 1))
)


def run_on(thread: int, cores: Sequence[int]) -> None:
    """Pin a thread (0: this one) to *cores*, if the system can do that."""
    with contextlib.suppress(AttributeError, OSError):
        os.sched_setaffinity(thread, cores)
