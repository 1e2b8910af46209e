"""Encode tables as Parquet bytes, and read Parquet files from a path.

pyarrow always gets a path, never an open Python file, which can abort the interpreter at exit.  Each file
must fit the schema that the caller expects.
"""

import errno
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from results.batches import in_batches
from results.errors import DamagedResults, NewerFormat
from results.record import Json
from results.storage.schema import FORMAT, OPTIONAL_COLUMNS, OPTIONAL_FIELDS, Schema, Table

SEALED, SEAL = b"ladder.sealed", b"ladder.sha256:"
"""The key of a file's own SHA-256 in its metadata, and what stands before it there."""
GROUP_ROWS = 10_000
"""The approximate number of rows in one group of a long file."""


def encode(table: Table) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd", write_page_checksum=True)
    return sink.getvalue().to_pybytes()  # type: ignore[no-any-return]


def encode_joined(
    tables: Iterable[Table], schema: Schema, group_rows: int | None = None, **how: Json
) -> tuple[memoryview, int]:
    """Return the concatenated *tables* as the bytes of one Parquet file, and the number of its rows.

    In memory are those compressed bytes and one group of some *group_rows*, GROUP_ROWS for None.  *how* they
    are compressed, pyarrow's ParquetWriter says.
    """
    sink = pa.BufferOutputStream()
    rows = write_joined(sink, tables, schema, group_rows or GROUP_ROWS, **how)
    return memoryview(sink.getvalue()), rows


def write_joined(to: Json, tables: Iterable[Table], schema: Schema, group_rows: int, **how: Json) -> int:
    """Write what encode_joined returns *to* a path or a sink; return the number of rows."""
    rows = 0
    with pq.ParquetWriter(to, schema, compression="zstd", write_page_checksum=True, **how) as writer:
        for batch in in_batches(tables, len, group_rows):  # a table ends with a block, so it is never split
            group = pa.concat_tables(batch)
            if len(group):
                writer.write_table(group, row_group_size=len(group))
                rows += len(group)
    return rows


def encode_sealed(tables: Iterable[Table], schema: Schema, group_rows: int, **how: Json) -> bytes:
    """Return what encode_joined returns, as a file that holds its own SHA-256: see check_sealed."""
    sealed = schema.with_metadata({**schema.metadata, SEALED: SEAL + b"0" * 64})
    return _seal(bytes(encode_joined(tables, sealed, group_rows, **how)[0]))


def check_sealed(path: Path, schema: Schema) -> None:
    """Raise DamagedResults, NewerFormat or FileNotFoundError unless encode_sealed made *path* as it is."""
    with _open(path) as file:
        _check_seal(path, file.schema_arrow.metadata or {})
    for _ in read_parts(path, schema):
        pass


def read_parts(path: Path, schema: Schema, numbers: Sequence[int] = ()) -> Iterator[Table]:
    """Yield the rows of the file at *path*, a group at a time, with the columns of *schema*.

    Of a nested column, only the fields that *schema* names are read.  With *numbers*, groups that cannot hold
    one of these matches are skipped.  Raises DamagedResults, NewerFormat or FileNotFoundError.
    """
    leaves = [leaf for column in schema for leaf in _leaves(column)]
    with _open(path) as file:
        for group in range(file.num_row_groups):
            if not numbers or _may_hold(file.metadata.row_group(group), numbers):
                yield _fit_schema(file.read_row_group(group, columns=leaves), schema)


def _may_hold(group: pq.RowGroupMetaData, numbers: Sequence[int]) -> bool:
    columns = (group.column(index) for index in range(group.num_columns))
    found = next(column.statistics for column in columns if column.path_in_schema == "number")
    if found is None or not found.has_min_max:
        return True
    return any(found.min <= number <= found.max for number in numbers)


@contextmanager
def _open(path: Path) -> Iterator[pq.ParquetFile]:
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            _check_format(path, file.schema_arrow.metadata or {})
            yield file
    except FileNotFoundError:
        raise
    except (pa.ArrowException, OSError, KeyError, ValueError) as error:
        if type(error) is pa.ArrowException:
            raise BlockingIOError(errno.EAGAIN, "Arrow could start no thread", str(path)) from error
        if getattr(error, "errno", None):  # no permission
            raise OSError(f"could not read {path}: {error}") from error
        if isinstance(error, MemoryError):
            raise
        raise DamagedResults(path, str(error)) from error


def _fit_schema(table: Table, schema: Schema) -> Table:
    for name in OPTIONAL_COLUMNS.intersection(schema.names).difference(table.column_names):
        table = table.append_column(name, pa.nulls(len(table), schema.field(name).type))
    table = table.select(schema.names).replace_schema_metadata(schema.metadata)
    return table if table.schema.equals(schema) else table.cast(schema)  # a cast loads pyarrow.compute


def _leaves(column: pa.Field) -> list[str]:
    """Return Parquet's names for a column: those of its fields, if it is a list of structs.

    A field that older files do not have is read with one that all have, so that the list is read in any case.
    """
    kind = column.type
    if pa.types.is_list(kind) and pa.types.is_struct(kind.value_type):
        names = [part.name for part in kind.value_type]
        if OPTIONAL_FIELDS.issuperset(names):
            names.append("bot")
        return [f"{column.name}.list.element.{name}" for name in names]
    return [column.name]


def _check_format(path: Path, metadata: dict[bytes, bytes]) -> None:
    found = metadata.get(b"ladder.format", b"")
    if not found.isdigit():
        raise DamagedResults(path, "it does not say its format")
    if int(found) > FORMAT:
        raise NewerFormat(path, int(found), FORMAT)


def encode_with_tag(table: Table, tag: Json = None) -> bytes:
    """Return a small *table* as the bytes of a Parquet file with a digest of its rows, and *tag*.

    Parquet does not check all that it stores, so the file holds its own SHA-256 as well.
    """
    text = msgspec.json.encode(tag, order="deterministic")
    extra = {b"ladder.tag": text, b"ladder.digest": _digest(table, text), SEALED: SEAL + b"0" * 64}
    data = encode(table.replace_schema_metadata({**table.schema.metadata, **extra}))
    return _seal(data)


def _seal(data: bytes) -> bytes:
    """Return the bytes of a file with its SHA-256 in place of what stands behind SEAL."""
    start = data.rindex(SEAL) + len(SEAL)
    blank = data[:start] + b"0" * 64 + data[start + 64 :]
    return blank[:start] + sha256(blank).hexdigest().encode() + blank[start + 64 :]


def _check_seal(path: Path, metadata: Mapping[bytes, bytes]) -> None:
    """Raise DamagedResults if any byte of the file has changed.  Files of older ladders have no seal."""
    data = path.read_bytes()
    if _seal(data) != data if SEAL in data else SEALED in metadata:
        raise DamagedResults(path, "it does not match its checksum")


def read_with_tag(path: Path, schema: Schema) -> tuple[Table, Json]:
    """Return table and tag, exactly.  Raises DamagedResults, NewerFormat or FileNotFoundError."""
    with _open(path) as file:
        _check_seal(path, file.schema_arrow.metadata or {})
        table = file.read()  # with columns of another version as well: the digest is that of all
        metadata = file.schema_arrow.metadata
        tag = metadata.get(b"ladder.tag", b"")
        if metadata.get(b"ladder.digest") != _digest(table, tag).encode():
            raise DamagedResults(path, "its rows do not match their checksum")
        return _fit_schema(table, schema), msgspec.json.decode(tag)


def _digest(table: Table, tag: bytes) -> str:
    return sha256(msgspec.json.encode(table.to_pylist()) + tag).hexdigest()
