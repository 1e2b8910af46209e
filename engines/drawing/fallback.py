"""The picture of a game that does not draw itself: its text."""

from collections.abc import Sequence

from engines.drawing.picture import Part, Picture, make_part
from engines.drawing.shapes import rectangle, words

_SIZE = 22
_LETTER = 0.602 * _SIZE
"""The width of a column: every line is as wide as its columns, whatever the font."""
_LINE = 30
_MARGIN = 16
_COLUMNS = 46


def draw_text(title: str, texts: Sequence[str]) -> Picture:
    """Return a picture of *texts*, the views in words, one below the other.

    The lines are broken where they are longer than a picture of 640 units holds.
    """
    lines = [row for text in texts for line in text.splitlines() for row in _rows(line)]
    width = round(2 * _MARGIN + _COLUMNS * _LETTER)
    parts = [_line(number, line) for number, line in enumerate(lines) if line]
    return Picture(width, 2 * _MARGIN + _LINE * max(1, len(lines)), title, "\n".join(texts), tuple(parts))


def _rows(line: str) -> list[str]:
    """Break *line* at the last space that fits; what follows is indented."""
    rows = []
    while _columns(line) > _COLUMNS:
        most = _COLUMNS
        while _columns(line[:most]) > _COLUMNS:
            most -= 1
        at = line.rfind(" ", 8, most + 1)
        at = most if at < 0 else at
        rows.append(line[:at].rstrip())
        line = "  " + line[at:].lstrip()
    return [*rows, line.rstrip()]


def _columns(line: str) -> int:
    """Return how many columns *line* takes: letters from U+1100 on are twice as wide."""
    return len(line) + sum(letter >= "\u1100" for letter in line)


def _line(number: int, line: str) -> Part:
    indent = len(line) - len(line.lstrip())
    wide = (_columns(line) - indent) * _LETTER
    around = rectangle(wide + 12, _LINE, -6, 0, "outline", 4)
    content = words(line.lstrip(), 0, _LINE / 2, _SIZE, "ink notation", room=wide, fill=True)
    x, y = _MARGIN + indent * _LETTER, _MARGIN + _LINE * number
    return make_part(f"line-{number}", x, y, around, content)
