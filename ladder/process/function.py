"""Run a Python function in this process as a bot: a thread answers over pipes, as a bot process does.

The function gets an Act, like the functions of protocol.client.  It is trusted: nothing confines it, and a
call that does not return cannot be ended.
"""

import os
import struct
import traceback
from collections.abc import Sequence
from contextlib import suppress
from threading import Thread
from typing import Any, TypeAlias

from ladder.process.bot import BotProcess
from ladder.process.unmeasured import Unmeasured, is_readable
from protocol.client import serve_pipes

Function: TypeAlias = Any
"""An argument of protocol.client.serve: a function of an Act, or a class or object with a method `act`."""
STATUS = struct.Struct("i")
LONGEST_TRACE = 32_768
"""The last this many bytes of a traceback are kept, which is fewer than a pipe holds."""


class FunctionBot(BotProcess):
    """A bot played by a thread of this process.  Its CPU time and memory are not measured."""

    @classmethod
    def start_function(cls, function: Function, line_bytes: int) -> "FunctionBot":
        """Start a thread that answers by *function*."""
        return cls(_Answering.start(function), line_bytes)

    def cpu_us(self) -> int | None:
        """Return None, because the clock of this process counts the referee's work as well."""
        return None


class _Answering(Unmeasured):
    """The answering thread with its pipes, in place of a process tree; it ends once they are closed."""

    @classmethod
    def start(cls, function: Function) -> "_Answering":
        (stdin, stdin_fd), (stdout_fd, stdout), (stderr_fd, stderr), (exit_fd, ended) = (
            os.pipe() for _ in range(4)
        )
        answering = cls([stdin_fd, stdout_fd, stderr_fd, exit_fd])
        Thread(target=_answer, args=(function, stdin, stdout, stderr, ended), daemon=True).start()
        return answering

    def __init__(self, fds: Sequence[int]) -> None:
        """Take this side's ends of the pipes: stdin, stdout, stderr and the exit status."""
        super().__init__(fds)
        self.stdin_fd, self.stdout_fd, self.stderr_fd, self.exit_fd = fds
        self._status: int | None = None
        for fd in fds:
            os.set_blocking(fd, False)

    def status(self, patience: float = 0.0) -> int | None:
        """Return 0 or, after an exception, 1 if the thread ends within *patience* seconds."""
        if self._status is None and self.exit_fd in self._open and is_readable(self.exit_fd, patience):
            (self._status,) = STATUS.unpack(os.read(self.exit_fd, STATUS.size))
        return self._status


def _answer(function: Function, stdin: int, stdout: int, stderr: int, ended: int) -> None:
    """Answer by *function* until bye; then report the exit status and close the thread's ends."""
    status = 0
    try:
        serve_pipes(function, stdin, stdout)
    except BaseException:
        status = 1
        with suppress(OSError):
            os.write(stderr, traceback.format_exc().encode()[-LONGEST_TRACE:])
    finally:
        with suppress(OSError):
            os.write(ended, STATUS.pack(status))
        for fd in (stdin, stdout, stderr, ended):
            os.close(fd)
