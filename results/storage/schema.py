"""The columns of the Parquet files, and the conversion of records to tables and back.

The metadata of every file names the format, 1, and the kind of rows (`ladder.format`, `ladder.table`).
Nested values without columns of their own (options, deals, settings) are stored as canonical JSON text.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import accumulate, chain, pairwise
from operator import attrgetter
from typing import Any, TypeVar, get_args

import msgspec
import pyarrow as pa
from msgspec.inspect import (
    BoolType,
    FloatType,
    IntType,
    ListType,
    NoneType,
    StructType,
    Type,
    UnionType,
    type_info,
)
from msgspec.structs import FieldInfo

from results.record import INT32_MOST, Fault, Int32, Json, Match, Run, Season, Seat
from results.reviewed import ReviewedStep
from results.storage.arrow import Array as Array
from results.storage.arrow import Schema as Schema
from results.storage.arrow import Table as Table

# Columns are only added, and then are null where a file is older, so one format has served all versions: data
# tools and older homes need no conversion.
FORMAT = 1

T = TypeVar("T", bound=msgspec.Struct)

_fields = cache(msgspec.structs.fields)

_TIME = pa.timestamp("us", tz="UTC")
_TIMES = frozenset({"started", "finished"})
"""Fields that are whole microseconds in a record and a timestamp in its column."""
_AS_JSON = frozenset({"options", "deal", "settings", "bots", "ratings", "versions"})
"""Fields that are JSON text in their column."""
_ADDED = {
    Seat: (7, pa.field("decisions", pa.int64())),
    Match: (18, pa.field("guessable", pa.bool_())),
}
"""A column that is no field of the record, with its place: it is computed, or comes from the run."""


def _columns_of(kind: type[msgspec.Struct]) -> list[Any]:
    columns = [pa.field(field.name, _column_type(field.name, field.type)) for field in _fields(kind)]
    if kind in _ADDED:
        columns.insert(*_ADDED[kind])
    return columns


def _column_type(name: str, kind: Any) -> Any:
    if name in _TIMES:
        return _TIME
    if name in _AS_JSON and kind != Int32 | None:  # a review counts options
        return pa.string()
    return _arrow_type(type_info(kind))


def _is_json(name: str, kind: Any) -> bool:
    """Return whether the column *name*, of the type *kind*, has JSON texts."""
    return name in _AS_JSON and pa.types.is_string(kind)


def _arrow_type(kind: Type) -> Any:
    match kind:
        case UnionType(types):
            return next(_arrow_type(part) for part in types if not isinstance(part, NoneType))
        case IntType(le=most):
            return pa.int32() if most == INT32_MOST else pa.int64()
        case FloatType():
            return pa.float64()
        case BoolType():
            return pa.bool_()
        case ListType(element):
            return pa.list_(_arrow_type(element))
        case StructType(record):
            return pa.struct(_columns_of(record))
    return pa.string()


def _schema(table: str, columns: Sequence[Any]) -> Schema:
    return pa.schema(columns, metadata={"ladder.format": str(FORMAT), "ladder.table": table})


def _alike(kind: Any, *names: str) -> list[tuple[str, Any]]:
    return [(name, kind) for name in names]


MATCHES: Schema = _schema("matches", _columns_of(Match))
"""One row per match, void attempts included.  `guessable` comes from the run, not from the record of a match;
it, `luck`, `machine` and the seats' `memory_bytes` are null in files older than the columns."""

FAULTS: Schema = _schema("faults", _columns_of(Fault))
"""One row per fault; `lapse` is null in files older than the column."""

RUNS: Schema = _schema("runs", _columns_of(Run))
"""One row per run."""

SEASONS: Schema = _schema("seasons", _columns_of(Season))
"""One row per season that was begun, in order."""

