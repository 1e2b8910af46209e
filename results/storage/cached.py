"""Values that can be computed again, `results/*.cache`: a file is a checksum and a MessagePack value."""

import logging
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

import msgspec

from results.record import Json
from results.storage.disk import Disk, replace_file

logger = logging.getLogger(__name__)

T = TypeVar("T")


def write_cached(disk: Disk, path: Path, value: Json) -> None:
    """Store *value* at *path*.  Raises OSError."""
    body = msgspec.msgpack.encode(value)
    replace_file(disk, path, sha256(body).digest() + body)


def read_cached(disk: Disk, path: Path, kind: type[T]) -> T | None:
    """Return the value at *path*; None if there is no good one, with a line in the log if it is damaged."""
    try:
        data = disk.read(path)
    except FileNotFoundError:
        return None
    if sha256(memoryview(data)[32:]).digest() != data[:32]:
        logger.warning("%s does not match its checksum, so it is not used", path)
        return None
    try:
        return msgspec.msgpack.decode(memoryview(data)[32:], type=kind)
    except msgspec.MsgspecError:  # of another version
        return None
