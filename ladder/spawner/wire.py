"""Messages between a worker and its spawner: a length of 4 bytes, a plain value, descriptors."""

from __future__ import annotations

import marshal
import os
import socket
import struct
from collections.abc import Sequence
from typing import Any

STATUS = struct.Struct("<i")
"""An exit status, or minus the signal."""
LENGTH = struct.Struct("<I")
MOST = 4
"""The most descriptors in a message."""


def send(to: socket.socket, value: Any, fds: Sequence[int] = ()) -> None:
    """Send a plain value, encoded by marshal, and descriptors.  Raises OSError."""
    data = marshal.dumps(value)
    header = LENGTH.pack(len(data))
    sent = socket.send_fds(to, [header], fds) if fds else 0
    to.sendall(header[sent:] + data)


def receive(source: socket.socket) -> tuple[Any, list[int]]:
    """Return the next value and its descriptors.  Raises EOFError if the other side is gone, OSError."""
    header, fds, _, _ = socket.recv_fds(source, LENGTH.size, MOST)
    for fd in fds:
        os.set_inheritable(fd, False)
    header += _bytes(source, LENGTH.size - len(header))
    (length,) = LENGTH.unpack(header)
    return marshal.loads(_bytes(source, length)), fds  # noqa: S302 - written by the side that is trusted


def _bytes(source: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        if not (more := source.recv(count - len(data))):
            raise EOFError("the other side is gone")
        data += more
    return data
