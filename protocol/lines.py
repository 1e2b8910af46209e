"""Assemble lines from the chunks that a pipe delivers."""

LINE_BYTES = 65_536
"""The longest line a bot may write, its newline included."""


class LineTooLong(ValueError):
    """A line that is too long, whether or not its end has arrived."""

    def __init__(self, message: str, before: list[bytes]) -> None:
        """Take the *message* and the lines that the same data completed *before* the long one."""
        super().__init__(message)
        self.before = before


class Lines:
    """The lines of one process.

    Only LF ends a line; the other line ends of str.splitlines may occur inside a string.  At most one
    unfinished line is kept, never longer than *limit*.
    """

    __slots__ = ("_limit", "_rest")

    def __init__(self, limit: int = LINE_BYTES) -> None:
        self._limit = limit
        self._rest = bytearray()

    @property
    def rest(self) -> bytes:
        """The beginning of the unfinished line; after LineTooLong, the beginning of the long one."""
        return bytes(self._rest)

    def feed(self, data: bytes) -> list[bytes]:
        """Return the lines that *data* completes, without their newlines.

        Raises LineTooLong.  Ignore all later output then, because its line ends are not reliable.
        """
        if not self._rest and len(data) <= self._limit and data.endswith(b"\n"):  # the ordinary case
            return data[:-1].split(b"\n")
        lines: list[bytes] = []
        *ends, rest = data.split(b"\n")
        for end in ends:
            self._keep(end, lines)
            lines.append(bytes(self._rest))
            self._rest.clear()
        self._keep(rest, lines)
        return lines

    def _keep(self, data: bytes, before: list[bytes]) -> None:
        """Add *data* to the unfinished line; *before* are the lines that the same data completed."""
        self._rest += data
        if len(self._rest) >= self._limit:  # no room left for the newline
            del self._rest[self._limit :]
            raise LineTooLong(
                f"expected lines of at most {self._limit:,} bytes, newline included, got a longer one", before
            )
