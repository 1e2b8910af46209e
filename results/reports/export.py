"""Export matches as flat rows for other programs: one row per match or one per seat."""

import re
from collections.abc import Collection, Iterable, Sequence
from io import BytesIO
from itertools import accumulate, chain, pairwise
from math import isfinite
from pathlib import Path
from typing import Any, Literal, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq

from results.errors import ResultsError
from results.record import Json, Usage
from results.reports.labels import Key
from results.storage.disk import temporary_path
from results.storage.schema import Table

MOST_ROWS = 1_048_576
"""The rows of a sheet, with that of the headings."""
LONGEST = 32_767
"""Characters: the longest text of a cell."""
EXACT = 10**15
"""A spreadsheet rounds whole numbers from here on, so these are written as texts."""


def workbook(heads: Sequence[str], rows: Iterable[Sequence[Json]], folder: Path | None = None) -> bytes:
    """Return a workbook with *rows* of texts, numbers, booleans and None below *heads*; a long text is cut.

    With a *folder*, rows wait there in place of memory.  Raises ResultsError if a sheet has no room for them.
    """
    import xlsxwriter  # of the extra `excel`

    file = BytesIO()
    waiting = {"constant_memory": True, "tmpdir": str(folder)} if folder else {"in_memory": True}
    book = xlsxwriter.Workbook(file, waiting)
    sheet = book.add_worksheet()
    for number, cells in enumerate(chain([heads], rows)):
        if number == MOST_ROWS:
            what = f"a sheet has room for {MOST_ROWS - 1:,} rows, and there are more"
            raise ResultsError(what, "write CSV or Parquet")
        for column, cell in enumerate(cells):
            if isinstance(cell, bool):
                sheet.write_boolean(number, column, cell)
            elif isinstance(cell, (int, float)) and isfinite(cell) and abs(cell) < EXACT:
                sheet.write_number(number, column, cell)
            elif cell is not None:
                sheet.write_string(number, column, str(cell)[:LONGEST])
    book.close()
    return file.getvalue()


READERS = {".parquet": "read_parquet", ".csv": "read_csv", ".xlsx": "read_excel"}
"""What reads the files that can be written, in pandas, by their suffixes."""

Per: TypeAlias = Literal["match", "seat"]

_OF_MATCH = (
    *("run", "number", "attempt", "block", "rotation", "game", "game_version"),
    *("paired", "sandbox", "guessable", "started"),
)
OF_USAGE = Usage.__struct_fields__
"""What a bot said that the match cost."""
_LAST = (*OF_USAGE, "remote")
"""These columns come last, because they are new; that of remote bots is there only where one played."""
_OF_SEAT = ("bot", "version", "name", "rank", "score", "fault", "fault_step", "decisions")


def flatten(matches: Table, per: Per, remote: Collection[Key] = ()) -> Table:
    """Return *matches*, with all columns of schema.MATCHES, as rows without nesting, times in milliseconds.

    *remote* are the bots on the machines of their authors.

    In a row per match, a seat column is text: the values in seat order, separated by spaces.  In a row per
    seat, `opponents` lists the bots at the other seats in the same way.
    """
    lists = matches.column("seats").combine_chunks()
    seats = lists.flatten()
    ends = _running_sums(pc.list_value_length(lists).to_pylist())
    own = _seat_columns(seats)
    keys = zip(own["bot"].to_pylist(), own["version"].to_pylist(), strict=True) if remote else ()
    if any(is_remote := [key in remote for key in keys]):
        own["remote"] = pa.array(is_remote)
    if per == "seat":
        return _per_seat(matches, own, ends)
    columns = {name: matches.column(name) for name in _OF_MATCH}
    columns["ms"] = _milliseconds(matches.column("duration_us"))
    columns["seats"] = pc.list_value_length(lists)
    for name, plural in (("bot", "bots"), ("version", "versions"), ("rank", "ranks"), ("score", "scores")):
        columns[plural] = _join(own[name], ends)
    columns["faults"] = _join(own["fault"], ends)
    columns["decisions"] = pa.array(
        [sum(part) for part in _split(own["decisions"].to_pylist(), ends)], pa.int64()
    )
    columns["moves"] = matches.column("moves")
    return pa.table(columns | {name: _join(own[name], ends) for name in _LAST if name in own})


