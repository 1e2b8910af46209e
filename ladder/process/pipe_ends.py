"""This side's ends of a program's pipes."""

import os
import select
from collections.abc import Iterable


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
