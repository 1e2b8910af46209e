"""SVG elements as text: rectangles, circles, lines, words.  Colours come from classes of board.css alone."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

__all__ = ["circle", "cut", "escape", "line", "path", "rectangle", "text_width", "words", "wrap"]

_MARKUP: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})
_NOT_XML: Final = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 does not allow, and the control characters that it discourages (section 2.2)."""
_WIDTHS: Final = (
    (0.28, " .,:;'!|ijl"),
    (0.4, '()[]-/\\"ftrI'),
    (0.52, "aceksvxyzJLFTE"),
    (0.86, "mwMWQO@%&"),
)
"""The widths of letters in font sizes, about those of Noto Sans; letters of narrower fonts fit as well."""
_LETTER: Final = {letter: width for width, letters in _WIDTHS for letter in letters}
_OTHER: Final = 0.63
_FULL: Final = 1.0
"""The width of letters from U+1100 on, most of which are as wide as high."""


@lru_cache(maxsize=4096)
def escape(text: str) -> str:
    """Return *text* as an element or a quoted attribute may hold it; control characters become U+FFFD."""
    return _NOT_XML.sub("\ufffd", text).translate(_MARKUP)


@lru_cache(maxsize=8192)
def words(
    text: str, x: float = 0, y: float = 0, size: float = 22, kind: str = "ink", anchor: str = "start"
) -> str:
    """Return a line of text whose middle is at the height *y*.

    *kind* are classes: "ink", "muted", or "hue", the colour of the part; "strong" is bold, "notation"
    monospace.  *anchor* is "start", "middle" or "end".  Below a size of 21 it is too small at 375 pixels.
    """
    where = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return (
        f'<text class="{kind}" x="{x:g}" y="{y:g}" dy=".35em" font-size="{size:g}"{where}>'
        f"{escape(text)}</text>"
    )


def rectangle(
    width: float, height: float, x: float = 0, y: float = 0, kind: str = "surface", radius: float = 8
) -> str:
    """Return a rectangle with round corners."""
    return f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}"/>'


def circle(radius: float, x: float = 0, y: float = 0, kind: str = "surface") -> str:
    """Return a circle."""
    return f'<circle class="{kind}" cx="{x:g}" cy="{y:g}" r="{radius:g}"/>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str = "line") -> str:
    """Return a straight line."""
    return f'<line class="{kind}" x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"/>'


def path(data: str, x: float = 0, y: float = 0, scale: float = 1, kind: str = "mark") -> str:
    """Return a path, placed and scaled."""
    scaled = f" scale({scale:g})" if scale != 1 else ""
    placed = f' transform="translate({x:g} {y:g}){scaled}"' if x or y or scaled else ""
    return f'<path class="{kind}" d="{data}"{placed}/>'


@lru_cache(maxsize=8192)
def text_width(text: str, size: float = 22) -> float:
    """Return about how wide *text* is: fonts differ by a tenth."""
    return size * sum(_LETTER.get(letter, _OTHER if letter < "\u1100" else _FULL) for letter in text)


def cut(text: str, width: float, size: float = 22) -> str:
    """Return *text*, or its beginning with an ellipsis if it does not fit *width*."""
    if text_width(text, size) <= width:
        return text
    fits = len(text)
    while fits and text_width(f"{text[:fits]}…", size) > width:
        fits -= 1
    return f"{text[:fits].rstrip()}…"


@lru_cache(maxsize=1024)
def wrap(text: str, width: float, size: float = 22, most: int = 0) -> tuple[str, ...]:
    """Break *text* into lines that fit *width*, about; a longer word is cut.

    *most* is the number of lines, 0 for as many as it takes; an ellipsis stands for what does not fit.
    """
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if lines[-1] and text_width(longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    if most and len(lines) > most:
        lines[most - 1 :] = [f"{lines[most - 1]} {lines[most]}"]
    return tuple(cut(line, width, size) for line in lines)
