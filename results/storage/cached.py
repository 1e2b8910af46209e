"""Values that can be computed again, `results/*.cache`: a file is a checksum and a MessagePack value.

Among them are copies of what small Parquet files say, to be read without pyarrow, which loads slowly.  A copy
names the SHA-256 of its file, and is used for that file only.  So the file alone counts: it may be exchanged,
damaged or restored, and a copy that is missing or old is no more than slow.
"""

import logging
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

import msgspec

from results.errors import DamagedResults
from results.record import Json
from results.storage.disk import Disk, replace_file

logger = logging.getLogger(__name__)

T = TypeVar("T")
R = TypeVar("R", bound=msgspec.Struct)


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


# -- copies of files


class _Copy(msgspec.Struct):
    """The content of a copy."""

    of: str
    """The SHA-256 of the file."""
    says: bytes
    """JSON, in which texts of the file's columns become values as they do when the file is read."""


def replace_with_copy(disk: Disk, path: Path, data: bytes, copy: Path, says: Json) -> None:
    """Write *data* to the file at *path* as replace_file does; then the *copy* of what it *says*."""
    replace_file(disk, path, data)
    write_cached(disk, copy, _Copy(sha256(data).hexdigest(), msgspec.json.encode(says)))


def read_copy(path: Path, copy: Path, kind: type[T]) -> T | None:
    """Return what *path* says, from its *copy*; None if that is not good.  Raises FileNotFoundError."""
    disk = Disk()
    digest = sha256(disk.read(path)).hexdigest()
    found = read_cached(disk, copy, _Copy)
    if found is None or found.of != digest:
        return None
    try:
        return msgspec.json.decode(found.says, type=kind)
    except msgspec.MsgspecError:  # of another version
        return None


def read_records(path: Path, copy: Path, kind: type[R]) -> list[R]:
    """Return records, from a good *copy* if any.  Raises FileNotFoundError, DamagedResults, NewerFormat."""
    if (copied := read_copy(path, copy, list[kind])) is not None:  # type: ignore[valid-type]
        return copied
    from results.storage import parquet, schema

    table, _ = parquet.read_with_tag(path, schema.SCHEMAS[kind])
    try:
        return schema.records_from(table, kind)
    except msgspec.MsgspecError as error:
        raise DamagedResults(path, str(error)) from None


def write_records(disk: Disk, path: Path, copy: Path, records: Sequence[R], kind: type[R]) -> None:
    """Replace the file at *path*, and its *copy*, by one of *records* of *kind*."""
    from results.storage import parquet, schema

    replace_with_copy(disk, path, parquet.encode_with_tag(schema.to_table(records, kind)), copy, records)
