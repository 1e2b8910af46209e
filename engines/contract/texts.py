"""The room that the texts of a picture take in the widest of common fonts, reckoned without a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple
from xml.etree import ElementTree as ET

from engines.drawing import Part, Picture, text_width

_CARD = re.compile('class="(card|back)"')
_MOVED = re.compile(r"translate\((\S+) (\S+)\)")
_LEAST = 1.0
"""By how many units two texts may share their room."""


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
    group = ET.fromstring(part.svg)  # noqa: S314 - it was drawn just now
    for text, x, y in _texts(group, 0, 0):
        size, says = float(text.get("font-size", "0")), "".join(text.itertext())
        wide = float(text.get("textLength") or text_width(says, size, text.get("class", "")))
        left = x - {"start": 0.0, "middle": wide / 2, "end": wide}[text.get("text-anchor", "start")]
        found.append(Box(says, part.key, left, left + wide, y - size / 2, y + size / 2))
    return tuple(found)


def _texts(group: ET.Element, x: float, y: float) -> Iterator[tuple[ET.Element, float, float]]:
    """Yield the texts in *group*, each with the place of its anchor in the picture.

    A group that is not only moved, such as one that is turned, is left out.
    """
    moved = _MOVED.fullmatch(group.get("transform", "translate(0 0)"))
    if not moved:
        return
    x, y = x + float(moved[1]), y + float(moved[2])
    for each in group:
        if each.tag == "g":
            yield from _texts(each, x, y)
        elif each.tag == "text" and not each.get("transform"):
            yield each, x + float(each.get("x", "0")), y + float(each.get("y", "0"))