REVIEWS: Schema = _schema(
    "reviews",
    [
        column.with_type(pa.float32()) if pa.types.is_floating(column.type) else column
        for column in _columns_of(ReviewedStep)
    ],
)
"""One row per seat at a step of a match that was reviewed; see storage/review_rows.py."""

SCHEMAS: dict[type[msgspec.Struct], Schema] = {
    Match: MATCHES,
    Fault: FAULTS,
    Run: RUNS,
    Season: SEASONS,
    ReviewedStep: REVIEWS,
}
"""By the kind of the records in the rows."""

RATINGS: Schema = _schema(
    "ratings",
    [
        *_alike(pa.string(), "game", "bot", "version"),
        *_alike(pa.float64(), "mu", "sigma"),
        *_alike(pa.int64(), "matches", "wins", "draws", "losses"),
        *_alike(pa.int64(), "rank_sum", "rank_squares", "scored", "score_sum"),
        ("faults", pa.map_(pa.string(), pa.int64())),
        *_alike(pa.int64(), "decisions", "think_us", "cpu_us"),
        ("through_run", pa.int32()),
        ("through_match", pa.int64()),
    ],
)
"""One row per standing, which is a bot's version in a game."""

PAIRS: Schema = _schema(
    "pairs",
    [
        *_alike(pa.string(), "game", "a", "a_version", "b", "b_version"),
        *_alike(pa.float64(), "difference", "se", "p_above", "low", "high"),
    ],
)
"""One row per two bots of a game."""

_canonical = msgspec.json.Encoder(order="sorted").encode


def to_json(value: Json) -> str:
    """Return *value* as canonical JSON: sorted keys, no spaces."""
    return _canonical(value).decode()


OPTIONAL_COLUMNS = frozenset(
    {"decision_kind", "guessable", "lapse", "luck", "machine", "promised", "rank_squares"}
    | {"account", "luck_se", "own", "own_se", "others", "hidden", "why"}
)
"""Columns that older files of this format do not have."""
OPTIONAL_FIELDS = frozenset({"memory_bytes"})
"""Fields of seats that older files of this format do not have."""


def matches_table(
    matches: Sequence[Match], schema: Schema = MATCHES, *, guessable: bool | None = None
) -> Table:
    """Return *matches* as a table of MATCHES or a part; *guessable*: whether the secret of their run is."""
    columns = [
        _repeat(guessable, len(matches)) if field.name == "guessable" else _column(matches, field)
        for field in schema
    ]
    return pa.Table.from_arrays(columns, schema=schema)


def set_guessable(table: Table, guessable: bool | None) -> Table:
    """Return the *table* of one run with its column `guessable`, if any, set; None changes nothing."""
    if guessable is None or "guessable" not in table.column_names:
        return table
    column = table.column_names.index("guessable")
    return table.set_column(column, table.schema.field(column), _repeat(guessable, len(table)))


def _repeat(value: bool | None, count: int) -> Array:
    return pa.repeat(pa.scalar(value, pa.bool_()), count)


def to_table(records: Sequence[Any], kind: type[msgspec.Struct]) -> Table:
    """Return *records* of *kind*, a key of SCHEMAS, in their order, as a table."""
    schema = SCHEMAS[kind]
    return pa.Table.from_arrays([_column(records, field) for field in schema], schema=schema)


def records_from(table: Table, kind: type[T]) -> list[T]:
    """Return the records of *kind* in *table*, the inverse of to_table and matches_table."""
    return _read_records(kind, table.column)


def _column(rows: Sequence[Any], field: Any) -> Array:
    """Return the attribute of each of *rows* that has the name of *field*, as an array."""
    found = list(map(attrgetter(field.name), rows))
    if pa.types.is_list(field.type):
        return _nest(found, field.type)
    if _is_json(field.name, field.type):
        found = [None if value is None else to_json(value) for value in found]
    elif pa.types.is_struct(field.type):
        found = [value and msgspec.structs.asdict(value) for value in found]
    return pa.array(found, field.type)


