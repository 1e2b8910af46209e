"""The text of a view in lines that fit a terminal, with its columns still in line."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence, Set
from itertools import groupby

__all__ = ["fit"]

KEPT = 2
"""How many spaces stay between two columns."""
COLUMNS = re.compile(r"\S {3,}\S|^ {8,}\S")
"""A line of a table has a gap, or begins far to the right; any other is prose."""

HANGING = re.compile(r" *\S+(?: \S+)? {2,}(?=\S)")
"""What stands before a gap: the rest of the line hangs behind it."""


def fit(text: str, width: int) -> list[str]:
    """Return *text* in lines of at most *width*.

    Where a table is too wide, spaces are taken out that all of its lines have.  If it is too wide even so, a
    sketch beside its columns comes below them.  Prose is broken between words.
    """
    lines: list[str] = []
    for is_blank, group in groupby(text.split("\n"), key=lambda row: not row):
        rows = list(group)
        lines += rows if is_blank else _fit_paragraph(rows, width)
    return lines


def _fit_paragraph(rows: list[str], width: int) -> list[str]:
    table = [row for row in rows if COLUMNS.search(row)]
    if table and max(map(len, table)) > width:
        blank = _blank_columns(table)
        spare = [i for i in range(KEPT, len(blank)) if all(blank[i - KEPT : i + 1])]
        excess = len(blank) - width
        if len(spare) >= excess:
            out = set(spare[:excess])
            rows = [_without(row, out) if row in table else row for row in rows]
        elif gap := _sketch_at(table, blank):
            right = textwrap.dedent("\n".join(row[gap:] for row in table)).split("\n")
            rows = [*(row[:gap].rstrip() if row in table else row for row in rows), *right]
    return [part for row in rows if row for part in _broken(row, width)]


def _without(row: str, out: Set[int]) -> str:
    return "".join(char for i, char in enumerate(row) if i not in out)


def _blank_columns(rows: Sequence[str]) -> list[bool]:
    """Return of each column whether all *rows* have a space there, or end before it."""
    return [all(row[i : i + 1] in ("", " ") for row in rows) for i in range(max(map(len, rows)))]


def _sketch_at(rows: Sequence[str], blank: Sequence[bool]) -> int:
    """Return where a sketch beside the columns of *rows* begins; 0 if there is none.

    It stands behind a gap, and few of its lines begin at its left edge, as those of a column do.
    """
    for i in range(KEPT, len(blank)):
        if all(blank[i - KEPT : i]) and not blank[i]:
            begun = sum(row[i : i + 1] not in ("", " ") for row in rows)
            if any(not b for b in blank[: i - KEPT]) and 2 * begun < len(rows):
                return i
    return 0


def _broken(line: str, width: int) -> list[str]:
    if len(line) <= width:
        return [line]
    label = HANGING.match(line)
    hang = len(label[0]) if label and len(label[0]) <= width // 3 else len(line) - len(line.lstrip()) + 2
    indent = " " * hang
    return textwrap.wrap(line, width, subsequent_indent=indent, break_on_hyphens=False)
