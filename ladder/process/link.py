"""What the ladder needs of a bot process, and how it waits for one.  Tests put scripted bots in its place."""

from __future__ import annotations

import select
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from ladder.process.procfs import Use
from ladder.process.stderr import Stderr
from ladder.process.waits import own_wait_us

__all__ = ["SYSTEM_CLOCK", "BotLink", "Poll", "TimeSource"]


class BotLink(Protocol):
    """The connection to one bot process.  BotProcess is the real one, ScriptedBot its twin for tests.

    Nothing here blocks.  Wait with a Clock for stdin_fd (while `unsent`), stdout_fd, stderr_fd and exit_fd;
    then call the method that handles what is ready.
    """

    pid: int
    stdin_fd: int
    stdout_fd: int
    stderr_fd: int
    exit_fd: int | None
    """Readable once the process has ended; None where the system cannot tell, or after `kill`."""
    stdout_open: bool
    stderr_open: bool
    paused: bool
    lines: int
    """How many lines the bot has written."""
    stderr: Stderr

    @property
    def unsent(self) -> bool:
        """Whether `send_rest` has something to write."""

    @property
    def unfinished_line(self) -> bytes:
        """What has arrived of a line without its newline."""

    def send(self, data: bytes) -> bool:
        """Write *data*; return whether all of it is written."""

    def send_rest(self) -> bool:
        """Write the rest; return whether all of it is written."""

    def receive(self) -> list[bytes] | None:
        """Return the lines that are complete, None if nothing has arrived.  Raises LineTooLong."""

    def drain_stderr(self, where: str = "") -> None:
        """Read stderr, which the bot wrote while it was at *where*."""

    def stderr_text(self, limit: int = 4096, since: int = 0) -> str:
        """Return the end of what the bot wrote to stderr."""

    def cpu_us(self) -> int | None:
        """Return the CPU time of the process without its children, None if unknown."""

    def use(self, *, times_only: bool = False) -> Use | None:
        """Return what the process and its children use, or *times_only*, which is faster; None if unknown."""

    def pids(self) -> list[int]:
        """Return the ids of the process and its children."""

    def waited_us(self) -> int:
        """Return how long the process or its children were ready to run and got no core, up to now."""

    @property
    def uncounted(self) -> int:
        """How many of its processes have ended whose CPU time `use` may not contain."""

    def run_on(self, cores: Sequence[int]) -> None:
        """Restrict the process and its children to *cores*."""

    def pause(self) -> None:
        """Suspend the process."""

    def resume(self) -> None:
        """Let the process go on."""

    def exit_status(self, patience: float = 0.0) -> int | None:
        """Return the exit status, or minus the signal; None if it still runs after *patience* seconds."""

    def say_bye(self, bye: bytes) -> None:
        """Send *bye* and close stdin."""

    def kill(self) -> None:
        """End the process, its children and the connection.  May be called twice."""


class Poll(Protocol):
    """Waits for descriptors, as select.poll objects do."""

    def register(self, fd: int, eventmask: int, /) -> object:
        """Wait for *fd*, too."""

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
        """Return the descriptors that are ready, with their events, after at most *timeout* milliseconds."""
        return self._epoll.poll(None if timeout is None else timeout / 1000, AT_ONCE)


AT_ONCE = 64
"""The most descriptors that one wait tells; the next one tells the others."""
SYSTEM_CLOCK = TimeSource(
    time.monotonic_ns, select.poll, _Epoll if hasattr(select, "epoll") else None, own_wait_us
)
