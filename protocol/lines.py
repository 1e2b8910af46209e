"""Framing: lines out of the chunks that a pipe gives."""

from __future__ import annotations

__all__ = ["LINE_BYTES", "LineTooLong", "Lines"]

LINE_BYTES = 65_536
"""The longest line a bot may write, its newline included."""


class LineTooLong(ValueError):
    """A line longer than it may be, whether or not its end has come."""

    def __init__(self, message: str, before: list[bytes]) -> None:
        """*before*: the lines that were completed by the same data, ahead of it."""
        super().__init__(message)
        self.before = before


class Lines:
    """The lines of one process.

    Lines end in LF and in nothing else: what str.splitlines takes for a line end may stand inside a string.
    At most one unfinished line is kept, never longer than *limit*.
    """

    __slots__ = ("_limit", "_rest")

    def __init__(self, limit: int = LINE_BYTES) -> None:
        self._limit = limit
        self._rest = bytearray()

    @property
    def rest(self) -> bytes:
        """The line that has not ended yet, as far as it has come; after LineTooLong, its head."""
        return bytes(self._rest)

    def feed(self, data: bytes) -> list[bytes]:
        """Return the lines that *data* completes, without their newlines.

        Raises LineTooLong; then the process has no more to say, for nothing can be told from what follows.
        """
        if not self._rest and len(data) <= self._limit and data.endswith(b"\n"):  # the ordinary case
            return data[:-1].split(b"\n")
        return self._cut(data)

    def _cut(self, data: bytes) -> list[bytes]:
        lines: list[bytes] = []
        *ends, rest = data.split(b"\n")
        for end in ends:
            self._keep(end, lines)
            lines.append(bytes(self._rest))
            self._rest.clear()
        self._keep(rest, lines)
        return lines

    def _keep(self, data: bytes, before: list[bytes]) -> None:
        """Take *data* for the line that has begun; *before* it, in the same data, these have ended."""
        self._rest += data
        if len(self._rest) >= self._limit:  # no room left for the newline
            del self._rest[self._limit :]
            raise LineTooLong(
                f"expected lines of at most {self._limit:,} bytes, newline included, got a longer one", before
            )
