"""A bot on another machine, which the hub of `ladder serve` reaches."""

import socket
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, Self

from ladder.machine.seat_socket import LAST_WORD, call_hub
from ladder.process.connected import ConnectedBot

ABSENT = b'{"type":"absent","why":"ladder serve is not running"}'


class RemoteBot(ConnectedBot):
    """A bot at the other end of the hub.  A socket that ends without a last word is the end of the hub."""

    end: Literal["crash", "transport", "void"] = "void"
    _hub: Sequence[int] = ()

    @classmethod
    def join(cls, folder: Path, bot: str, line_bytes: int) -> Self:
        """Open a seat of *bot*, whose *folder* is in the home; without a hub it is absent."""
        try:
            connection = call_hub(folder, bot)
        except OSError:
            connection, other = socket.socketpair()
            other.close()
            return cls.take(connection, line_bytes)
        process = cls.take(connection, line_bytes)
        credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
        process._hub = struct.unpack("3i", credentials)[:1]
        return process

    def receive(self) -> list[bytes] | None:
        lines = super().receive()
        if lines and lines[-1].startswith(LAST_WORD):  # a bot that writes it ends its own seat
            self.end = "crash" if lines.pop() == LAST_WORD + b"ended" else "transport"
        if lines is None and not self.stdout_open and not self.lines:
            self.lines = 1
            return [ABSENT]
        return lines

    def tell_end(self) -> None:
        """Say nothing: clients come and go."""

    def waited_us(self) -> int:
        """Return how long the hub was ready to run and had no core."""
        return self._waits.read_again_us(lambda: self._hub)
