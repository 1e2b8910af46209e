"""A picture and its parts: what a page shows, compares with the picture before, and moves."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from engines.drawing.shapes import escape
from engines.types import Json

WIDTH: Final = 640
"""The usual width of a picture: a text of size 22 then has 12 pixels on a page of 375."""
_CLASS: Final = 'class="part'
_BEGIN: Final = f"<g {_CLASS}"
_PLACE: Final = re.compile(r' transform="translate\(([^ )]*) ([^)]*)\)"')
_MOST: Final = 10
"""The most small pictures beside a line."""


class Part(NamedTuple):
    """One thing on the table: a card, a token, a pile, a label."""

    key: str
    """Unique in a picture.  A card that moves keeps its key, if the views show that it is the same card."""
    svg: str
    """A fragment: `<g class="part" data-key="KEY" transform="translate(X Y)">`, with the outline first."""


class Caption(NamedTuple):
    """What is read beside a picture about one of its parts."""

    key: str
    """That of the part."""
    name: str
    text: str


class Layout(NamedTuple):
    """Other places for the parts of a picture: the shapes are the same."""

    width: float
    height: float
    places: Mapping[str, tuple[float, float]]
    """The place of each part, by its key."""


class Picture(NamedTuple):
    """What the holders of some views know together, drawn."""

    width: int
    height: int
    title: str
    description: str
    """What a screen reader says: the view in words."""
    parts: tuple[Part, ...]
    """From the back to the front."""
    captions: tuple[Caption, ...] = ()
    """What a page lists beside it, numbered from 1; below it, where there is no room."""
    wide: Layout | None = None
    """The layout for a window that is wider than high; a page takes the one that is larger in its window."""

    def changed_since(self, before: "Picture") -> list[str]:
        """Return the keys of the parts that are new, look otherwise, or lie elsewhere than in *before*.

        A part of the kind `loose`, such as a card in a hand, may move without that being a change.
        """
        old = dict(before.parts)
        return [part.key for part in self.parts if not _is_same(part.svg, old.get(part.key))]

    def svg(self, before: "Picture | None" = None, *, alone: bool = False, both: bool = False) -> str:
        """Return the picture as an `<svg>` element; what changed_since(*before*) has the class `changed`.

        The colours are those of the page's style sheet, `style_sheet()`; *alone* brings them along, in a file
        that needs no page.  With *both*, `data-wide` says the size and the places of the wide layout.
        """
        changed = frozenset(self.changed_since(before) if before else ())
        wide = self.wide if both else None
        parts = [
            svg.replace(_CLASS, f"{_CLASS} changed", 1) if part.key in changed else svg
            for part, svg in zip(self.parts, self.fragments(both=both), strict=True)
        ]
        also = f' data-wide="{wide.width:g} {wide.height:g}"' if wide else ""
        style = f"<style>{style_sheet()}</style>" if alone else ""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="board" role="img"'
            f' viewBox="0 0 {self.width} {self.height}"{also}>'
            f"<title>{escape(self.title)}</title><desc>{escape(self.description)}</desc>{style}"
            f'<rect class="ground" width="{self.width}" height="{self.height}" rx="12"/>'
            f"{''.join(parts)}</svg>"
        )

    def fragments(self, *, both: bool) -> list[str]:
        """Return its parts as elements; with *both*, `data-wide` says their places in the wide layout."""
        places = self.wide.places if both and self.wide else None
        return [
            part.svg.replace("<g", '<g data-wide="{:g} {:g}"'.format(*places[part.key]), 1)
            if places is not None
            else part.svg
            for part in self.parts
        ]


@lru_cache(maxsize=8192)  # a replay draws each step for all who look, and most of a table is as before
def make_part(key: str, x: float, y: float, outline: str, content: str = "", kind: str = "") -> Part:
    """Return a part at *x*, *y*, drawn around its own origin.

    *outline* is an element with the class `outline`: the shape that is outlined when the part changed.
    *kind* are further classes, such as the colour, `hue-blue`.
    """
    classes = f"part {kind}" if kind else "part"
    return Part(
        key,
        f'<g class="{classes}" data-key="{escape(key)}" transform="translate({x:g} {y:g})">'
        f"{outline}{content}</g>",
    )


def arrange(width: float, height: float, *blocks: tuple[Sequence[Part], float, float]) -> Layout:
    """Return a second layout: the parts of each of *blocks* moved right and down, by that many units."""
    places: dict[str, tuple[float, float]] = {}
    for parts, right, down in blocks:
        for part in parts:
            x, y = _place_of(part)
            places[part.key] = x + right, y + down
    return Layout(width, height, places)


@lru_cache(maxsize=8192)
def _place_of(part: Part) -> tuple[float, float]:
    found = _PLACE.search(part.svg)
    return (float(found[1]), float(found[2])) if found else (0.0, 0.0)


def viewpoint(views: Sequence[Mapping[str, Json]], names: Sequence[str] = ()) -> str:
    """Return by words from where *views* see the table; seats have *names*, or else numbers."""
    if len(views) > 1:
        return "everything"
    seat = views[0].get("seat")
    if seat is None:
        return "as spectators see it"
    return f"as seen by {names[seat]}" if names else f"as seat {seat} sees it"


def describe(
    text: Callable[[Mapping[str, Json]], str],
    views: Sequence[Mapping[str, Json]],
    private: Sequence[str],
    past: Sequence[str] = (),
) -> str:
    """Return what *views* show in words, by *text* of the game.

    Of several views it is what is public, and of each seat its fields of the names *private*: names in lists,
    or by place.  *past* are private fields that no longer matter, which are left out.
    """
    if len(views) == 1:
        return text(views[0])
    hidden = {"seat", *private, *past}
    public = {name: value for name, value in views[0].items() if name not in hidden}
    lines = [f"Seat {view['seat']}, {name}: {_list_names(view[name])}" for view in views for name in private]
    return text(public) + "\n" + "\n".join(lines) + "\n"


def _list_names(names: Json) -> str:
    if isinstance(names, str):
        return names
    if isinstance(names, Mapping):
        return ", ".join(f"{name} on {place}" for place, name in names.items()) or "none"
    return ", ".join(map(_list_names, names)) or "none"


@cache
def style_sheet() -> str:
    """Return board.css, the style sheet of all pictures."""
    return (Path(__file__).parent / "board.css").read_text("utf-8")


def _is_same(fragment: str, old: str | None) -> bool:
    if fragment == old:
        return True
    kind = fragment[len(_BEGIN) :].partition('"')[0]
    if old is None or "loose" not in kind.split():
        return False
    return _PLACE.sub("", fragment, count=1) == _PLACE.sub("", old, count=1)


def sketch_things(
    event: Mapping[str, Json],
    fields: Sequence[str],
    draw: Callable[[str], Part | None],
    size: tuple[int, int],
) -> list[Picture]:
    """Return a picture of each thing that *fields* of *event* name, at most ten.

    *draw* returns a card or a token by its name, at 0, 0 and inside *size*; None for other text.
    """
    found: list[Picture] = []
    for text in _texts(event.get(field) for field in fields):
        part = draw(text)
        if part and len(found) < _MOST:
            found.append(Picture(*size, text, "", (part,)))
    return found


def _texts(values: Iterable[Json]) -> Iterator[str]:
    """Yield all texts in *values*, also those in lists and in objects."""
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, Mapping):
            yield from _texts(value.values())
        elif isinstance(value, (list, tuple)):
            yield from _texts(value)