def _nest(lists: list[list[Any]], kind: Any) -> Array:
    """Return *lists* as a list array; their elements are converted all at once, which is fast."""
    ends = pa.array(accumulate(map(len, lists), initial=0), pa.int32())
    flat, element = list(chain.from_iterable(lists)), kind.value_type
    if pa.types.is_struct(element):
        elements = pa.StructArray.from_arrays(
            [_column(flat, field) for field in element], fields=list(element)
        )
    else:
        elements = pa.array(flat, element)
    return pa.ListArray.from_arrays(ends, elements, type=kind)


def _read_records(kind: type[T], column: Callable[[str], Array]) -> list[T]:
    """Return records of *kind*; *column* returns the array of values of the field with a given name."""
    columns = [_read_field(column(field.name), field) for field in _fields(kind)]
    return [kind(*row) for row in zip(*columns, strict=True)]


def _read_field(array: Array, field: FieldInfo) -> list[Any]:
    """Return the values that *field* has in records, from the *array* in its column."""
    if _is_json(field.name, array.type):
        texts = read_values(array)
        # Nearly all matches of a run have the same options; each distinct text is parsed once.
        parsed = {text: text and msgspec.json.decode(text, type=field.type) for text in set(texts)}
        return [parsed[text] for text in texts]
    if pa.types.is_list(array.type):
        (element,) = get_args(field.type)
        if pa.types.is_struct(array.type.value_type):
            return _read_lists(array, lambda flat: _read_records(element, flat.field))
        return _read_lists(array, read_values)
    if pa.types.is_struct(array.type):
        return msgspec.convert(read_values(array), list[field.type])  # type: ignore[name-defined]
    return read_values(array)


def read_values(array: Array) -> list[Any]:
    """Return the values of an array as Python values, times in microseconds."""
    if array.null_count == len(array):
        return [None] * len(array)
    if pa.types.is_timestamp(array.type) or (pa.types.is_integer(array.type) and not array.null_count):
        array = array.cast(pa.int64())
    array = _combine_chunks(array)
    if array.type == pa.int64() and not array.null_count:  # straight from the buffer: a hundred times as fast
        numbers = memoryview(array.buffers()[1]).cast("q")
        return numbers[array.offset : array.offset + len(array)].tolist()
    return array.to_pylist()  # type: ignore[no-any-return]


def read_texts(array: Array) -> list[Any]:
    """Return the values of an array of texts with many repetitions; each distinct text is decoded once."""
    coded = _combine_chunks(array.dictionary_encode())
    meanings = [*coded.dictionary.to_pylist(), None]
    return [meanings[index] for index in read_values(coded.indices.fill_null(-1))]


def _read_lists(array: Array, of: Callable[[Array], list[Any]]) -> list[Any]:
    """Return a list array as lists; *of* converts all elements at once."""
    array = _combine_chunks(array)
    flat, ends = of(array.flatten()), accumulate(read_values(array.value_lengths()), initial=0)
    return [flat[start:end] for start, end in pairwise(ends)]


def _combine_chunks(array: Array) -> Array:
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def select_columns(columns: Iterable[str] | None) -> Schema:
    """Return the part of MATCHES that *columns* name, as `seats.rank`.  Raises KeyError for others."""
    if columns is None:
        return MATCHES
    wanted = set(columns)
    selected = []
    for field in MATCHES:
        parts = field.type.value_type if field.name == "seats" else ()
        inner = [part for part in parts if f"seats.{part.name}" in wanted]
        if field.name in wanted:
            selected.append(field)
        elif inner:
            selected.append(pa.field("seats", pa.list_(pa.struct(inner))))
        wanted -= {field.name, *(f"seats.{part.name}" for part in inner)}
    if wanted:
        raise KeyError(f"expected columns of matches, got: {', '.join(sorted(wanted))}")
    return pa.schema(selected, metadata=MATCHES.metadata)
