"""SVG elements as text: rectangles, circles, lines, words.  Colours come from classes of board.css alone."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

__all__ = ["circle", "escape", "line", "path", "rectangle", "words", "wrap"]

_MARKUP: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})
_NOT_XML: Final = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 does not allow, and the control characters that it discourages (section 2.2)."""
_WIDE: Final = 0.56
"""The mean width of a letter of system-ui, in font sizes; capitals and digits are near it."""


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


def wrap(text: str, width: float, size: float = 22) -> list[str]:
    """Break *text* into lines that fit *width*, about; a longer word is cut with an ellipsis."""
    room = max(2, int(width / (size * _WIDE)))
    lines = [""]
    for word in text.split():
        fits = word if len(word) <= room else word[: room - 1] + "…"
        if lines[-1] and len(lines[-1]) + 1 + len(fits) > room:
            lines.append("")
        lines[-1] = f"{lines[-1]} {fits}" if lines[-1] else fits
    return lines
