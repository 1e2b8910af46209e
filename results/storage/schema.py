"""The columns of the Parquet files, and the conversion of records to tables and back.

The metadata of every file names the format, 1, and the kind of rows (`ladder.format`, `ladder.table`).
Nested values without columns of their own (options, deals, settings) are stored as canonical JSON text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, chain, pairwise
from operator import attrgetter
from typing import Any, TypeAlias

import msgspec
import pyarrow as pa

from results.record import Fault, Json, Match, Note, Run, RunSettings, Season, Seat, Usage

__all__ = [
    "FAULTS",
    "FORMAT",
    "MATCHES",
    "OPTIONAL_COLUMNS",
    "OPTIONAL_FIELDS",
    "PAIRS",
    "RATINGS",
    "RUNS",
    "SEASONS",
    "Schema",
    "Table",
    "faults_from",
    "faults_table",
    "matches_from",
    "matches_table",
    "read_texts",
    "read_values",
    "runs_from",
    "runs_table",
    "seasons_from",
    "seasons_table",
    "select_columns",
    "set_guessable",
    "to_json",
]

# Columns are only added, and then are null where a file is older, so one format has served all versions: data
# tools and older homes need no conversion.
FORMAT = 1

Table: TypeAlias = Any
"""A pyarrow.Table: pyarrow ships no types."""
Array: TypeAlias = Any
Schema: TypeAlias = Any

_TIME = pa.timestamp("us", tz="UTC")
_NOTE = pa.struct([("step", pa.int32()), ("text", pa.string())])
_USAGE = pa.struct([("input_tokens", pa.int64()), ("output_tokens", pa.int64()), ("cost_usd", pa.float64())])
_SEAT = pa.struct(
    [
        ("bot", pa.string()),
        ("version", pa.string()),
        ("name", pa.string()),
        ("rank", pa.int32()),
        ("score", pa.int64()),
        ("fault", pa.string()),
        ("fault_step", pa.int32()),
        ("decisions", pa.int64()),
        ("think_us", pa.list_(pa.int64())),
        ("busy_us", pa.list_(pa.int64())),
        ("outside_us", pa.int64()),
        ("cpu_us", pa.int64()),
        ("notes", pa.list_(_NOTE)),
        ("usage", _USAGE),
        ("memory_bytes", pa.int64()),
    ]
)


def _schema(table: str, columns: Sequence[tuple[str, Any]]) -> Schema:
    return pa.schema(columns, metadata={"ladder.format": str(FORMAT), "ladder.table": table})


MATCHES: Schema = _schema(
    "matches",
    [
        ("run", pa.int32()),
        ("number", pa.int64()),
        ("attempt", pa.int32()),
        ("block", pa.int64()),
        ("rotation", pa.int32()),
        ("game", pa.string()),
        ("game_version", pa.int32()),
        ("options", pa.string()),
        ("deal_seed", pa.string()),
        ("deal_digest", pa.string()),
        ("deal", pa.string()),
        ("moves", pa.string()),
        ("seats", pa.list_(_SEAT)),
        ("void", pa.bool_()),
        ("paired", pa.bool_()),
        ("sandbox", pa.string()),
        ("started", _TIME),
        ("duration_us", pa.int64()),
        ("guessable", pa.bool_()),
        ("luck", pa.int32()),
    ],
)
"""One row per match, void attempts included.

