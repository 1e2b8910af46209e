"""The text of a view, or of rules, in lines that fit a terminal."""

import re
from collections.abc import Iterator, Sequence

from rich.cells import cell_len, chop_cells

WRITTEN = 100
"""Games break the lines of a view at this width."""
LAID_OUT = 80
"""The rules in short are laid out by hand: a line with more columns than this may go on in the next one."""
HANGING = re.compile(r" *(?:\S+(?: \S+)?(?<![.?!]) {2,}(?=\S)(?:[a-z0-9]\. )?|[a-z0-9]\. )")
"""What stands before a gap, or numbers a line: the rest of the line hangs behind it."""
BEGINS = re.compile(r" *(?:[-(]|\S+(?: \S+)?(?<![.?!:;]) {2,}\S|[a-z0-9]\. |.*\S {3,}\S)")
"""A line with a label, a number, columns or in brackets does not go on with what is above it."""


def fit(text: str, width: int) -> list[str]:
    """Return *text*, of a view, in lines of at most *width* columns, broken between words."""
    return _fold(text.split("\n"), width, WRITTEN)


def fold(text: str, width: int) -> list[str]:
    """Return *text*, rules in short, in lines of at most *width*, broken between words."""
    return _fold(text.split("\n"), width, LAID_OUT)


def _fold(rows: Sequence[str], width: int, full: int) -> list[str]:
    """Return *rows* joined and broken between words; a row of *full* columns goes on in the next one."""
    return [part for row, hang in _join(rows, width, full) for part in break_line(row, hang, width)]


def _join(rows: Sequence[str], width: int, full: int) -> Iterator[tuple[str, int]]:
    """Yield *rows*, those that are too wide with the rows that go on with them, and the indent of these."""
    waiting = [*reversed(rows)]
    while waiting:
        row = first = last = waiting.pop()
        hang = hang_of(row, width)
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
    return indent == _indent(first) + 2 or (first[indent - 1] == " " and first[indent] != " ")


def _indent(row: str) -> int:
    return len(row) - len(row.lstrip())


def hang_of(row: str, width: int) -> int:
    """Return where *row* goes on in lines of *width*: behind its label, else two spaces further in."""
    label = HANGING.match(row)
    return len(label[0]) if label and len(label[0]) <= width // 3 else _indent(row) + 2


def break_line(line: str, hang: int, width: int) -> list[str]:
    """Return *line* in lines of at most *width* columns, broken between words; all but the first *hang*.

    Only a word that is wider than a line is broken.  Some scripts take two columns a letter.
    """
    if cell_len(line) <= width:
        return [line]
    lines, hung = [""], " " * min(hang, width // 2)
    for piece in re.findall(" *[^ ]+", line):
        word = piece
        if lines[-1] and cell_len(lines[-1] + word) > width:
            lines.append("")
            word = hung + word.lstrip()
        text = lines.pop() + word
        while cell_len(text) > width:
            head, *rest = chop_cells(text, width)
            lines.append(head)
            text = hung + "".join(rest)
        lines.append(text)
    return lines
