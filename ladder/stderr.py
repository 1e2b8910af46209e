"""What a bot writes to stderr: the beginning and the end of it, with marks of where it was in its match."""

from __future__ import annotations

__all__ = ["Stderr"]

KEPT = 32_768
"""So many bytes of the beginning are kept, and as many of the end."""


class Stderr:
    """The log of one process."""

    def __init__(self) -> None:
        self.size = 0
        """How many bytes the process has written in all."""
        self._head = bytearray()
        self._tail = bytearray()
        self._where = ""

    def add(self, data: bytes, where: str = "") -> None:
        """Keep *data*, which came while the bot was at *where*; a mark goes before it if that is new."""
        self.size += len(data)
        if data and where != self._where:
            self._where = where
            new_line = self._head and (self._tail or self._head)[-1:] != b"\n"
            data = b"%b--- %b\n%b" % (b"\n" if new_line else b"", where.encode(), data)
        room = KEPT - len(self._head)
        self._head += data[:room]
        self._tail += data[room:]
        del self._tail[:-KEPT]

    def text(self, limit: int) -> str:
        """Return the end of it, at most *limit* bytes; what is not UTF-8 is escaped."""
        return bytes(self._head + self._tail)[-limit:].decode("utf-8", "backslashreplace")
