"""A program without a process of its own here: a thread, or the program at the other end of a socket."""

import os
import select
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Self

from ladder.process.procfs import Use


class Pipes:
    """This side's ends of a program's pipes, all non-blocking; each is closed once."""

    stdin_fd: int
    stdout_fd: int
    stderr_fd: int
    exit_fd: int
    """Readable once the program has ended."""

    def __init__(self, fds: Iterable[int]) -> None:
        """Own the descriptors *fds*."""
        self._open = set(fds)

    def close(self, *fds: int) -> None:
        """Close the descriptors *fds*, or all of them by default."""
        for fd in fds or tuple(self._open):
            if fd in self._open:
                self._open.remove(fd)
                os.close(fd)


def is_readable(fd: int, patience: float) -> bool:
    """Return whether *fd* can be read, or is at its end, within *patience* seconds."""
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    return bool(poll.poll(patience * 1000))


class Unmeasured(Pipes, ABC):
    """What BotProcess wants of a program, without a process that could be measured, stopped or killed.

    A subclass has the descriptors `stdin_fd`, `stdout_fd`, `stderr_fd` and `exit_fd`.
    """

    def __init__(self, fds: Iterable[int]) -> None:
        super().__init__(fds)
        self.pid = os.getpid()

    counts_all = True
    """Nothing is counted, and nothing excused."""

    @property
    def spawned(self) -> Self:
        """The holder of the pipes."""
        return self

    @abstractmethod
    def status(self, patience: float = 0.0) -> int | None:
        """Return the exit status; None if it runs on for *patience* seconds."""

    def pids(self) -> list[int]:
        """Return an empty list: there is no process."""
        return []

    def use(self, pids: Sequence[int], *, times_only: bool = False) -> Use | None:
        """Return None: its use is not known."""
        return None

    def signal(self, number: int) -> None:
        """Do nothing: there is no process."""

    def kill(self) -> None:
        """Do nothing: it notices that its pipes are closed."""
