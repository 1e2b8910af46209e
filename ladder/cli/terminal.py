"""Tables for a terminal: in colour, and no wider than it is."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from results.reports.render import Column, Row, escape

__all__ = ["show"]

STYLES = {"bot": "bold", "score": "bold cyan", "version": "dim", "faults": "red", "submitted": "dim"}
"""The colour of a column, by its key."""
PROSE = ("description", "seats", "faults", "options", "found", "problems")
"""Columns that may take several lines."""
PROSE_WIDTH = 16
"""The least width of such a column."""
EXPENDABLE = (
    *("ms_per_move", "version", "submitted", "author", "decisions", "ms", "block"),
    *("sigma", "mu", "mean_score", "mean_rank", "draws"),
)
"""Columns to leave out if there is no room, in this order; then those on the right."""
GAP = 2
"""Spaces between two columns: one that rich puts there, the rest is padding."""


def show(rows: Sequence[Row], columns: Sequence[Column]) -> list[str]:
    """Print *rows* on stdout; return the titles of the columns that found no room."""
    console = Console(highlight=False)
    shown = [c for c in columns if c.always or any(row[c.key] is not None for row in rows)]
    cells = {c.key: [_cell(row[c.key], c) for row in rows] for c in shown}
    left_out = []
    while len(shown) > 2 and sum(_width(c, cells[c.key]) + GAP for c in shown) - GAP > console.width:
        left_out.append(_least(shown))
        shown.remove(left_out[-1])
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, GAP - 1, 0, 0))
    for column in shown:
        table.add_column(
            Text(_title(column)),
            justify="right" if column.right else "left",
            no_wrap=column.key not in PROSE,
            overflow="fold",
        )
    for i in range(len(rows)):
        table.add_row(*(_shown(cells[column.key][i], column) for column in shown))
    console.print(table)
    return [column.title for column in left_out]


def _shown(cell: str, column: Column) -> Text:
    """Return *cell* in the colour of its column; a dash, which says that there is nothing, has none."""
    return Text(cell, "" if cell == "-" else STYLES.get(column.key, ""))


def _cell(value: object, column: Column) -> str:
    return "" if value is None else escape(column.cell(value))


def _title(column: Column) -> str:
    """Return the title, that of a number a word a line."""
    return column.title.replace(" ", "\n") if column.right else column.title


def _width(column: Column, cells: Sequence[str]) -> int:
    """Return the least width of *column*."""
    widest = max(map(cell_len, cells), default=0)
    if column.key in PROSE:
        widest = min(widest, PROSE_WIDTH)
    return max(widest, *(cell_len(word) for word in _title(column).split("\n")))


def _least(columns: Sequence[Column]) -> Column:
    """Return the column to leave out first."""
    order = {key: i for i, key in enumerate(EXPENDABLE)}
    return min(columns[1:], key=lambda column: (order.get(column.key, len(order)), -columns.index(column)))
