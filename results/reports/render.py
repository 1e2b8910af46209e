"""Write rows as a table, JSON, CSV or Markdown."""

import csv
import io
import json
from collections.abc import Sequence
from functools import partial
from textwrap import TextWrapper
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from results.record import Json
from results.reports.document import BotRef, Column, Divider, Row
from results.reports.labels import Numbers
from results.reports.values_as_text import (
    UNSEEN,
    Label,
    escape,
    label_refs,
    plain_markdown,
    refs_in,
    write,
    write_in_markdown,
)
from results.storage.arrow import Table, pa

Format: TypeAlias = Literal["table", "json", "csv", "md"]

DRAWN = 40
"""Characters: the width of a column that is drawn, where no terminal says how much room there is."""
WIDTH = 80
"""Characters: a table is no wider, where no terminal says how much room there is, if lines can be folded."""
FOLDED = 24
"""The least width of a column whose lines are folded."""
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""A spreadsheet computes a cell of CSV that begins with one of these; the last four are full-width."""
HEADINGS = 2
"""The lines above the first row of a table: the titles and a rule."""


def escape_json(text: str) -> str:
    """Return JSON with unseen signs escaped, which are in strings alone: it cannot command a terminal."""
    return UNSEEN.sub(lambda found: json.dumps(found[0])[1:-1].replace("\x7f", "\\u007f"), text)


def json_text(value: Json) -> str:
    """Return *value* as JSON in lines, for programs."""
    return escape_json(json.dumps(value, indent=2))


def render(
    rows: Sequence[Row],
    columns: Sequence[Column],
    form: Format,
    dividers: Sequence[Divider] = (),
    numbers: Numbers = MappingProxyType({}),
) -> str:
    """Return *rows* as text that ends in a newline; a table has the *dividers* between its rows.

    *numbers* are those of the home: a bot is told apart by them from others of its name in the table.
    JSON and CSV have every column and full numbers; CSV has nested values as JSON, and an apostrophe before
    text that a spreadsheet would compute.  Tables leave out empty columns that are not `always`.
    """
    if form == "json":
        keys = [column.key for column in columns]
        return json_text([{key: row[key] for key in keys} for row in rows]) + "\n"
    if form == "csv":
        return _csv(rows, columns)
    cells = write_cells(rows, [column for column in columns if not column.extra], numbers, form, DRAWN)
    shown, drawn = [*cells], [*cells.values()]
    if form == "table":
        drawn = _fold(drawn, shown)
    lines = _tabulate([*zip(*drawn, strict=True)], shown, markdown=form == "md")
    for at, divider in enumerate(dividers if form == "table" else ()):
        lines.insert(HEADINGS + divider.row + at, divider.text)
    return "\n".join(lines) + "\n"


def table_of(rows: Sequence[Row], columns: Sequence[Column]) -> Table:
    """Return *rows* as a pyarrow table, with all *columns* as JSON has them."""
    return pa.table({column.key: pa.array([row[column.key] for row in rows]) for column in columns})


def write_cells(
    rows: Sequence[Row], columns: Sequence[Column], numbers: Numbers, form: Format, width: int
) -> dict[Column, list[str]]:
    """Return the cells for people, without columns that have none; drawn ones are *width* characters wide."""
    found = {}
    values = {column: [_value(row, column) for row in rows] for column in columns}
    refs = [each for of in values.values() for value in of for each in refs_in(value)]
    label = label_refs(refs, numbers)
    if form == "table":
        label = partial(_with_handle, label)
    for column, of in values.items():
        if column.always or any(value is not None for value in of):
            found[column] = _draw(of, column, width) or [_cell(value, column, label, form) for value in of]
    return found


def _with_handle(label: Label, ref: BotRef) -> str:
    """Return the label of a bot, and behind it the handle that one types, if that is another."""
    told = label(ref)
    return told if told.startswith(ref.bot) or told.endswith(f"({ref.bot})") else f"{told} ({ref.bot})"


def _value(row: Row, column: Column) -> Any:
    return column.kind(row) if column.kind else row[column.key]


def _draw(values: Sequence[Any], column: Column, width: int) -> list[str]:
    return column.draw(values, width) if column.draw else []


def draw_again(rows: Sequence[Row], column: Column, width: int) -> list[str]:
    """Return the cells of a *column* that is drawn, in another *width*."""
    return _draw([_value(row, column) for row in rows], column, width)


def _cell(value: Any, column: Column, label: Label, form: Format) -> str:
    if value is None:
        return ""
    if not column.kind:
        text = escape(column.cell(value))
        return plain_markdown(text) if form == "md" else text
    return (write_in_markdown if form == "md" else write)(value, label)


def _fold(cells: Sequence[list[str]], columns: Sequence[Column]) -> list[list[str]]:
    """Return *cells*, a list for each column, with the prose in lines between words."""
    widths = [max(map(len, [column.title, *drawn])) + 2 for column, drawn in zip(columns, cells, strict=True)]
    room = WIDTH + 2 - sum(width for width, column in zip(widths, columns, strict=True) if not column.fold)
    fold = TextWrapper(max(FOLDED, room - 2), break_long_words=False, break_on_hyphens=False).fill
    return [
        [*map(fold, drawn)] if column.fold else drawn for column, drawn in zip(columns, cells, strict=True)
    ]


def _csv(rows: Sequence[Row], columns: Sequence[Column]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([column.key for column in columns])
    for row in rows:
        values = [row[column.key] for column in columns]
        writer.writerow(map(_guard, plain_cells(row, columns), values))
    return out.getvalue()


def _guard(cell: Json, value: Json) -> Json:
    return f"'{cell}" if isinstance(value, str) and value.startswith(FORMULA) else cell


def plain_cells(row: Row, columns: Sequence[Column]) -> list[Json]:
    """Return the values of *row* as CSV and workbooks have them: texts in one line, numbers, no nesting."""
    values = [(row[column.key], column.flat) for column in columns]
    return [_plain(flat(value) if flat and value is not None else value) for value, flat in values]


def _plain(value: Json) -> Json:
    if isinstance(value, str):
        return escape(value)
    return escape_json(json.dumps(value)) if isinstance(value, (dict, list, tuple)) else value


def _is_simple(lines: Sequence[Sequence[str]]) -> bool:
    """Return whether every character of *lines* takes one column, and every cell one line."""
    return all(cell.isascii() and cell.isprintable() for line in lines for cell in line)


def _lay_out(cells: Sequence[Sequence[str]], columns: Sequence[Column]) -> list[str]:
    """Return the lines that tabulate would return; it takes longer to load than most commands need."""
    titles = [column.title for column in columns]
    widths = [max(map(len, column)) for column in zip(titles, *cells, strict=True)]
    lines = [
        "  ".join(
            cell.rjust(width) if column.right else cell.ljust(width)
            for cell, width, column in zip(line, widths, columns, strict=True)
        ).rstrip()
        for line in (titles, ["-" * width for width in widths], *cells)
    ]
    return "\n".join(lines).splitlines()


def _tabulate(cells: Sequence[Sequence[str]], columns: Sequence[Column], *, markdown: bool) -> list[str]:
    """Return the lines of a table: two for the headings, then one for each row of *cells*."""
    if cells and not markdown and _is_simple([[column.title for column in columns], *cells]):
        return _lay_out(cells, columns)
    import tabulate

    tabulate.MIN_PADDING = 0  # else it makes each column two wider than its title
    if markdown:
        cells = [[cell.replace("|", "\\|") for cell in row] for row in cells]
    table = tabulate.tabulate(
        cells,
        headers=[column.title for column in columns],
        tablefmt="pipe" if markdown else "simple",
        disable_numparse=True,
        preserve_whitespace=True,  # bars begin with spaces
        colalign=["right" if column.right else "left" for column in columns] if cells else None,
    )
    return [line.rstrip() for line in table.splitlines()]