`guessable` comes from the run, not from the record of a match; it, `luck` and the seats' `memory_bytes` are
null in files older than the columns.
"""

FAULTS: Schema = _schema(
    "faults",
    [
        ("run", pa.int32()),
        ("number", pa.int64()),
        ("attempt", pa.int32()),
        ("seat", pa.int32()),
        ("bot", pa.string()),
        ("version", pa.string()),
        ("kind", pa.string()),
        ("step", pa.int32()),
        ("charged", pa.bool_()),
        ("reason", pa.string()),
        ("request", pa.string()),
        ("choice", pa.string()),
        ("answer", pa.string()),
        ("elapsed_us", pa.int64()),
        ("limit_us", pa.int64()),
        ("exit_status", pa.int32()),
        ("stderr", pa.string()),
        ("lapse", pa.string()),
    ],
)
"""One row per fault; `lapse` is null in files older than the column."""

RUNS: Schema = _schema(
    "runs",
    [
        ("run", pa.int32()),
        ("secret", pa.string()),
        ("settings", pa.string()),
        ("bots", pa.string()),
        ("ratings", pa.string()),
        ("versions", pa.string()),
        ("host", pa.string()),
        ("started", _TIME),
        ("finished", _TIME),
        ("blocks", pa.int64()),
    ],
)
"""One row per run."""

SEASONS: Schema = _schema(
    "seasons",
    [
        ("name", pa.string()),
        ("first_run", pa.int32()),
        ("started", _TIME),
    ],
)
"""One row per season that was begun, in order."""

RATINGS: Schema = _schema(
    "ratings",
    [
        ("game", pa.string()),
        ("bot", pa.string()),
        ("version", pa.string()),
        ("mu", pa.float64()),
        ("sigma", pa.float64()),
        ("matches", pa.int64()),
        ("wins", pa.int64()),
        ("draws", pa.int64()),
        ("losses", pa.int64()),
        ("rank_sum", pa.int64()),
        ("rank_squares", pa.int64()),
        ("scored", pa.int64()),
        ("score_sum", pa.int64()),
        ("faults", pa.map_(pa.string(), pa.int64())),
        ("decisions", pa.int64()),
        ("think_us", pa.int64()),
        ("cpu_us", pa.int64()),
        ("through_run", pa.int32()),
        ("through_match", pa.int64()),
    ],
)
"""One row per standing, which is a bot's version in a game."""

PAIRS: Schema = _schema(
    "pairs",
    [
        ("game", pa.string()),
        ("a", pa.string()),
        ("a_version", pa.string()),
        ("b", pa.string()),
        ("b_version", pa.string()),
        ("difference", pa.float64()),
        ("se", pa.float64()),
        ("p_above", pa.float64()),
    ],
)
"""One row per two bots of a game."""

_canonical = msgspec.json.Encoder(order="deterministic").encode
_parse = msgspec.json.Decoder().decode


def to_json(value: Json) -> str:
    """Return *value* as canonical JSON: sorted keys, no spaces."""
    return _canonical(value).decode()


# --- matches

_PLAIN_SEAT = (
    "bot",
    "version",
    "name",
    "rank",
    "score",
    "fault",
    "fault_step",
    "decisions",
    "outside_us",
    "cpu_us",
    "memory_bytes",
)


OPTIONAL_COLUMNS = frozenset({"guessable", "lapse", "luck", "rank_squares"})
"""Columns that older files of this format do not have."""
OPTIONAL_FIELDS = frozenset({"memory_bytes"})
"""Fields of seats that older files of this format do not have."""


def matches_table(
    matches: Sequence[Match], schema: Schema = MATCHES, *, guessable: bool | None = None
) -> Table:
    """Return *matches*, in their order, as a table of *schema*: MATCHES, or a part from select_columns.

    *guessable* says whether the secret of their run is.
    """
    columns = [
        _repeat(guessable, len(matches)) if field.name == "guessable" else _column(matches, field)
        for field in schema
    ]
    return pa.Table.from_arrays(columns, schema=schema)


def set_guessable(table: Table, guessable: bool | None) -> Table:
    """Return the *table* of one run's matches with its column `guessable` set, if it has one.

    A *guessable* of None changes nothing.
    """
    if guessable is None or "guessable" not in table.column_names:
        return table
    column = table.column_names.index("guessable")
    return table.set_column(column, table.schema.field(column), _repeat(guessable, len(table)))


def _repeat(value: bool | None, count: int) -> Array:
    return pa.repeat(pa.scalar(value, pa.bool_()), count)


def _column(rows: Sequence[Any], field: Any) -> Array:
    """Return the attribute of each of *rows* that has the name of *field*, as an array."""
    found = list(map(attrgetter(field.name), rows))
    if pa.types.is_list(field.type):
        return _nest(found, field.type)
    if field.name in ("options", "deal"):
        found = [None if value is None else to_json(value) for value in found]
    elif field.name == "usage":
        found = [usage and msgspec.structs.asdict(usage) for usage in found]
    return pa.array(found, field.type)


def _nest(lists: list[list[Any]], kind: Any) -> Array:
    """Return *lists* as a list array; their elements are converted all at once, which is fast."""
    ends = pa.array(accumulate(map(len, lists), initial=0), pa.int32())
    flat, fields = list(chain.from_iterable(lists)), kind.value_type
    if pa.types.is_struct(fields):
        elements = pa.StructArray.from_arrays([_column(flat, field) for field in fields], fields=list(fields))
    else:
        elements = pa.array(flat, fields)
    return pa.ListArray.from_arrays(ends, elements, type=kind)


