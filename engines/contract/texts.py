"""The room that texts and parts of a picture take, without a browser; fonts are the widest common ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple
from xml.etree import ElementTree as ET

from engines.drawing import Part, Picture, arrange, text_width


def wide_lines(text: str | Iterable[str], most: int) -> list[str]:
    """Return which lines of *text* have more than *most* columns, in words."""
    lines = text.splitlines() if isinstance(text, str) else text
    return [
        f"line {number} has {len(line)} columns, {len(line) - most} too many: {line!r}"
        for number, line in enumerate(lines, 1)
        if len(line) > most
    ]


_CARD = re.compile('class="(card|back)"')
_MOVED = re.compile(r"translate\((\S+) (\S+)\)")
_LEAST = 1.0
"""By how many units two texts may share their room."""
_OUTLINE = 6.0
"""By how many units two parts may: outlines are a little larger than what they are around."""


class Box(NamedTuple):
    """A text and its room, in units of its picture."""

    text: str
    part: str
    left: float
    right: float
    top: float
    bottom: float

    def __str__(self) -> str:
        return f"{self.text!r} of part {self.part}"

    def over(self, width: float, height: float) -> float:
        """Return by how much it leaves a picture of this size."""
        return max(-self.left, self.right - width, -self.top, self.bottom - height)

    def move(self, right: float, down: float) -> Box:
        """Return it at another place."""
        return Box(*self[:2], self.left + right, self.right + right, self.top + down, self.bottom + down)

    def covers(self, other: Box) -> bool:
        """Return whether both share more than their outlines."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        return min(wide, min(self.bottom, other.bottom) - max(self.top, other.top)) > _OUTLINE

    def overlap(self, other: Box) -> float:
        """Return by how much both cover each other, across; letters fill the middle half of their height."""
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        deep = (self.bottom - self.top + other.bottom - other.top) / 4
        return min(self.right, other.right) - max(self.left, other.left) if high > deep else 0.0


def faults_of(picture: Picture, *, across: bool = False) -> Iterator[str]:
    """Yield which texts may leave the picture, and which of a part may cover each other, by how many units.

    *across*: texts of different parts, too, if neither part is a card: cards may lie on each other.
    """
    before: list[Box] = []
    for part in picture.parts:
        here: list[Box] = []
        for box in _boxes(part):
            if (over := box.over(picture.width, picture.height)) > 0:
                yield f"{box} leaves the picture by {over:.1f} units"
            others = [*here, *before] if across and not _CARD.search(part.svg) else here
            for other in others:
                if (shared := box.overlap(other)) > _LEAST and box.text != other.text:
                    yield f"{box} covers {other} by {shared:.1f} units"
            here.append(box)
        before += here


@lru_cache(maxsize=4096)
def _boxes(part: Part) -> tuple[Box, ...]:
    found = []
    for text, x, y in _elements(ET.fromstring(part.svg), 0, 0):  # noqa: S314 - it was drawn just now
        if text.tag != "text":
            continue
        size, says = float(text.get("font-size", "0")), "".join(text.itertext())
        wide = float(text.get("textLength") or text_width(says, size, text.get("class", "")))
        left = x - {"start": 0.0, "middle": wide / 2, "end": wide}[text.get("text-anchor", "start")]
        found.append(Box(says, part.key, left, left + wide, y - size / 2, y + size / 2))
    return tuple(found)


@lru_cache(maxsize=4096)
def _room_of(part: Part) -> Box | None:
    """Return the room of a part: of its texts, rectangles and circles; lines and marks are within them."""
    boxes = [*_boxes(part)]
    for each, x, y in _elements(ET.fromstring(part.svg), 0, 0):  # noqa: S314 - it was drawn just now
        radius, wide, high = (float(each.get(name, "0")) for name in ("r", "width", "height"))
        if wide or radius:
            left, top = x - radius, y - radius
            boxes.append(Box("", part.key, left, left + wide + 2 * radius, top, top + high + 2 * radius))
    if not boxes:
        return None
    lefts, rights, tops, bottoms = list(zip(*boxes, strict=True))[2:]
    return Box("", part.key, min(lefts), max(rights), min(tops), max(bottoms))


def layout_faults(picture: Picture) -> Iterator[str]:
    """Yield which parts have no place in the wide layout, leave it, or cover each other in it alone."""
    wide, tall = picture.wide, arrange(0, 0, (picture.parts, 0, 0)).places
    if wide is None:
        return
    if wide.places.keys() != tall.keys():
        yield f"expected a place for each part, and no other: {wide.places.keys() ^ tall.keys()}"
        return
    shifts = {key: (wide.places[key][0] - x, wide.places[key][1] - y) for key, (x, y) in tall.items()}
    rooms = [room for room in map(_room_of, picture.parts) if room]
    moved = {room.part: room.move(*shifts[room.part]) for room in rooms}
    for room in moved.values():
        if (over := room.over(wide.width, wide.height)) > _OUTLINE:
            yield f"part {room.part} leaves the wide layout by {over:.1f} units"
    for one, other in combinations(rooms, 2):
        apart = shifts[one.part] != shifts[other.part] and not one.covers(other)
        if apart and moved[one.part].covers(moved[other.part]):
            yield f"part {one.part} covers {other.part} in the wide layout"


def _elements(group: ET.Element, x: float, y: float) -> Iterator[tuple[ET.Element, float, float]]:
    """Yield the elements in *group*, each with its anchor, corner or middle; no group that is turned."""
    moved = _MOVED.fullmatch(group.get("transform", "translate(0 0)"))
    if not moved:
        return
    x, y = x + float(moved[1]), y + float(moved[2])
    for each in group:
        if each.tag == "g":
            yield from _elements(each, x, y)
        elif not each.get("transform"):
            across, down = (float(each.get(name, each.get(f"c{name}", "0"))) for name in ("x", "y"))
            yield each, x + across, y + down
