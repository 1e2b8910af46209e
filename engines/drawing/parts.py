"""The parts that all games share: cards, their backs, places, tokens, stars, lines, piles, hands, labels."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, TypeVar

from engines.drawing.picture import Part, Picture, make_part
from engines.drawing.shapes import (
    MARKS,
    SEAT_MARKS,
    circle,
    line,
    mark,
    path,
    rectangle,
    seat_mark,
    star_row,
    words,
)
from engines.drawing.widths import SMALLEST, SQUEEZED, cut, halve, text_width

_SIZE = 22
_LETTER = 0.602 * _SIZE
"""The width of a column: every line is as wide as its columns, whatever the font."""
_LINE = 30
_MARGIN = 16
_COLUMNS = 46


def draw_text(title: str, texts: Sequence[str]) -> Picture:
    """Return a picture of *texts*, the views in words, one below the other; long lines are broken."""
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


T = TypeVar("T")
CARD_WIDTH: Final = 70
CARD_HEIGHT: Final = 64
_AROUND: Final = 3
"""By how much an outline is larger than its card."""
_SEAT_NAME: Final = 22
_NAME_AT: Final = 36
_NOTE_AT: Final = 12
"""Where the name of a seat begins on its label, and how far before the right end its note does."""
_BETWEEN: Final = 8
_YOU: Final = " (you)"
NO_OUTLINE: Final = '<rect class="outline"/>'
"""The outline of a part that is never outlined: each part has one, because style sheets name it."""


# Shapes are cached: a replay draws each step of a match, and most of a table is as in the step before.
@lru_cache(maxsize=256)
def outline(width: float, height: float, x: float = 0, y: float = 0, radius: float = 8) -> str:
    """Return the shape that is outlined when the part changed: a little larger than *width* by *height*."""
    more = 2 * _AROUND
    return rectangle(width + more, height + more, x - _AROUND, y - _AROUND, "outline", radius + _AROUND)


@lru_cache(maxsize=2048)
def card(
    key: str,
    x: float,
    y: float,
    index: str,
    mark_name: str = "",
    hue: str = "hue-grey",
    *,
    stars: int = 0,
    width: float = CARD_WIDTH,
    height: float = CARD_HEIGHT,
    kind: str = "",
) -> Part:
    """Return a card that lies face up: its index in the corner, the mark of its suit, its stars below.

    *hue* is a class of board.css, `hue-orange` and the like; *kind* are further classes: `hint` for what can
    be chosen, `faint` for what counts no more.
    """
    classes = f"{hue} {kind}" if kind else hue
    return make_part(
        key, x, y, outline(width, height), _face(index, mark_name, stars, width, height), classes
    )


@lru_cache(maxsize=1024)
def _face(index: str, mark_name: str, stars: int, width: float, height: float) -> str:
    room = width - (31 if mark_name else 10)
    face = rectangle(width, height, kind="card") + words(index, 5, 18, 22, "ink strong", room=room)
    if mark_name:
        face += mark(mark_name, width - 14, 18, 20)
    return face + star_row(stars, 8, height - 14, 15)


@lru_cache(maxsize=2048)
def back(
    key: str,
    x: float,
    y: float,
    known: str = "",
    hue: str = "hue-grey",
    *,
    mark_name: str = "",
    width: float = CARD_WIDTH,
    height: float = CARD_HEIGHT,
    kind: str = "",
) -> Part:
    """Return a card that lies face down, with what may be known of it: a word, or a mark."""
    classes = f"{hue} {kind}" if kind else hue
    return make_part(key, x, y, outline(width, height), _back(known, mark_name, width, height), classes)


@lru_cache(maxsize=1024)
def _back(known: str, mark_name: str, width: float, height: float) -> str:
    shape = rectangle(width, height, kind="back") + rectangle(width - 10, height - 10, 5, 5, "back-line", 5)
    if mark_name:
        shape += mark(mark_name, width / 2, height / 2 - (11 if known else 0), 27)
    if known:
        y = height / 2 + (15 if mark_name else 0)
        shape += words(known, width / 2, y, 22, "ink strong", "middle", width - 8)
    return shape


@lru_cache(maxsize=2048)
def slot(
    key: str, x: float, y: float, name: str = "", width: float = CARD_WIDTH, height: float = CARD_HEIGHT
) -> Part:
    """Return a free place for a card, with its name."""
    inside = rectangle(width, height, kind="slot")
    if name:
        inside += words(name, width / 2, height / 2, 21, "muted", "middle", width - 6)
    return make_part(key, x, y, outline(width, height), inside)


@lru_cache(maxsize=2048)
def pile(
    key: str,
    x: float,
    y: float,
    count: int,
    name: str = "",
    width: float = CARD_WIDTH,
    height: float = CARD_HEIGHT,
) -> Part:
    """Return a pile of cards that lie face down, with its count, and its name below."""
    shifts = (0, 3, 6)[:count]  # three cards show that it is a pile; the number says how many there are
    content = "".join(rectangle(width - 6, height - 6, shift, 6 - shift, "back") for shift in shifts)
    if not count:
        content = rectangle(width, height, kind="slot")
    content += words(str(count), width / 2 + 3 * bool(count), height / 2, 26, "ink strong", "middle")
    if name:
        content += words(name, width / 2, height + 16, 21, "muted", "middle")
    return make_part(key, x, y, outline(width, height), content, "hue-grey")


def hand(
    x: float,
    y: float,
    cards: Sequence[T],
    draw: Callable[[float, float, T], Part],
    room: float = 0,
    *,
    width: float = CARD_WIDTH,
    gap: float = 6,
) -> list[Part]:
    """Return *cards* in a row, each drawn by *draw* at its place; they overlap where *room* is too narrow."""
    step = width + gap
    if room and len(cards) > 1:
        step = min(step, (room - width) / (len(cards) - 1))
    return [draw(round(x + index * step, 1), y, one) for index, one in enumerate(cards)]


@lru_cache(maxsize=4096)
def token(
    key: str,
    x: float,
    y: float,
    seat: int,
    face: str,
    *,
    radius: float = 22,
    hidden: bool = False,
    kind: str = "",
) -> Part:
    """Return a token of a seat, in the shape and the colour of the seat, around *x*, *y*.

    *face* is what is on it, at most three letters.  *hidden*: it lies face down; *face* is what may be known.
    """
    shape, hue = SEAT_MARKS[seat % len(SEAT_MARKS)]
    around, content = circle(radius * 1.26, kind="outline"), _token(shape, face, radius, hidden)
    return make_part(key, x, y, around, content, f"{hue} {kind}".rstrip())


_FILL_AND_ROOM: Final = {
    "circle": (1.0, 1.75),
    "square": (0.98, 1.75),
    "triangle": (1.0, 1.35),
    "diamond": (0.98, 1.5),
    "hexagon": (0.96, 1.8),
    "cross": (1.0, 1.9),
}
"""By how much a shape is drawn larger than a circle, so that all look as large; how wide a text in it may be.
Both are in radii of the circle."""


@lru_cache(maxsize=512)
def _token(shape: str, face: str, radius: float, hidden: bool) -> str:
    fill, room = _FILL_AND_ROOM[shape]
    body = path(MARKS[shape], scale=radius * fill / 11, kind="token-back" if hidden else "token")
    # the middle of a triangle's widest part is below the middle of its circle
    down = radius * (0.22 if shape == "triangle" else 0.02)
    size = max(21, radius * (1.05 if len(face) < 2 else 0.9))
    return body + words(face, 0, down, size, "ink strong", "middle", room * radius)


@lru_cache(maxsize=1024)
def star(key: str, x: float, y: float, name: str = "", *, radius: float = 22, large: bool = False) -> Part:
    """Return a free star of a board: a place for a token."""
    content = circle(radius, kind="star large" if large else "star")
    if large:
        content += circle(radius - 5, kind="star-ring")
    if name:
        content += words(name, 0, 0, 21, "muted", "middle", 2 * radius)
    return make_part(key, x, y, circle(radius + _AROUND, kind="outline"), content)


def edge(x1: float, y1: float, x2: float, y2: float) -> str:
    """Return a line between two stars; it belongs in the part of the board."""
    return line(x1, y1, x2, y2, "edge")


def seat_name(seat: int, names: Sequence[str] = ()) -> str:
    """Return the name of a seat among *names*, else `Seat 0`."""
    return names[seat] if seat < len(names) else f"Seat {seat}"


def seat_label(
    key: str,
    x: float,
    y: float,
    seat: int,
    width: float,
    note: str = "",
    *,
    names: Sequence[str] = (),
    own: bool = False,
    asked: bool = False,
    kind: str = "",
    taken: tuple[float, float] = (0, 0),
) -> Part:
    """Return the name of a seat with its shape and colour; *note* stands at the right, such as a score.

    *names* are those of the seats, as for seat_name(); one that is too long takes two lines.  *own*: the
    picture is drawn as this seat sees the table.  *asked*: this seat must decide now.  *kind* are
    further classes: `calm` for a part that is not outlined when it changed.  *taken* is where other parts lie
    on the label, between name and note: from where and to where.
    """
    name = seat_name(seat, names) if names else None
    return _seat_label(key, x, y, seat, width, note, name, own, asked, kind, taken)


@lru_cache(maxsize=2048)
def _seat_label(
    key: str,
    x: float,
    y: float,
    seat: int,
    width: float,
    note: str,
    name: str | None,
    own: bool,
    asked: bool,
    kind: str,
    taken: tuple[float, float],
) -> Part:
    """Return the label of a seat, with its *name* or its number."""
    height = 34
    content = rectangle(width, height, kind="seat asked" if asked else "seat", radius=height / 2)
    content += seat_mark(seat, 19, height / 2, 22)
    if name is None:
        content += _name_and_note(f"Seat {seat}", note, width, taken, own)
    else:
        content += _names_note(name, note, width, taken)
    hue = SEAT_MARKS[seat % len(SEAT_MARKS)][1]
    return make_part(
        key, x, y, outline(width, height, radius=height / 2), content, f"{hue} {kind}" if kind else hue
    )


@lru_cache(maxsize=1024)
def _names_note(name: str, note: str, width: float, taken: tuple[float, float]) -> str:
    """Return a name of any length and a note, which do not meet in any font: the note keeps its size."""
    end = width - _NOTE_AT
    room = (taken[0] or end - (text_width(note) if note else 0)) - _NAME_AT - _BETWEEN
    lines = halve(name, room, SMALLEST, "ink strong")
    size, top = (_SEAT_NAME, 17.0) if len(lines) == 1 else (SMALLEST, 8.5)
    shown = "".join(
        words(line, _NAME_AT, top + 17 * at, size, "ink strong", room=room) for at, line in enumerate(lines)
    )
    return shown + words(note, end, 17, _SEAT_NAME, "ink", "end", max(end - taken[1], 1)) if note else shown


@lru_cache(maxsize=1024)
def _name_and_note(name: str, note: str, width: float, taken: tuple[float, float], own: bool) -> str:
    """Return the texts of a label, which do not meet in any font; all seats have names of one size."""
    # measured with "(you)" for every seat, so that all names have one size whoever looks
    widest = text_width(name + _YOU, 1, "ink strong")
    if any(taken):
        size = min(_SEAT_NAME, (taken[0] - _NAME_AT - _BETWEEN) / widest)
        room = width - _NOTE_AT - taken[1]
    else:
        both = width - _NAME_AT - _BETWEEN - _NOTE_AT
        size = min(_SEAT_NAME, both / (widest + text_width(note, 1)))
        room = both - max(SMALLEST, int(size)) * widest
    size = float(max(SMALLEST, int(size)))
    shown = words(name + _YOU * own, _NAME_AT, 17, size, "ink strong")
    return shown + words(note, width - _NOTE_AT, 17, size, "ink", "end", max(room, 1)) if note else shown


@lru_cache(maxsize=1024)
def heading(says: str, x: float, y: float, room: float, size: float = 24) -> Part:
    """Return what a picture says of the moment, in bold; what is much longer than *room* is cut."""
    says = cut(says, SQUEEZED * room, SMALLEST, "ink strong")
    return label("heading", x, y, says, size, "ink strong", room=room)


def label(
    key: str,
    x: float,
    y: float,
    text: str,
    size: float = 22,
    kind: str = "ink",
    anchor: str = "start",
    width: float = 0,
    *,
    room: float = 0,
) -> Part:
    """Return a line of text as a part; it is outlined if *width* is given.  Clicks go to what lies below.

    *room* is the width that the text may take: see `words`.
    """
    shape = outline(width, size * 1.4, 0, -size * 0.7, 4) if width else NO_OUTLINE
    return make_part(key, x, y, shape, words(text, 0, 0, size, kind, anchor, room), "through")
