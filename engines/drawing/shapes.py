"""SVG elements as text, and the shapes that tell suits and seats apart without a colour.

Colours come from classes of board.css alone.  Shapes are around the origin, about 24 units wide.
"""

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


MARKS: Final = {
    "circle": "M-11 0a11 11 0 1 0 22 0a11 11 0 1 0 -22 0Z",
    "square": "M-10 -10H10V10H-10Z",
    "triangle": "M-3 -12H3L12.5 7.5L10.5 10.5H-10.5L-12.5 7.5Z",
    "diamond": "M0 -13L13 0L0 13L-13 0Z",
    "hexagon": "M-6.5 -11.3H6.5L13 0L6.5 11.3H-6.5L-13 0Z",
    "cross": "M-6 -11.5H6V-6H11.5V6H6V11.5H-6V6H-11.5V-6H-6Z",
    "star": "M0 -12L3.1 -4L11.4 -3.7L4.9 1.5L7.1 9.7L0 5L-7.1 9.7L-4.9 1.5L-11.4 -3.7L-3.1 -4Z",
    "spark": "M0 -13L3 -3L13 0L3 3L0 13L-3 3L-13 0L-3 -3Z",
    "planet": "M-7 0a7 7 0 1 0 14 0a7 7 0 1 0 -14 0Z"
    "M-8.3 1.9C-14 5 -14.5 8.4 -11 8.3C-4.5 8.2 12 0.5 13.3 -5.2C13.9 -8 10.8 -7.8 7.2 -6.3"
    "L7.9 -4.4C10 -5.3 11 -5 10.6 -4.3C8.6 -0.5 -4.6 5.7 -9.3 5.8C-10.4 5.8 -9.7 4.9 -8.2 3.6Z",
    "moon": "M4 -11.5A11.7 11.7 0 1 0 11.6 3.6A9.6 9.6 0 0 1 4 -11.5Z",
    "asteroid": "M-3 -11L5 -10L8 -4L12 0L9 8L2 8.5L-2 11.5L-10 7L-8 1L-11.5 -4Z"
    "M-4.5 -5.5a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0 -4.4 0ZM1 1.5a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0 -5.2 0Z",
    "cloud": "M-8 8.5A5.2 5.2 0 0 1 -8.6 -1.8A6.3 6.3 0 0 1 2.2 -6.9A5 5 0 0 1 8.3 -1.6A5.1 5.1 0 0 1 8 8.5Z",
    "hole": "M-12 0a12 12 0 1 0 24 0a12 12 0 1 0 -24 0ZM-9 0a9 9 0 1 0 18 0a9 9 0 1 0 -18 0Z"
    "M-5.5 0a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0 -11 0Z",
    "satellite": "M-3 -6H3V6H-3ZM-13 -4.5H-5V4.5H-13ZM5 -4.5H13V4.5H5ZM-5 -1H5V1H-5ZM-1 -11H1V-6H-1Z",
    "drop": "M0 -13C4 -7 9 -2.5 9 3.5A9 9 0 0 1 -9 3.5C-9 -2.5 -4 -7 0 -13Z",
    "leaf": "M-10 11C-13 -3 -4 -11.5 11.5 -11.5C12.5 4 4 12 -6.5 9.5L-9.5 12.5Z",
    "heart": "M0 11.5C-15 1 -11.5 -10.5 -5.5 -10.5C-2.7 -10.5 -0.8 -8.8 0 -6.8"
    "C0.8 -8.8 2.7 -10.5 5.5 -10.5C11.5 -10.5 15 1 0 11.5Z",
    "sun": "M-6.5 0a6.5 6.5 0 1 0 13 0a6.5 6.5 0 1 0 -13 0Z"
    "M-1.4 -13H1.4V-8.5H-1.4ZM-1.4 8.5H1.4V13H-1.4ZM-13 -1.4H-8.5V1.4H-13ZM8.5 -1.4H13V1.4H8.5Z"
    "M-10.2 -8.2L-8.2 -10.2L-5 -7L-7 -5ZM10.2 -8.2L8.2 -10.2L5 -7L7 -5Z"
    "M-10.2 8.2L-8.2 10.2L-5 7L-7 5ZM10.2 8.2L8.2 10.2L5 7L7 5Z",
    "break": "M-10.5 -7.5L-7.5 -10.5L0 -3L7.5 -10.5L10.5 -7.5L3 0L10.5 7.5L7.5 10.5L0 3L-7.5 10.5L-10.5 7.5"
    "L-3 0Z",
    "jewel": "M-6.5 -8.5H6.5L12 -2L0 11L-12 -2Z",
    "lantern": "M-6 -8L-2.5 -12.5H2.5L6 -8ZM-7.5 -6.5H7.5L6 7.5H-6ZM-7.5 9H7.5V12.5H-7.5Z"
    "M0 -4.5C2.5 -1.5 4 0.5 4 2.5A4 4 0 0 1 -4 2.5C-4 0.5 -2.5 -1.5 0 -4.5Z",
    "fall": "M-3.5 -12H3.5V1H10L0 12.5L-10 1H-3.5Z",
}
"""Each shape as path data, to be filled by the rule "evenodd"."""
SEAT_MARKS: Final = (
    ("circle", "hue-blue"),
    ("square", "hue-orange"),
    ("triangle", "hue-green"),
    ("diamond", "hue-purple"),
    ("hexagon", "hue-sky"),
    ("cross", "hue-vermilion"),
)
"""By seat, its shape and the class of its colour."""


@lru_cache(maxsize=2048)
def mark(name: str, x: float = 0, y: float = 0, size: float = 24, kind: str = "mark") -> str:
    """Return the shape *name* of MARKS in the colour of its part, *size* units wide, around *x*, *y*."""
    return path(MARKS[name], x, y, size / 24, kind)


def seat_mark(seat: int, x: float = 0, y: float = 0, size: float = 24) -> str:
    """Return the shape of a seat in its colour."""
    name, hue = SEAT_MARKS[seat % len(SEAT_MARKS)]
    return mark(name, x, y, size, f"mark {hue}")


@lru_cache(maxsize=1024)
def star_row(count: int, x: float, y: float, size: float = 16, gap: float = 3, kind: str = "mark") -> str:
    """Return *count* stars in a row that begins at *x*, in the colour of their part."""
    return "".join(mark("star", x + size / 2 + index * (size + gap), y, size, kind) for index in range(count))
