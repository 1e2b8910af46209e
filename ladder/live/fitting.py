"""The text of a view, or of rules, in lines that fit a terminal, with its columns still in line."""

import re
import textwrap
from collections.abc import Iterator, Sequence, Set
from itertools import groupby

KEPT = 2
"""How many spaces stay between two columns."""
COLUMNS = re.compile(r"\S {3,}\S|^ {8,}\S")
"""A line of a table has a gap, or begins far to the right; any other is prose."""

WRITTEN = 100
"""Games break the lines of a view at this width."""
LAID_OUT = 80
"""The rules in short are laid out by hand: a line with more columns than this may go on in the next one."""
HANGING = re.compile(r" *(?:\S+(?: \S+)?(?<![.?!]) {2,}(?=\S)(?:[a-z0-9]\. )?|[a-z0-9]\. )")
"""What stands before a gap, or numbers a line: the rest of the line hangs behind it."""
BEGINS = re.compile(r" *(?:[-(]|\S+(?: \S+)?(?<![.?!:;]) {2,}\S|[a-z0-9]\. |.*\S {3,}\S)")
"""A line with a label, a number, columns or in brackets does not go on with what is above it."""


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
    return _fold([row for row in rows if row], width, WRITTEN)


def fold(text: str, width: int) -> list[str]:
    """Return *text*, rules in short, in lines of at most *width*, broken between words."""
    return _fold(text.split("\n"), width, LAID_OUT)


def _fold(rows: Sequence[str], width: int, full: int) -> list[str]:
    """Return *rows*, broken between words, but first joined: else every second line would be short.

    A row of *full* columns goes on in the next one.
    """
    return [part for row, hang in _join(rows, width, full) for part in break_line(row, hang, width)]


def _join(rows: Sequence[str], width: int, full: int) -> Iterator[tuple[str, int]]:
    """Yield *rows*, those that are too wide with the rows that go on with them, and the indent of these."""
    waiting = [*reversed(rows)]
    while waiting:
        row = first = last = waiting.pop()
        hang = _hang(row, width)
        while waiting and len(first) > width and _goes_on(first, last, waiting[-1], full):
            last = waiting.pop()
            hang = _indent(last)
            row += " " + last.strip()
        yield row, hang


def _goes_on(first: str, last: str, row: str, full: int) -> bool:
    """Return whether *row* goes on with *last* and *first*: it did not fit there, and stands below a word."""
    word, _, _ = row.strip().partition(" ")
    if not word or len(last) + len(word) < full or BEGINS.match(row):
        return False
    if last.endswith(".") and word[0].islower():  # no sentence: the next of a list
        return False
    indent = _indent(row)
    if indent == _indent(first):
        return not (indent and word[0].isupper()) and not HANGING.match(first)
    return first[indent - 1] == " " and first[indent] != " "


def _indent(row: str) -> int:
    return len(row) - len(row.lstrip())


def _hang(row: str, width: int) -> int:
    label = HANGING.match(row)
    return len(label[0]) if label and len(label[0]) <= width // 3 else _indent(row) + 2


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


def break_line(line: str, hang: int, width: int) -> list[str]:
    """Return *line* in lines of at most *width*, broken between words; all but the first have this *hang*."""
    if len(line) <= width:
        return [line]
    return textwrap.wrap(line, width, subsequent_indent=" " * hang, break_on_hyphens=False)
