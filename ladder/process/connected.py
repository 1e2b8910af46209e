"""A bot that its author has started, for example in a debugger, and that talks over a socket.

Nothing confines it, and nothing of it is measured: the ladder does not know its process.
"""

from __future__ import annotations

import logging
import os
import select
import socket
from contextlib import suppress
from typing import Self

from ladder.process.bot import BotProcess
from ladder.process.unmeasured import Unmeasured

log = logging.getLogger(__name__)
CLOSED = getattr(select, "POLLRDHUP", select.POLLHUP)
"""The other side has closed its end; what it wrote before may still be there."""


class ConnectedBot(BotProcess):
    """A bot at the other end of a socket."""

    @classmethod
    def take(cls, connection: socket.socket, line_bytes: int) -> Self:
        """Talk over *connection*, which is closed with the bot; its lines may have *line_bytes* bytes."""
        return cls(_Connection.open(connection), line_bytes)

    def __init__(self, connection: _Connection, line_bytes: int) -> None:
        """Talk over *connection*."""
        super().__init__(connection, line_bytes)
        self._connection = connection

    def cpu_us(self) -> int | None:
        """Return None: its process is not known."""
        return None

    def known_status(self) -> None:
        """Return None: a connection that is closed does not tell it."""

    def receive(self) -> list[bytes] | None:
        lines = super().receive()
        if not self.stdout_open and self._connection.note_end():
            self.tell_end()
        return lines

    def tell_end(self) -> None:
        """Tell the operator that the other side has closed the connection."""
        log.warning("the bot that had connected has closed its connection")


class _Connection(Unmeasured):
    """The socket in place of a program and its pipes, as BotProcess wants them; its end ends no program."""

    @classmethod
    def open(cls, connection: socket.socket) -> _Connection:
        connection.setblocking(False)
        stderr_fd, other_end = os.pipe()
        os.close(other_end)  # its stderr is at its end: the author reads it elsewhere
        exit_fd, ended = os.pipe()
        return cls(connection, stderr_fd, exit_fd, ended)

    def __init__(self, connection: socket.socket, stderr_fd: int, exit_fd: int, ended: int) -> None:
        """Talk over *connection*; *ended* is the other end of *exit_fd*, which shows that it is over."""
        self.stdin_fd, self.stdout_fd = os.dup(connection.fileno()), connection.fileno()
        self.stderr_fd, self.exit_fd = stderr_fd, exit_fd
        super().__init__((self.stdin_fd, stderr_fd, exit_fd, ended))
        self._socket = connection
        self._ended = ended
        self._is_over = False

    def note_end(self) -> bool:
        """Note that the other side has closed the connection; return False if that was known."""
        if self._is_over or self._ended not in self._open:
            return False
        self._is_over = True
        os.write(self._ended, b"\0")
        return True

    def status(self, patience: float = 0.0) -> int | None:
        """Return 0 if the other side closes the connection within *patience* seconds."""
        if not self._is_over and self._ended in self._open:
            poll = select.poll()
            poll.register(self.stdout_fd, CLOSED)
            if poll.poll(patience * 1000):
                self.note_end()
        return 0 if self._is_over else None

    def close(self, *fds: int) -> None:
        """Close the descriptors *fds*, or all of them and the connection by default."""
        if self.stdin_fd in self._open.intersection(fds or self._open):
            with suppress(OSError):  # it is gone
                self._socket.shutdown(socket.SHUT_WR)
        super().close(*fds)
        if not fds:
            self._socket.close()
