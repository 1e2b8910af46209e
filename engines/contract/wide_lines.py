"""Lines of text that are too wide, each with its number and by how much: what a test of width fails with."""

from __future__ import annotations

from collections.abc import Iterable


def wide_lines(text: str | Iterable[str], most: int) -> list[str]:
    """Return which lines of *text* have more than *most* columns, in words."""
    lines = text.splitlines() if isinstance(text, str) else text
    return [
        f"line {number} has {len(line)} columns, {len(line) - most} too many: {line!r}"
        for number, line in enumerate(lines, 1)
        if len(line) > most
    ]
