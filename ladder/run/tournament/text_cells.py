"""Pieces of lines of a given width: names may be long, and may have characters that take two columns."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rich.cells import cell_len, set_cell_size

from results.reports.values_as_text import escape

SHORT = 8
"""Columns: a shorter text keeps nothing of its end."""


def cut(text: str, width: int) -> str:
    """Return *text* on one line of at most *width* columns.

    A longer one has an ellipsis before its end: many names differ in that alone.
    """
    text = escape(text)
    if cell_len(text) <= width:
        return text
    if width < 1:
        return ""
    end = text[-((width - 1) // 3) :] if width > SHORT else ""
    while cell_len(end) > (width - 1) // 3:
        end = end[1:]
    return set_cell_size(text, width - 1 - cell_len(end)).rstrip() + "…" + end


def pad(text: str, width: int, *, right: bool = False) -> str:
    """Return *text* cut to *width* columns, or filled up with spaces; *right*: from the left."""
    text = cut(text, width)
    filling = " " * (width - cell_len(text))
    return filling + text if right else text + filling


def percent(score: Fraction | float) -> str:
    """Return a score between 0 and 1 as a whole percentage; 100 is a full score only, and 0 none at all."""
    hundreds = 100 * float(score)
    return str(min(99, max(1, round(hundreds))) if 0 < hundreds < 100 else round(hundreds))


def wrap(text: str, width: int, indent: str = "") -> Iterator[str]:
    """Yield *text* in lines of at most *width* columns, which begin with *indent*, broken between words."""
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if line and cell_len(indent) + cell_len(longer) > width:
            yield indent + cut(line, width - cell_len(indent))
            longer = word
        line = longer
    if line:
        yield indent + cut(line, width - cell_len(indent))
