"""The journal: one checksummed line per finished block, and the fsync that commits it.

    crc32 in 8 hex digits, SPACE, JSON, LF

The first line names the journal.  A last line without its LF was torn by a crash: it was never committed and
is cut off.  The same holds for a line with a hole of zeros and all lines after it: the power failed when
later parts of the file were on the disk and earlier ones were not.  The first line after each commit says how
many bytes were safe by then.  A hole in those bytes is damage, and so is any other bad line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from results.errors import DamagedResults
from results.storage.disk import Disk, Handle, replace_file

_CHECKSUM = 9  # eight hex digits and a space
_MARK = re.compile(rb'\{"safe":(\d+)\}')
_HOLE = b"\0\0"  # JSON has no zeros, and no single flipped bit makes two


def frame(payload: bytes) -> bytes:
    """Return *payload*, which must hold no LF, as a checksummed line."""
    return b"%08x %b\n" % (crc32(payload), payload)


def _unframe(line: bytes) -> bytes | None:
    """Return the payload of a line without its LF, or None if the line is bad."""
    payload = line[_CHECKSUM:]
    return payload if line[:_CHECKSUM] == b"%08x " % crc32(payload) else None


class BadLine(NamedTuple):
    """A damaged line of a journal."""

    data: bytes
    what: str


class Extent(NamedTuple):
    """The size of a journal on the disk, in bytes."""

    whole: int
    """The size of its whole lines; anything after them was never committed."""
    found: int
    """The size of the file."""


def sift(data: bytes, path: Path) -> tuple[list[bytes], list[BadLine], int]:
    """Return the payloads of the good lines of the journal *data*, the bad lines, and the size of both.

    Anything after that size was never committed.  The first line and the commit marks are not payloads.
    """
    *lines, tail = data.split(b"\n")
    good: list[bytes] = []
    bad: list[BadLine] = []
    size = 0
    for number, line in enumerate(lines, 1):
        payload = _unframe(line)
        if payload is None:
            if number > 1 and _HOLE in line and _last_safe_size(lines[number:]) <= size:
                return good, bad, size
            bad.append(BadLine(line, f"line {number} does not match its checksum"))
        elif number == 1:
            if payload != _title(path):
                bad.append(BadLine(b"", "its first line is that of another journal"))
        elif not _MARK.fullmatch(payload):
            good.append(payload)
        size += len(line) + 1
    if not lines:
        bad.append(BadLine(b"", "it does not begin as a journal"))
    if tail[-1:] != b"\0" and (payload := _unframe(tail[:-1])) is not None:
        bad.append(BadLine(b"", "its last line does not end in a line feed"))
        good.append(payload)
    return good, bad, size


def sift_tail(data: bytes) -> list[bytes]:
    """Return the payloads of the good lines in *data*, the last bytes of a journal."""
    lines = data.split(b"\n")[1:-1]  # the first has lost its beginning or is the title, the last was torn
    payloads = map(_unframe, lines)
    return [payload for payload in payloads if payload is not None and not _MARK.fullmatch(payload)]


def _last_safe_size(lines: Iterable[bytes]) -> int:
    """Return the largest number of safe bytes that a commit mark among *lines* states, or 0."""
    marks = (_MARK.fullmatch(_unframe(line) or b"") for line in lines)
    return max((int(mark[1]) for mark in marks if mark), default=0)


def read(data: bytes, path: Path) -> tuple[list[bytes], int]:
    """Return the payloads of the journal *data* after its first line, and the size of its whole lines.

    Anything after that size was never committed.  Raises DamagedResults, which names *path*.
    """
    payloads, bad, size = sift(data, path)
    if bad:
        raise DamagedResults(path, bad[0].what)
    return payloads, size


def create(disk: Disk, path: Path, payloads: Iterable[bytes] = ()) -> Extent:
    """Write a new journal with *payloads*, safe from a power cut; return its size."""
    data = b"".join(map(frame, [_title(path), *payloads]))
    replace_file(disk, path, data)
    return Extent(len(data), len(data))


def _title(path: Path) -> bytes:
    return b'{"journal":"%b"}' % path.stem.encode()


class Journal:
    """A journal open for appending."""

    @classmethod
    def open(cls, disk: Disk, path: Path, extent: Extent | None = None) -> Journal:
        """Open the journal, cut off a torn tail and commit the rest; read it only without an *extent*."""
        if extent is None:
            data = disk.read(path)
            extent = Extent(read(data, path)[1], len(data))
        if extent.whole < extent.found:
            disk.truncate(path, extent.whole)
        opened = cls(disk, disk.open(path), extent.whole)
        try:
            opened.commit()
        except BaseException:
            opened.close()
            raise
        return opened

    def __init__(self, disk: Disk, handle: Handle, size: int) -> None:
        """Append to the open file *handle*, which has *size* bytes."""
        self._disk = disk
        self._handle = handle
        self._size = size
        self._dirty = True  # a process that was killed before its fsync may have written to it

    def append(self, payload: bytes) -> None:
        """Write one line.  The next commit() makes it safe."""
        if b"\n" in payload:
            raise ValueError("expected one line of JSON, got several")
        data = frame(payload)
        if not self._dirty:
            data = frame(b'{"safe":%d}' % self._size) + data
        self._dirty = True
        self._disk.append(self._handle, data)
        self._size += len(data)

    def commit(self) -> None:
        """Return when every line is safe from a power cut."""
        if self._dirty:
            self._disk.fsync(self._handle)
            self._dirty = False

    def close(self) -> None:
        """Close the file.  Lines that were not committed may be lost."""
        self._disk.close(self._handle)
