"""Print rows as a table, JSON, CSV or Markdown."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from textwrap import TextWrapper
from typing import Any, Literal, TypeAlias

from results.record import Json

Format: TypeAlias = Literal["table", "json", "csv", "md"]
Row: TypeAlias = dict[str, Json]
Cell: TypeAlias = Callable[[Any], str]
Draw: TypeAlias = Callable[[Sequence[Any], int], list[str]]
"""Turns the values of a column into cells of a given width."""

DRAWN = 40
"""Characters: the width of a column that is drawn, where no terminal says how much room there is."""
WIDTH = 80
"""Characters: a table is no wider, where no terminal says how much room there is, if lines can be folded."""
FOLDED = 24
"""The least width of a column whose lines are folded."""
MARKUP = re.compile(r"[\\|<\[]")
"""What ends a cell, or begins a link, an image or HTML in Markdown: bots write some of the cells."""
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""A spreadsheet computes a cell of CSV that begins with one of these; the last four are full-width."""
UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]"
)
"""What cannot be seen, or changes how its neighbours are shown.

Control characters except tab and newline, marks of direction (Unicode TR 9), soft hyphens, fillers, variation
selectors, tags, and half characters.
"""
HEADINGS = 2
"""The lines above the first row of a table: the titles and a rule."""


@dataclass(frozen=True, slots=True)
class Column:
    """The heading and format of the values under one key of the rows."""

    key: str
    title: str
    cell: Cell = str
    right: bool = False
    always: bool = True
    """Whether tables show the column even if no row has a value."""
    extra: bool = False
    """Whether only wide terminals show the column, and other tables do not."""
    draw: Draw | None = None
    """Draws all cells at once, such as bars on a common axis, instead of `cell`."""
    fold: bool = False
    """Whether a cell may take several lines in a table that is not on a terminal."""
    flat: Cell | None = None
    """Tells a nested value in CSV and workbooks, in place of JSON."""


GAME = Column("game", "game")
"""The first column of each list for programs, where every row names its game."""


@dataclass(frozen=True, slots=True)
class Divider:
    """A line of text between the rows of a table."""

    row: int
    """The index of the row that follows."""
    text: str


def digits(count: int) -> Cell:
    """Return a format of numbers with *count* decimals."""
    return lambda value: f"{value:.{count}f}"


def escape(text: str) -> str:
    """Return *text* on one line with non-printable characters escaped, so it cannot command a terminal."""
    if not text.isprintable():
        text = "".join(char if char.isprintable() else _escape(char) for char in text)
    return text if text.isascii() else UNSEEN.sub(lambda found: _escape(found[0]), text)


def _escape(char: str) -> str:
    return char.encode("unicode_escape", "surrogatepass").decode()


def escape_json(text: str) -> str:
    """Return the JSON *text* with what cannot be seen escaped, so that it cannot command a terminal.

    Outside of strings JSON has nothing of this kind, so its meaning is the same.
    """
    return UNSEEN.sub(lambda found: json.dumps(found[0])[1:-1].replace("\x7f", "\\u007f"), text)


def json_text(value: Json) -> str:
    """Return *value* as JSON in lines, for programs."""
    return escape_json(json.dumps(value, indent=2))


def render(
    rows: Sequence[Row], columns: Sequence[Column], form: Format, divider: Divider | None = None
) -> str:
    """Return *rows* as text that ends in a newline; a table has the *divider* between its rows.

    JSON and CSV have every column and full numbers; CSV has nested values as JSON, and an apostrophe before
    text that a spreadsheet would compute.  Tables leave out empty columns that are not `always`.
    """
    if form == "json":
        keys = [column.key for column in columns]
        return json_text([{key: row[key] for key in keys} for row in rows]) + "\n"
    if form == "csv":
        return _csv(rows, columns)
    shown = [c for c in columns if not c.extra and (c.always or any(row[c.key] is not None for row in rows))]
    drawn = [draw_cells([row[c.key] for row in rows], c, DRAWN) for c in shown]
    if form == "table":
        drawn = _fold(drawn, shown)
    lines = _tabulate([*zip(*drawn, strict=True)], shown, markdown=form == "md")
    if divider and form == "table":
        lines.insert(HEADINGS + divider.row, divider.text)
    return "\n".join(lines) + "\n"


def draw_cells(values: Sequence[Json], column: Column, width: int) -> list[str]:
    """Return the cells of a *column* for people; drawn ones are *width* characters wide."""
    if column.draw:
        return column.draw(values, width)
    return ["" if value is None else escape(column.cell(value)) for value in values]


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
        cells = [[MARKUP.sub(r"\\\g<0>", cell) for cell in row] for row in cells]
    table = tabulate.tabulate(
        cells,
        headers=[column.title for column in columns],
        tablefmt="pipe" if markdown else "simple",
        disable_numparse=True,
        preserve_whitespace=True,  # bars begin with spaces
        colalign=["right" if column.right else "left" for column in columns] if cells else None,
    )
    return [line.rstrip() for line in table.splitlines()]
