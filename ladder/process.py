"""One bot process: start it, send to it, receive from it, stop its whole tree.

The only user of subprocess.  Nothing here blocks: whoever polls the descriptors calls these methods when one
is ready, and `finish` ends many processes together within one bounded wait.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterable

from ladder.sandbox import Confined
from protocol.lines import Lines

__all__ = ["BotProcess", "CannotStart", "build", "finish"]

READ_BYTES = 65536
"""A read of more than 128 KiB makes CPython map fresh memory for every call: 15 times slower."""
STDERR_KEPT = 32768
"""How much of a process's stderr is kept: this many bytes of its beginning, and as many of its end."""
BYE_SECONDS = 2.0
"""How long a process may take to exit after `bye`."""


class CannotStart(Exception):
    """The program could not be executed at all."""


class BotProcess:
    """A running bot program and its three pipes, all non-blocking.

    To be polled: stdin_fd (while there is a rest to send), stdout_fd, stderr_fd, and exit_fd, readable once
    the process has ended (None where the system has no such thing).
    """

    def __init__(self, confined: Confined, line_bytes: int) -> None:
        """Start the program.  Raises CannotStart."""
        try:
            self._popen = subprocess.Popen(
                confined.arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=confined.folder,
                env=dict(confined.environment),
                start_new_session=True,  # out of reach of the terminal's Ctrl-C, and one group to kill
            )
        except (OSError, ValueError) as error:
            raise CannotStart(str(error)) from error
        self.pid = self._popen.pid
        assert self._popen.stdin
        assert self._popen.stdout
        assert self._popen.stderr
        self.stdin_fd = self._popen.stdin.fileno()
        self.stdout_fd = self._popen.stdout.fileno()
        self.stderr_fd = self._popen.stderr.fileno()
        for fd in (self.stdin_fd, self.stdout_fd, self.stderr_fd):
            os.set_blocking(fd, False)
        self.exit_fd = _exit_fd(self.pid)
        self._lines = Lines(line_bytes)
        self._unsent = b""
        self._stderr_head = bytearray()
        self._stderr_tail = bytearray()
        self.stdout_open = True
        self.stderr_open = True
        self._ended = False

    # -- talking

    def send(self, data: bytes) -> bool:
        """Write *data*; return whether all of it is on its way (if not, call `send_rest` when writable)."""
        if self._unsent:
            self._unsent += data
            return False
        try:
            sent = os.write(self.stdin_fd, data)
        except BlockingIOError:
            sent = 0
        except OSError:  # it closed its stdin, or ended: the deadline or the exit will tell
            return True
        if sent == len(data):
            return True
        self._unsent = data[sent:]
        return False

    @property
    def unsent(self) -> bool:
        """Whether something is still to be written, by `send_rest`."""
        return bool(self._unsent)

    def send_rest(self) -> bool:
        """Write on; return whether everything is on its way now."""
        data, self._unsent = self._unsent, b""
        return not data or self.send(data)

    def receive(self) -> list[bytes] | None:
        """Return the lines that have become complete, None if nothing has arrived.

        Sets stdout_open to False at the end of the stream.  Raises protocol.lines.LineTooLong.
        """
        try:
            data = os.read(self.stdout_fd, READ_BYTES)
        except BlockingIOError:
            return None
        except OSError:
            data = b""
        if not data:
            self.stdout_open = False
            return None
        return self._lines.feed(data)

    @property
    def unfinished_line(self) -> bytes:
        """What has arrived of a line whose end has not."""
        return self._lines.rest

    def drain_stderr(self) -> None:
        """Take in what the bot wrote to stderr, keeping the beginning and the end."""
        try:
            data = os.read(self.stderr_fd, READ_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self.stderr_open = False
        room = STDERR_KEPT - len(self._stderr_head)
        self._stderr_head += data[:room]
        self._stderr_tail += data[room:]
        del self._stderr_tail[:-STDERR_KEPT]

    def stderr_text(self, limit: int = 4096) -> str:
        """Return the end of what the bot wrote to stderr, at most *limit* bytes of it."""
        if self.stderr_open:
            self.drain_stderr()
        return bytes(self._stderr_head + self._stderr_tail)[-limit:].decode("utf-8", "backslashreplace")

    # -- ending

    def exit_status(self, patience: float = 0.0) -> int | None:
        """Return the exit status, or minus the signal, of a process that ends within *patience* seconds."""
        try:
            return self._popen.wait(patience)
        except subprocess.TimeoutExpired:
            return None

    def cpu_us(self) -> int | None:
        """Return the CPU time of the process so far, its threads but not its children; None if unknown."""
        try:  # the kernel's CPU clock of another process (clock_gettime(2), linux/posix-timers.h)
            return time.clock_gettime_ns(~self.pid << 3 | 2) // 1000
        except (OSError, AttributeError):
            return None

    def say_bye(self, bye: bytes) -> None:
        """Send *bye* and close stdin; the process should exit by itself."""
        if self._ended:
            return
        self.send(bye)
        with contextlib.suppress(OSError):
            self._popen.stdin.close()  # type: ignore[union-attr]  # a pipe, see __init__

    def kill(self) -> None:
        """Kill the process with all of its group, reap it and close the pipes.  May be called twice."""
        if self._ended:  # its numbers, of process and pipes, may be somebody else's by now
            return
        self._ended = True
        with contextlib.suppress(OSError):
            os.killpg(self.pid, signal.SIGKILL)
        self._popen.kill()
        self._popen.wait()
        self.drain_stderr()  # its last words
        self._close()

    def _close(self) -> None:
        self.stdout_open = self.stderr_open = False
        for stream in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            with contextlib.suppress(OSError):
                stream.close()  # type: ignore[union-attr]  # pipes, see __init__
        if self.exit_fd is not None:
            os.close(self.exit_fd)
            self.exit_fd = None


def finish(processes: Iterable[BotProcess], bye: bytes, patience: float = BYE_SECONDS) -> None:
    """Say *bye* to all of *processes*, wait until they have exited, kill those that outstay *patience*."""
    leaving = list(processes)
    for process in leaving:
        process.say_bye(bye)
    deadline = time.monotonic() + patience
    while any(process.exit_status() is None for process in leaving) and time.monotonic() < deadline:
        time.sleep(0.002)
    for process in leaving:
        process.kill()  # what a process left behind in its group goes too


def build(confined: Confined, timeout_s: float) -> tuple[int | None, str]:
    """Run a build command to its end; return its exit status (None: out of time) and its output."""
    try:
        popen = subprocess.Popen(
            confined.arguments,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=confined.folder,
            env=dict(confined.environment),
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        return 127, str(error)
    status: int | None = None
    try:
        output, _ = popen.communicate(timeout=timeout_s)
        status = popen.returncode
    except BaseException as error:  # out of time, or Ctrl-C: nothing of the build goes on
        with contextlib.suppress(OSError):
            os.killpg(popen.pid, signal.SIGKILL)
        output, _ = popen.communicate()
        if not isinstance(error, subprocess.TimeoutExpired):
            raise
    return status, output.decode("utf-8", "backslashreplace")


def _exit_fd(pid: int) -> int | None:
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None
