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
        self._written = 0
        """How many bytes were to be kept in all, marks among them."""

    def begin(self) -> int:
        """Return where the log of a new match begins, for text(); a mark goes before its first words."""
        self._where = ""
        return self._written

    def add(self, data: bytes, where: str = "") -> None:
        """Keep *data*, which came while the bot was at *where*; a mark goes before it if that is new.

        Without *where* it belongs to what came before.
        """
        self.size += len(data)
        if data and where and where != self._where:
            self._where = where
            new_line = self._head and (self._tail or self._head)[-1:] != b"\n"
            data = b"%b--- %b\n%b" % (b"\n" if new_line else b"", where.encode(), data)
        self._written += len(data)
        room = KEPT - len(self._head)
        self._head += data[:room]
        self._tail += data[room:]
        del self._tail[:-KEPT]

    def text(self, limit: int, since: int = 0) -> str:
        """Return the end of it, at most *limit* bytes, from *since* on; what is not UTF-8 is escaped."""
        cut = self._written - len(self._tail)  # where the kept end begins
        kept = self._head[since:] + self._tail[max(0, since - cut) :]
        return bytes(kept[-limit:]).decode("utf-8", "backslashreplace").removeprefix("\n" if since else "")
