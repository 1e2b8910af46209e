"""How the ladder tells the time, and waits for bot processes."""

import select
import time
from collections.abc import Callable
from typing import NamedTuple, Protocol

from ladder.process.waits import own_wait_us


class Poll(Protocol):
    """Waits for descriptors, as select.poll objects do."""

    def register(self, fd: int, eventmask: int, /) -> object:
        """Wait for *fd* as well."""

    def unregister(self, fd: int, /) -> object:
        """Wait for *fd* no longer."""

    def poll(self, timeout: float | None, /) -> list[tuple[int, int]]:
        """Return the descriptors that are ready, with their events, after at most *timeout* milliseconds."""


class TimeSource(NamedTuple):
    """How to tell the time and how to wait."""

    now: Callable[[], int]
    """Return the time in nanoseconds; it never goes back."""
    poll: Callable[[], Poll]
    """Return a new object that waits for descriptors a few times."""
    poll_often: Callable[[], Poll] | None = None
    """Return one that waits often for the same descriptors; None: `poll` does.

    Unregister a descriptor before it is closed."""
    waited_us: Callable[[], int] = int
    """Return how long this thread was ready to run and had no core, in microseconds; 0 if unknown."""

    def waiter(self) -> Poll:
        """Return a new object that waits often for the same descriptors."""
        return (self.poll_often or self.poll)()


class _Epoll:
    """Waits as select.poll does, at a cost that does not grow with the descriptors (epoll(7), of Linux)."""

    def __init__(self) -> None:
        self._epoll = select.epoll()
        self.register = self._epoll.register
        self.unregister = self._epoll.unregister

    def poll(self, timeout: float | None, /) -> list[tuple[int, int]]:
        return self._epoll.poll(None if timeout is None else timeout / 1000, AT_ONCE)


AT_ONCE = 64
"""The most descriptors that one wait tells; the next one tells the others."""
SYSTEM_CLOCK = TimeSource(
    time.monotonic_ns, select.poll, _Epoll if hasattr(select, "epoll") else None, own_wait_us
)