def matches_from(table: Table) -> list[Match]:
    """Return the matches in *table*, the inverse of matches_table."""
    columns = {name: read_values(table.column(name)) for name in Match.__struct_fields__ if name != "seats"}
    # Nearly all matches of a run have the same options; each distinct text is parsed once.
    options = {text: _parse(text) for text in set(columns["options"])}
    columns["options"] = [options[text] for text in columns["options"]]
    columns["deal"] = [None if text is None else _parse(text) for text in columns["deal"]]
    columns["seats"] = _read_lists(table.column("seats"), _read_seats)
    ordered = [columns[name] for name in Match.__struct_fields__]
    return [Match(*row) for row in zip(*ordered, strict=True)]


def _read_seats(flat: Array) -> list[Seat]:
    columns = {name: read_values(flat.field(name)) for name in _PLAIN_SEAT}
    for name in ("think_us", "busy_us"):
        columns[name] = _read_lists(flat.field(name), read_values)
    columns["notes"] = _read_lists(flat.field("notes"), _read_notes)
    columns["usage"] = [usage and Usage(**usage) for usage in read_values(flat.field("usage"))]
    ordered = [columns[name] for name in Seat.__struct_fields__]
    return [Seat(*row) for row in zip(*ordered, strict=True)]


def _read_notes(flat: Array) -> list[Note]:
    steps, texts = (read_values(flat.field(field.name)) for field in _NOTE)
    return [Note(step, text) for step, text in zip(steps, texts, strict=True)]


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
    """Return the part of the schema MATCHES that *columns* name; `seats.rank` is one field of the seats.

    Raises KeyError for an unknown column.
    """
    if columns is None:
        return MATCHES
    wanted = set(columns)
    fields = []
    for field in MATCHES:
        inner = [part for part in _SEAT if field.name == "seats" and f"seats.{part.name}" in wanted]
        if field.name in wanted:
            fields.append(field)
        elif inner:
            fields.append(pa.field("seats", pa.list_(pa.struct(inner))))
        wanted -= {field.name, *(f"seats.{part.name}" for part in inner)}
    if wanted:
        raise KeyError(f"expected columns of matches, got: {', '.join(sorted(wanted))}")
    return pa.schema(fields, metadata=MATCHES.metadata)


# --- faults and runs: there are few rows, so speed does not matter


def faults_table(faults: Sequence[Fault]) -> Table:
    """Return *faults*, in their order, as a table of the schema FAULTS."""
    return pa.Table.from_arrays([_column(faults, field) for field in FAULTS], schema=FAULTS)


def faults_from(table: Table) -> list[Fault]:
    """Return the faults in *table*, the inverse of faults_table."""
    columns = [read_values(table.column(name)) for name in Fault.__struct_fields__]
    return [Fault(*row) for row in zip(*columns, strict=True)]


_RUN_JSON = ("settings", "bots", "ratings", "versions")
_parse_settings = msgspec.json.Decoder(RunSettings).decode


def runs_table(runs: Sequence[Run]) -> Table:
    """Return *runs*, in their order, as a table of the schema RUNS."""
    rows = [msgspec.structs.asdict(run) for run in runs]
    for row in rows:
        row.update({name: to_json(msgspec.to_builtins(row[name])) for name in _RUN_JSON})
    return pa.Table.from_pylist(rows, schema=RUNS)


def runs_from(table: Table) -> list[Run]:
    """Return the runs in *table*, the inverse of runs_table."""
    columns = {name: read_values(table.column(name)) for name in RUNS.names}
    for name in _RUN_JSON:
        parse = _parse_settings if name == "settings" else _parse
        columns[name] = [parse(text) for text in columns[name]]
    ordered = [columns[name] for name in Run.__struct_fields__]
    return [Run(*row) for row in zip(*ordered, strict=True)]


def seasons_table(seasons: Sequence[Season]) -> Table:
    """Return *seasons*, in their order, as a table of the schema SEASONS."""
    return pa.Table.from_pylist([msgspec.structs.asdict(season) for season in seasons], schema=SEASONS)


def seasons_from(table: Table) -> list[Season]:
    """Return the seasons in *table*, the inverse of seasons_table."""
    columns = [read_values(table.column(name)) for name in Season.__struct_fields__]
    return [Season(*row) for row in zip(*columns, strict=True)]
