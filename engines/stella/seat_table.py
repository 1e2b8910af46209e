"""The lower part of a picture of Stella: for each seat its lantern, sparks, stars, fall and points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from engines import drawing
from engines.drawing import Part
from engines.game import Json, Seat

__all__ = ["NUMERALS", "SEAT_STEP", "seat_table"]

NUMERALS: Final = ("I", "II", "III", "IV")
"""The names of the rounds, as printed on the tokens."""
SEAT_STEP: Final = 38
"""The height of a row."""
_LEFT: Final = 12
_SHOWN_AT: Final = 206
"""The left end of the lantern; the other columns follow by their right ends."""
_SPARKS_AT: Final = 358
_STARS_AT: Final = 416
_ROUNDS_AT: Final = (475, 510, 545, 580)
_TOTAL_AT: Final = drawing.WIDTH - 18


def seat_table(view: Mapping[str, Json], top: float, names: Sequence[str], *, own: bool) -> Iterator[Part]:
    """Yield the titles of the columns at the height *top*, and a row for every seat.

    *own*: the picture is drawn as the seat of the view sees the table.
    """
    yield _titles(top)
    for seat in range(view["seats"]):
        y = top + 30 + SEAT_STEP * seat
        yield drawing.seat_label(
            f"seat-{seat}",
            _LEFT,
            y,
            seat,
            drawing.WIDTH - 2 * _LEFT,
            names=names,
            own=own and view.get("seat") == seat,
            asked=view["scout"] == seat,
            kind="calm",
            taken=(_SHOWN_AT - _LEFT, drawing.WIDTH - 2 * _LEFT),
        )
        if view["counts"]:
            yield _lantern(view, seat, y + 17)
        yield _number(f"sparks-{seat}", _SPARKS_AT, y + 17, view["sparks"][seat])
        yield _number(f"stars-{seat}", _STARS_AT, y + 17, view["stars"][seat], bold=True)
        if seat in view["fallen"]:
            yield _fall(seat, y + 17)
        for told, x in zip(view["rounds"], _ROUNDS_AT, strict=False):
            yield _number(f"round-{x}-{seat}", x, y + 17, told["scores"][seat])
        yield _number(f"total-{seat}", _TOTAL_AT, y + 17, view["scores"][seat], bold=True)


@lru_cache(maxsize=8)
def _titles(top: float) -> Part:
    columns = [(_SHOWN_AT, "to show", "start"), (_SPARKS_AT, "sparks", "end"), (_STARS_AT, "stars", "end")]
    columns += [(x, numeral, "end") for x, numeral in zip(_ROUNDS_AT, NUMERALS, strict=True)]
    columns.append((_TOTAL_AT, "all", "end"))
    content = "".join(drawing.words(title, x, 14, 19, "muted", anchor) for x, title, anchor in columns)
    return drawing.make_part("titles", 0, top, drawing.NO_OUTLINE, content)


def _lantern(view: Mapping[str, Json], seat: Seat, y: float) -> Part:
    """Return the lantern of a seat, dark on its dark side, with the crosses that it still has to show."""
    total = view["counts"][seat]
    left = total - sum(seat in crossed for crossed in view["shown"].values())
    return _lantern_part(seat, y, f"{left} of {total}", view["dark"] == seat)


@lru_cache(maxsize=512)
def _lantern_part(seat: Seat, y: float, crosses: str, dark: bool) -> Part:
    shape = drawing.mark("lantern", 10, 0, 22, "ground" if dark else "mark")
    if dark:
        shape = drawing.circle(16, 10, 0, "ink") + shape
    return drawing.make_part(
        f"lantern-{seat}",
        _SHOWN_AT,
        y,
        drawing.outline(102, 30, -4, -15, 15),
        shape + drawing.words(crosses, 34, 0, 21),
        "hue-yellow",
    )


@lru_cache(maxsize=8)
def _fall(seat: Seat, y: float) -> Part:
    shape, fall = drawing.circle(12, kind="outline"), drawing.mark("fall", 0, 0, 20)
    return drawing.make_part(f"fall-{seat}", _STARS_AT + 15, y, shape, fall, "hue-vermilion")


@lru_cache(maxsize=1024)
def _number(key: str, x: float, y: float, number: int, *, bold: bool = False) -> Part:
    """Return a number that ends at *x*; it is not outlined when it begins again at 0."""
    wide = drawing.text_width(str(number), 21)
    content = drawing.words(str(number), 0, 0, 21, "ink strong" if bold else "ink", "end")
    around = drawing.outline(wide + 6, 24, -wide - 3, -12, 6)
    return drawing.make_part(key, x, y, around, content, "" if number else "calm")
