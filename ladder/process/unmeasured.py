"""A program without a process of its own here: a thread, or the program at the other end of a socket."""

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Self

from ladder.process.pipe_ends import Pipes
from ladder.process.procfs import Use


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
