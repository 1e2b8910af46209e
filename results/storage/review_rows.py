"""The rows of reviews, rounded to be small: made, written, read.  A file has a match once, all together."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from results.record import Json
from results.reviewed import ReviewedStep, ReviewKey
from results.storage import parquet
from results.storage.names import Names, rename_rows
from results.storage.schema import REVIEWS, Schema, Table, to_table

MatchName = tuple[int, int]
"""The run and the number of a match."""

GROUP_ROWS = 50_000
"""The approximate number of rows in one group: some hundred matches share its dictionaries."""
LEVEL = 15
"""How hard rows are compressed: it takes longer than at level 1, and an eighth less room."""
ORDER = ("run", "number", "seat", "step")
"""How rows are stored: what a seat may expect changes little from step to step."""
KEY = ("run", "number", "judge", "match_digest", "quick", "account")
ROUND_TO = {
    "loss": 0.001,
    "loss_se": 0.001,
    "points": 0.02,
    "points_se": 0.05,
    "chance_seen": 0.01,
    "chance_open": 0.01,
    "luck": 0.0005,
    "luck_se": 0.001,
    "own": 0.0005,
    "own_se": 0.001,
    "others": 0.0005,
    "hidden": 0.0005,
    "given": 0.002,
    "rest": 0.002,
}
"""Values are multiples of this, so that a group has few distinct ones; their errors are larger.  The terms of
an account stand in one row in a hundred: they add up as well as they can be printed."""
LOOKED_UP = ["number"]
"""The columns of which a group says what lies in it: a reader of one match skips others."""


# -- making


def review_table(rows: Sequence[ReviewedStep]) -> Table:
    """Return *rows* as they are stored.  Raises ValueError unless each match has one review."""
    table = to_table(rows, ReviewedStep)
    keys = table.select(KEY).group_by(KEY, use_threads=False).aggregate([])
    names = [*zip(*(keys.column(name).to_pylist() for name in ("run", "number")), strict=True)]
    places = table.group_by(ORDER, use_threads=False).aggregate([])
    if len(set(names)) < len(names) or len(places) < len(table):
        raise ValueError("expected one review of each match, got two of the same match or row")
    return sort_rows(_round_values(table))


def _round_values(table: Table) -> Table:
    """Return *table* with rounded chances, losses and points."""
    for place, field in enumerate(table.schema):
        if pa.types.is_floating(field.type):
            exact = pc.cast(table.column(place), pa.float64())
            rounded = pc.round_to_multiple(exact, ROUND_TO[field.name])
            rounded = pc.add(rounded, 0.0)  # no -0.0
            table = table.set_column(place, field, pc.cast(rounded, field.type))
    return table


def sort_rows(table: Table) -> Table:
    """Return *table* in the order of storage."""
    return table.sort_by([(name, "ascending") for name in ORDER])


def with_run(table: Table, run: int) -> Table:
    """Return *table* with another number of its run."""
    place = table.schema.get_field_index("run")
    return table.set_column(place, "run", pa.repeat(pa.scalar(run, pa.int32()), len(table)))


def encode_rows(tables: Iterable[Table]) -> bytes:
    """Return *tables* as the bytes of one file."""
    # texts that hardly ever come again need no dictionary
    repeated = [name for name in REVIEWS.names if name not in ("promised", "why")]
    return parquet.encode_sealed(
        tables,
        REVIEWS,
        GROUP_ROWS,
        compression_level=LEVEL,
        use_dictionary=repeated,
        write_statistics=LOOKED_UP,
    )


# -- reading


def choose_columns(columns: Iterable[str] | None) -> Schema:
    """Return the part of the schema REVIEWS that *columns* name.  Raises KeyError for an unknown column."""
    if columns is None:
        return REVIEWS
    if unknown := set(columns := [*columns]) - {*REVIEWS.names}:
        raise KeyError(f"expected columns of reviews, got: {', '.join(sorted(unknown))}")
    return pa.schema([REVIEWS.field(name) for name in columns], metadata=REVIEWS.metadata)


def check_file(path: Path) -> None:
    """Raise DamagedResults if the file at *path* is not as it was written; NewerFormat, FileNotFoundError."""
    parquet.check_sealed(path, REVIEWS)


def read_rows(
    path: Path, wanted: Schema, run: int | None = None, number: int | None = None
) -> Iterator[Table]:
    """Yield the rows of the file at *path*, of one *run* or *number* if named, with the columns *wanted*.

    Raises DamagedResults, NewerFormat or FileNotFoundError.
    """
    for part in parquet.read_parts(path, wanted, () if number is None else (number,)):
        for name, value in (("run", run), ("number", number)):
            if value is not None:
                part = part.filter(pc.equal(part.column(name), value))
        if len(part):
            yield part


def keys_in(path: Path) -> dict[MatchName, ReviewKey]:
    found = {}
    for part in read_rows(path, choose_columns(KEY)):
        found.update(keys_of(part))
    return found


def keys_of(part: Table) -> dict[MatchName, ReviewKey]:
    """Return the reviews in *part*, by match, the rows of which are together."""
    rows = _first_rows(part.select(KEY))
    keys = (ReviewKey(*values) for values in zip(*(c.to_pylist() for c in rows.columns), strict=True))
    return {(key.run, key.number): key for key in keys}


def _first_rows(part: Table) -> Table:
    if len(part) < 2:
        return part
    changes = [
        pc.not_equal(column.slice(1), column.slice(0, len(part) - 1))
        for column in (part.column(name).combine_chunks() for name in ("run", "number"))
    ]
    begins = pa.concat_arrays([pa.array([True]), pc.or_(*changes)])
    return part.filter(begins)


def rows_without(part: Table, matches: Collection[MatchName]) -> Table:
    """Return the rows of *part* that do not belong to *matches*."""
    return part.filter(pc.invert(_belongs(part, matches))) if matches else part


def _belongs(part: Table, matches: Collection[MatchName]) -> Json:
    by_run: dict[int, list[int]] = {}
    for run, number in matches:
        by_run.setdefault(run, []).append(number)
    found = pa.repeat(pa.scalar(False), len(part))
    for run in pc.unique(part.column("run")).to_pylist():
        numbers = pa.array(by_run.get(run, ()), pa.int64())
        here = pc.and_(pc.equal(part.column("run"), run), pc.is_in(part.column("number"), value_set=numbers))
        found = pc.or_(found, here)
    return found


def join_rows(parts: Sequence[Table], wanted: Schema, columns: Iterable[str], names: Names) -> Table:
    """Return *parts* as one table with *columns*, by match, step and seat, under the *names* of today."""
    table = pa.concat_tables(parts) if parts else wanted.empty_table()
    table = table.sort_by([(name, "ascending") for name in ("run", "number", "step", "seat")])
    return with_names(table.select([*columns]), names)


def with_names(table: Table, names: Names) -> Table:
    """Return *table* under the *names* of today."""
    if not names:
        return table
    # the seats of a match are a list of theirs, the seats here are their number
    place = table.schema.get_field_index("bot")
    return (
        table if place < 0 else table.set_column(place, "bot", rename_rows(table.select(["bot"]), names)[0])
    )
