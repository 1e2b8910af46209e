"""The lower part of a picture of Stella: for each seat its lantern, sparks, stars, fall and points."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from engines import drawing
from engines.drawing import Part
from engines.game import Json, Seat

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


def seat_table(view: Mapping[str, Json], top: float, names: tuple[str, ...], *, own: bool) -> Sequence[Part]:
    """Return the titles of the columns at the height *top*, and a row for every seat.

    *own*: the picture is drawn as the seat of the view sees the table.
    """
    parts = [_titles(top)]
    me, counts = view.get("seat") if own else None, view["counts"]
    shown = [seat for crossed in view["shown"].values() for seat in crossed]
    for seat in range(view["seats"]):
        parts += _row(
            seat,
            top + 30 + SEAT_STEP * seat,
            names,
            me == seat,
            view["scout"] == seat,
            f"{counts[seat] - shown.count(seat)} of {counts[seat]}" if counts else "",
            view["dark"] == seat,
            view["sparks"][seat],
            view["stars"][seat],
            seat in view["fallen"],
            tuple([told["scores"][seat] for told in view["rounds"]]),
            view["scores"][seat],
        )
    return parts


@lru_cache(maxsize=4096)
def _row(
    seat: Seat,
    y: float,
    names: tuple[str, ...],
    own: bool,
    asked: bool,
    crosses: str,
    dark: bool,
    sparks: int,
    stars: int,
    fallen: bool,
    rounds: tuple[int, ...],
    total: int,
) -> Sequence[Part]:
    """Return the row of a seat at the height *y*.

    *asked*: it has the lantern, which is *dark* or lights.  *crosses* are those that it still has to show; ""
    before they are counted.  *rounds* are its points in the rounds before.
    """
    label = drawing.seat_label(
        f"seat-{seat}",
        _LEFT,
        y,
        seat,
        drawing.WIDTH - 2 * _LEFT,
        names=names,
        own=own,
        asked=asked,
        kind="calm",
        taken=(_SHOWN_AT - _LEFT, drawing.WIDTH - 2 * _LEFT),
    )
    parts = [label]
    if crosses:
        parts.append(_lantern(seat, y + 17, crosses, dark))
    parts.append(_number(f"sparks-{seat}", _SPARKS_AT, y + 17, sparks))
    parts.append(_number(f"stars-{seat}", _STARS_AT, y + 17, stars, bold=True))
    if fallen:
        parts.append(_fall(seat, y + 17))
    for points, x in zip(rounds, _ROUNDS_AT, strict=False):
        parts.append(_number(f"round-{x}-{seat}", x, y + 17, points))
    parts.append(_number(f"total-{seat}", _TOTAL_AT, y + 17, total, bold=True))
    return parts


@lru_cache(maxsize=8)
def _titles(top: float) -> Part:
    columns = [(_SHOWN_AT, "to show", "start"), (_SPARKS_AT, "sparks", "end"), (_STARS_AT, "stars", "end")]
    columns += [(x, numeral, "end") for x, numeral in zip(_ROUNDS_AT, NUMERALS, strict=True)]
    columns.append((_TOTAL_AT, "all", "end"))
    content = "".join(drawing.words(title, x, 14, 19, "muted", anchor) for x, title, anchor in columns)
    return drawing.make_part("titles", 0, top, drawing.NO_OUTLINE, content)


def _lantern(seat: Seat, y: float, crosses: str, dark: bool) -> Part:
    """Return the lantern of a seat, dark on its dark side, with the crosses that it still has to show."""
    shape = drawing.mark("lantern", 10, 0, 22, "ground" if dark else "mark")
    if dark:
        shape = drawing.circle(16, 10, 0, "ink") + shape
    shape += drawing.words(crosses, 34, 0, 21)
    around = drawing.outline(102, 30, -4, -15, 15)
    return drawing.make_part(f"lantern-{seat}", _SHOWN_AT, y, around, shape, "hue-yellow")


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