def decision_columns() -> list[dict[str, str]]:
    """Return name, type and meaning of each column of decisions, as the page of results tells them."""
    page = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
    lines = page.partition("\n### Decisions\n")[2].partition("\n#")[0].splitlines()
    cells = (re.split(r" *\| *", line.replace("`", "")) for line in lines if line.startswith("| `"))
    return [{"name": name, "type": kind, "about": about} for _, name, kind, about, _ in cells]


def write(table: Table, path: Path) -> None:
    """Write *table* by the suffix of *path*, else ValueError; ResultsError if it is too long for a sheet."""
    name = temporary_path(path)
    try:
        if path.suffix == ".parquet":
            pq.write_table(table, str(name), compression="zstd", write_page_checksum=True)
        elif path.suffix == ".csv":
            pyarrow.csv.write_csv(table, str(name))
        elif path.suffix == ".xlsx":
            started = table.schema.get_field_index("started")
            table = table.set_column(started, "started", table.column(started).cast(pa.string()))  # as in CSV
            parts = (batch.to_pydict().values() for batch in table.to_batches(10_000))
            rows = chain.from_iterable(zip(*part, strict=True) for part in parts)
            name.write_bytes(workbook(table.column_names, rows, path.parent))
        else:
            raise ValueError(f"expected a file name that ends in {', '.join(READERS)}, got: {path.name!r}")
        name.replace(path)
    finally:
        name.unlink(missing_ok=True)  # it still exists after an error only


def _seat_columns(seats: Any) -> dict[str, Any]:
    columns = {name: seats.field(name) for name in _OF_SEAT}
    think = seats.field("think_us")
    values = think.flatten().to_pylist()
    sums = [sum(part) for part in _split(values, _running_sums(pc.list_value_length(think).to_pylist()))]
    columns["think_ms"] = _milliseconds(pa.array(sums, pa.int64()))
    columns["cpu_ms"] = _milliseconds(seats.field("cpu_us"))
    return columns | {name: pc.struct_field(seats.field("usage"), name) for name in OF_USAGE}


def _per_seat(matches: Table, own: dict[str, Any], ends: list[int]) -> Table:
    sizes = [len(part) for part in _split(range(ends[-1]), ends)]
    of = pa.array(chain.from_iterable([row] * size for row, size in enumerate(sizes)), pa.int64())
    columns = {name: matches.column(name).take(of) for name in _OF_MATCH}
    columns["seats"] = pa.array(sizes, pa.int32()).take(of)
    columns["seat"] = pa.array(chain.from_iterable(map(range, sizes)), pa.int32())
    bots = _split(own["bot"].to_pylist(), ends)
    others = [" ".join(part[:seat] + part[seat + 1 :]) for part in bots for seat in range(len(part))]
    last = {name: own.pop(name) for name in _LAST if name in own}
    return pa.table({**columns, **own, "opponents": pa.array(others, pa.string()), **last})


def _join(values: Any, ends: list[int]) -> Any:
    texts = ["-" if value is None else str(value) for value in values.to_pylist()]
    return pa.array([" ".join(part) for part in _split(texts, ends)], pa.string())


def _milliseconds(microseconds: Any) -> Any:
    return pc.divide(pc.cast(microseconds, pa.float64()), 1000.0)


def _running_sums(lengths: list[int]) -> list[int]:
    return [0, *accumulate(lengths)]


def _split(values: Any, ends: list[int]) -> list[Any]:
    return [values[start:end] for start, end in pairwise(ends)]
