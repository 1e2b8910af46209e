"""Lists that only grow: files of the home with a line of JSON for each entry."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

S = TypeVar("S", bound=msgspec.Struct)


def append_line(path: Path, entry: msgspec.Struct, mode: int = 0o644) -> None:
    """Add *entry* to the list at *path*, made with *mode* if missing.  Raises OSError: nothing was added."""
    handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, mode)
    try:
        size = os.fstat(handle).st_size
        # a line that was cut short, as where the power failed, must not take this one with it
        begin = b"\n" if size and os.pread(handle, 1, size - 1) != b"\n" else b""
        line = begin + msgspec.json.encode(entry) + b"\n"
        # one write: two processes cannot mix their lines
        if (written := os.write(handle, line)) < len(line):
            os.ftruncate(handle, os.fstat(handle).st_size - written)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
    finally:
        os.close(handle)


def read_lines(path: Path, kind: type[S]) -> Iterator[S]:
    """Yield the entries at *path*, the oldest first; none without a file.  A line cut short is left out."""
    try:
        lines = path.read_bytes().splitlines()
    except FileNotFoundError:
        return
    for line in lines:
        try:
            yield msgspec.json.decode(line, type=kind)
        except msgspec.MsgspecError:
            continue
