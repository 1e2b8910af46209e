"""SVG elements as text: rectangles, circles, lines, words.  Colours come from classes of board.css alone."""

import re
from functools import lru_cache
from typing import Final

from engines.drawing.widths import SMALLEST, text_width

_MARKUP: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})
_NOT_XML: Final = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 does not allow, and the control characters that it discourages (section 2.2)."""


@lru_cache(maxsize=4096)
def escape(text: str) -> str:
    """Return *text* as an element or a quoted attribute may hold it; control characters become U+FFFD."""
    return _NOT_XML.sub("\ufffd", text).translate(_MARKUP)


@lru_cache(maxsize=8192)
def words(
    text: str,
    x: float = 0,
    y: float = 0,
    size: float = 22,
    kind: str = "ink",
    anchor: str = "start",
    room: float = 0,
    *,
    fill: bool = False,
) -> str:
    """Return a line of text whose middle is at the height *y*.

    *kind* are classes: "ink", "muted", or "hue", the colour of the part; "strong" is bold, "notation"
    monospace.  *anchor* is "start", "middle" or "end".  Below a size of 21 it is too small at 375 pixels.
    *room* is the width that it may take: a text that may be wider is set smaller, down to SMALLEST, and if
    that is not enough squeezed into it.  Give it for every text whose length you do not know.  *fill*: it
    takes all of the room, whatever the font.
    """
    more = "" if anchor == "start" else f' text-anchor="{anchor}"'
    if room and not fill and (wide := text_width(text, size, kind)) > room:
        size = max(min(SMALLEST, size), int(10 * size * room / wide) / 10)
        fill = text_width(text, size, kind) > room
    if fill:
        more += f' textLength="{room:g}" lengthAdjust="spacingAndGlyphs"'
    return (
        f'<text class="{kind}" x="{x:g}" y="{y:g}" dy=".35em" font-size="{size:g}"{more}>'
        f"{escape(text)}</text>"
    )


def prose(
    text: str, x: float, y: float, width: float, size: float = 20, kind: str = "ink", lines: int = 2
) -> str:
    """Return a sentence in *lines* of text, 1 to 3, whose upper left corner is at *x*, *y*.

    It is HTML in the picture, so that the reader's browser breaks the lines, with the font that it has.  An
    ellipsis stands for what does not fit.  A line is 1.2 times as high as *size*.
    """
    many = ("one-line", "two-lines", "three-lines")[lines - 1]
    height = (1.2 * lines + 0.1) * size  # letters reach a little below the last line
    return (
        f'<foreignObject class="prose {kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
        f' font-size="{size:g}"><p xmlns="http://www.w3.org/1999/xhtml" class="{many}">{escape(text)}</p>'
        "</foreignObject>"
    )


@lru_cache(maxsize=2048)
def rectangle(
    width: float, height: float, x: float = 0, y: float = 0, kind: str = "surface", radius: float = 8
) -> str:
    """Return a rectangle with round corners."""
    return f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}"/>'


@lru_cache(maxsize=2048)
def circle(radius: float, x: float = 0, y: float = 0, kind: str = "surface") -> str:
    return f'<circle class="{kind}" cx="{x:g}" cy="{y:g}" r="{radius:g}"/>'


@lru_cache(maxsize=2048)
def line(x1: float, y1: float, x2: float, y2: float, kind: str = "line") -> str:
    """Return a straight line."""
    return f'<line class="{kind}" x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"/>'


@lru_cache(maxsize=2048)
def path(data: str, x: float = 0, y: float = 0, scale: float = 1, kind: str = "mark") -> str:
    """Return a path, placed and scaled."""
    scaled = f" scale({scale:g})" if scale != 1 else ""
    placed = f' transform="translate({x:g} {y:g}){scaled}"' if x or y or scaled else ""
    return f'<path class="{kind}" d="{data}"{placed}/>'
