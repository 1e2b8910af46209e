"""Take pictures of tables apart."""

import re
from typing import NamedTuple
from xml.etree import ElementTree as ET

from engines.drawing import MARKS, Part, Picture

HTML = "{http://www.w3.org/1999/xhtml}"
_NAMES = {path: name for name, path in MARKS.items()}


class Drawn(NamedTuple):
    """A part of a picture as one sees it."""

    x: float
    y: float
    texts: list[str]
    marks: list[str]
    """The names of its marks: suits, seats, stars."""
    classes: set[str]
    """Those of the part and of all in it."""


def parts_of(picture: Picture) -> dict[str, Drawn]:
    """Return the parts of a picture by their keys."""
    return {part.key: _drawn(part) for part in picture.parts}


def roots_of(picture: Picture) -> dict[str, ET.Element]:
    """Return the parts of a picture as XML, by their keys."""
    return {part.key: ET.fromstring(part.svg) for part in picture.parts}


def written(part: ET.Element) -> str:
    """Return the texts and sentences of a part, joined."""
    return " ".join(each.text or "" for each in part.iter() if each.tag in ("text", f"{HTML}p"))


def list_changed(picture: Picture, before: Picture) -> set[str]:
    """Return the keys of the parts that are marked as changed."""
    return set(re.findall(r'<g class="part changed[^"]*" data-key="([^"]*)"', picture.svg(before)))


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, #rrggbb: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _drawn(part: Part) -> Drawn:
    root = ET.fromstring(part.svg)
    at = re.search(r"translate\((\S+) (\S+)\)", root.get("transform", ""))
    assert at
    return Drawn(
        float(at[1]),
        float(at[2]),
        [each.text or "" for each in root.iter("text")],
        [_NAMES[path] for each in root.iter("path") if (path := each.get("d", "")) in _NAMES],
        {name for each in root.iter() for name in each.get("class", "").split()},
    )
