"""Tables for a terminal: in colour, and no wider than it is."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from results.reports.document import Column, Divider, Interval, Row, Share
from results.reports.labels import Numbers
from results.reports.render import draw_again, write_cells

STYLES = {
    **dict.fromkeys(("bot", "rival"), "bold"),
    **dict.fromkeys(("score", "mu", "place"), "bold cyan"),
    **dict.fromkeys(("version", "rival_version", "submitted"), "dim"),
    "faults": "red",
}
"""The colour of a column, by its key."""
PROSE = (
    *("description", "seats", "options", "found", "problems", "games", "note", "banned"),
    *("rule", "advice", "reason"),
)
"""Columns that may take several lines."""
CLIPPED = ("answer",)
"""Columns of prose that end with an ellipsis where there is no more room: one line for each row."""
PROSE_WIDTH = 16
"""The least width of a column of prose."""
EXPENDABLE = (
    *("record", "submitted", "author", "description", "version", "rival_version", "span", "ms_per_move"),
    *("decisions", "ms", "block", "mean_score"),
)
"""Columns to leave out if there is no room, in this order; then those on the right."""
GAP = 2
"""Spaces between two columns: one that rich puts there, the rest is padding."""
WIDE = 100
"""Terminals with at least this many characters a line show extra columns."""
BESIDE = re.compile(r" \((95 %|sure)\)$")
"""What the title of a column says of the intervals beside its values, which are left out first."""
DRAWN_WIDTH = (20, 48)
"""The least and the most width of a column that is drawn."""


def show(
    rows: Sequence[Row], columns: Sequence[Column], dividers: Sequence[Divider], numbers: Numbers
) -> list[str]:
    """Print *rows* on stdout, with the *dividers*; return the titles of the columns that found no room.

    Columns that are extra are not among them.  *numbers* tell versions apart.
    """
    console = Console(highlight=False)
    wanted = [column for column in columns if console.width >= WIDE or not column.extra]
    cells = write_cells(rows, wanted, numbers, "table", DRAWN_WIDTH[0])
    if _total([*cells], cells) > console.width:
        cells = write_cells(rows, [*map(_brief, wanted)], numbers, "table", DRAWN_WIDTH[0])
    shown = [*cells]
    left_out = []
    total = _total(shown, cells)
    while len(shown) > 2 and total > console.width:
        left_out.append(_least(shown))
        shown.remove(left_out[-1])
        total -= _width(left_out[-1], cells[left_out[-1]]) + GAP
    for column in shown:
        if column.draw:
            room = DRAWN_WIDTH[0] + console.width - _total(shown, cells)
            cells[column] = draw_again(rows, column, min(room, DRAWN_WIDTH[1]))
    ends = [*(divider.row for divider in dividers), len(rows)]
    console.print(_table(shown, cells, range(ends[0])))
    for divider, end in zip(dividers, ends[1:], strict=True):
        console.print(Text(divider.text, "dim"))
        console.print(_table(shown, cells, range(divider.row, end)))
    return [column.title for column in left_out if not column.extra]


def _brief(column: Column) -> Column:
    """Return *column* with estimates alone, without the intervals beside them."""
    kind = column.kind
    if not kind or not BESIDE.search(column.title):
        return column

    def estimate(row: Row) -> Any:
        value = kind(row)
        return value._replace(low=None, high=None) if isinstance(value, (Interval, Share)) else value

    return replace(column, title=BESIDE.sub("", column.title), kind=estimate)


def _total(columns: Sequence[Column], cells: Mapping[Column, Sequence[str]]) -> int:
    """Return how wide a table of *columns* is."""
    return sum(_width(column, cells[column]) + GAP for column in columns) - GAP


def _table(columns: Sequence[Column], cells: Mapping[Column, Sequence[str]], rows: range) -> Table:
    """Return the *rows* as a table; those that begin with the first have the headings.

    Columns are as wide as all their cells need, so that the parts of a table line up.
    """
    table = Table(
        box=box.SIMPLE_HEAD,
        show_edge=False,
        show_header=rows.start == 0,
        pad_edge=False,
        padding=(0, GAP - 1, 0, 0),
    )
    for column in columns:
        table.add_column(
            Text(_title(column)),
            justify="right" if column.right else "left",
            no_wrap=column.key not in PROSE,
            min_width=None if column.key in (*PROSE, *CLIPPED) else _width(column, cells[column]),
            overflow="ellipsis" if column.key in CLIPPED else "fold",
        )
    for i in rows:
        table.add_row(*(_show(cells[column][i], column) for column in columns))
    return table


def _show(cell: str, column: Column) -> Text:
    """Return *cell* in the colour of its column; one that says that there is nothing has none."""
    return Text(cell, "" if cell in ("", "-") else STYLES.get(column.key, ""))


def _title(column: Column) -> str:
    """Return the title, that of a number a word a line; a sign stays with the word before it."""
    return re.sub(r" (?=\w)", "\n", column.title) if column.right else column.title


def _width(column: Column, cells: Sequence[str]) -> int:
    widest = max(map(cell_len, cells), default=0)
    if column.key in (*PROSE, *CLIPPED):
        widest = min(widest, PROSE_WIDTH)
    return max(widest, *(cell_len(word) for word in _title(column).split("\n")))


def _least(columns: Sequence[Column]) -> Column:
    order = {key: i for i, key in enumerate(EXPENDABLE)}
    return min(columns[1:], key=lambda column: (order.get(column.key, len(order)), -columns.index(column)))
