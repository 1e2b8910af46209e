"""Parquet files: tables to bytes for the store to write, and back from a path.

pyarrow is always handed a path, never an open Python file (it can abort the interpreter at its end), and what
it reads is held against a schema, never taken for one.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from results.errors import DamagedResults, NewerFormat
from results.record import Json
from results.schema import FORMAT, Schema, Table

__all__ = ["encoded", "encoded_with_tag", "read", "read_with_tag"]


def encoded(table: Table) -> bytes:
    """Return *table* as the bytes of a Parquet file."""
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd", write_page_checksum=True)
    return sink.getvalue().to_pybytes()  # type: ignore[no-any-return]


def read(path: Path, schema: Schema) -> Table:
    """Return the columns of *schema* of the file at *path*; of a nested column, the fields that it names.

    Raises DamagedResults or NewerFormat, and FileNotFoundError where there is no file.
    """
    return _read(path, schema)[0]


def _read(path: Path, schema: Schema) -> tuple[Table, dict[bytes, bytes]]:
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            metadata = file.schema_arrow.metadata or {}
            _check_format(path, metadata)
            table = file.read(columns=[leaf for column in schema for leaf in _leaves(column)])
            return table.select(schema.names).cast(schema), metadata
    except FileNotFoundError:
        raise
    except (pa.ArrowException, OSError, KeyError, ValueError) as error:
        raise DamagedResults(path, str(error)) from error


def _leaves(column: pa.Field) -> list[str]:
    """Return the names by which Parquet knows a column: those of its fields, if it is a list of structs."""
    kind = column.type
    if pa.types.is_list(kind) and pa.types.is_struct(kind.value_type):
        return [f"{column.name}.list.element.{part.name}" for part in kind.value_type]
    return [column.name]


def _check_format(path: Path, metadata: dict[bytes, bytes]) -> None:
    found = metadata.get(b"ladder.format", b"")
    if not found.isdigit():
        raise DamagedResults(path, "it does not say its format")
    if int(found) > FORMAT:
        raise NewerFormat(path, int(found), FORMAT)


def encoded_with_tag(table: Table, tag: Json = None) -> bytes:
    """Return a small *table* as the bytes of a Parquet file that holds a digest of its rows, and *tag*."""
    text = msgspec.json.encode(tag, order="deterministic")
    extra = {"ladder.tag": text, "ladder.digest": _digest(table, text)}
    return encoded(table.replace_schema_metadata({**table.schema.metadata, **extra}))


def read_with_tag(path: Path, schema: Schema) -> tuple[Table, Json]:
    """Return the table and the tag that encoded_with_tag was given, to the last bit.

    Raises DamagedResults or NewerFormat, and FileNotFoundError where there is no file.
    """
    table, metadata = _read(path, schema)
    tag = metadata.get(b"ladder.tag", b"")
    if metadata.get(b"ladder.digest") != _digest(table, tag).encode():
        raise DamagedResults(path, "its rows do not match their checksum")
    return table, msgspec.json.decode(tag)


def _digest(table: Table, tag: bytes) -> str:
    return sha256(msgspec.json.encode(table.to_pylist()) + tag).hexdigest()
