"""Print rows as a table, JSON, CSV or Markdown."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from results.record import Json

__all__ = ["Cell", "Column", "Row", "escape", "render"]

Format: TypeAlias = Literal["table", "json", "csv", "md"]
Row: TypeAlias = dict[str, Json]
Cell: TypeAlias = Callable[[Any], str]


@dataclass(frozen=True, slots=True)
class Column:
    """The heading and format of the values under one key of the rows."""

    key: str
    title: str
    cell: Cell = str
    right: bool = False
    always: bool = True
    """Whether tables show the column even if no row has a value."""


def escape(text: str) -> str:
    """Return *text* on one line with non-printable characters escaped, so it cannot command a terminal."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def render(rows: Sequence[Row], columns: Sequence[Column], form: Format) -> str:
    """Return *rows* as text that ends in a newline.

    JSON and CSV have every column and full numbers; tables leave out empty columns that are not `always`.
    """
    if form == "json":
        keys = [column.key for column in columns]
        return json.dumps([{key: row[key] for key in keys} for row in rows], indent=2) + "\n"
    if form == "csv":
        return _csv(rows, columns)
    shown = [c for c in columns if c.always or any(row[c.key] is not None for row in rows)]
    cells = [[_cell(row[c.key], c.cell) for c in shown] for row in rows]
    return _tabulate(cells, shown, markdown=form == "md") + "\n"


def _csv(rows: Sequence[Row], columns: Sequence[Column]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([column.key for column in columns])
    for row in rows:
        values = [(row[column.key], column.cell) for column in columns]
        writer.writerow([_cell(v, cell) if isinstance(v, (str, dict, list)) else v for v, cell in values])
    return out.getvalue()


def _cell(value: Json, cell: Cell) -> str:
    return "" if value is None else escape(cell(value))


def _tabulate(cells: list[list[str]], columns: Sequence[Column], *, markdown: bool) -> str:
    from tabulate import tabulate

    if markdown:
        cells = [[cell.replace("\\", "\\\\").replace("|", "\\|") for cell in row] for row in cells]
    return tabulate(
        cells,
        headers=[column.title for column in columns],
        tablefmt="github" if markdown else "simple",
        disable_numparse=True,
        colalign=["right" if column.right else "left" for column in columns] if cells else None,
    )
