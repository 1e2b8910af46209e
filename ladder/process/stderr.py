"""Keep the beginning and the end of a bot's stderr, with marks for the steps of its matches."""

from ladder.process.masks import MaskedStream, Masks

KEPT = 32_768
"""The number of bytes kept of the beginning, and of the end."""


class Stderr:
    """The log of one process."""

    def __init__(self) -> None:
        self.size = 0
        """The number of bytes that the process has written."""
        self._head = bytearray()
        self._tail = bytearray()
        self._where = ""
        self._written = 0
        """The number of bytes added in all, marks included."""
        self._masked: MaskedStream | None = None

    def hide(self, masks: Masks) -> None:
        """Hide the values of *masks* in all that is added from now on."""
        self._masked = MaskedStream(masks) if masks else None

    def begin(self) -> int:
        """Start the log of a new match; return its position for text().  A mark precedes its first output."""
        self._where = ""
        return self._written

    def add(self, data: bytes, where: str = "") -> None:
        """Add *data*, written at *where*, behind a mark if that is new; without it, it goes with the last."""
        self.size += len(data)
        self._keep(self._masked.feed(data) if self._masked else data, where)

    def end(self) -> None:
        """Note that nothing follows: what may have been the beginning of a hidden value is added as well."""
        if self._masked:
            self._keep(self._masked.release(), "")

    def _keep(self, data: bytes, where: str) -> None:
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
        """Return the last *limit* bytes of the log since position *since*; bytes not in UTF-8 are escaped."""
        cut = self._written - len(self._tail)  # where the kept end begins
        kept = self._head[since:] + self._tail[max(0, since - cut) :]
        if self._masked:
            kept += self._masked.held
        return bytes(kept[-limit:]).decode("utf-8", "backslashreplace").removeprefix("\n" if since else "")
