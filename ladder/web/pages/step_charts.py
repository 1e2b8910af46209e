"""Charts over the steps of a match, which stand below its replay, aligned with the timeline.

A chart is as wide as the page: its units across are steps, and the browser stretches them.  Its units down
are pixels, so marks at its right end keep their shapes.  viewer.js marks in each chart the step shown.
The timeline itself, which viewer-panels.js draws, has the same points; here is where they lie.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from markupsafe import Markup

from engines.drawing import SEAT_MARKS, seat_mark
from ladder.replay.review.loss_names import verdict_of
from ladder.replay.steps import FullPosition
from ladder.web.pages.environment import visible
from results.record import Json
from results.reviewed import ReviewedStep

HEIGHT: Final = 132
ROW: Final = 26
"""The height of the row of a seat, where each has its own."""
ENDS: Final = 18
"""The width of the marks at the ends of lines, as in viewer.css and viewer-panels.js."""
NOTHING: Final = Markup("")
_EDGE: Final = 8
"""What is free above and below lines."""
_APART: Final = 11
"""The least distance of two marks at the ends of lines."""
_TIMELINE: Final = 56
"""The height of the timeline."""
_TOP: Final = 6
_BOTTOM: Final = 40
"""What the lines of points take of the timeline: below them are the numbers of rounds."""


class StepChart(NamedTuple):
    """A chart below a replay."""

    title: str
    description: str
    """What it shows, in a few words beside its title."""
    drawing: Markup
    """As step_chart returns it."""


def _step_chart(title: str, last: int, height: int, shapes: Markup, ends: Markup = NOTHING) -> Markup:
    """Return *shapes* over the steps 0 to *last* as an SVG, with *ends*, ENDS wide, at the right."""
    return Markup(
        '<svg class="viewer-over" role="img" viewBox="0 0 {last} {height}" height="{height}"'
        ' preserveAspectRatio="none"><title>{title}</title>{shapes}</svg>'
        '<svg class="viewer-ends" viewBox="0 0 {wide} {height}" width="{wide}" height="{height}"'
        ' aria-hidden="true">{ends}</svg>'
    ).format(last=max(1, last), height=height, title=visible(title), shapes=shapes, ends=ends, wide=ENDS)


def draw_points(positions: Sequence[FullPosition], labels: Sequence[str]) -> StepChart | None:
    """Return the points of the seats, called by *labels*, over *positions*; None if no view tells them."""
    told = {position.step: position.points for position in positions if position.points}
    if not told:
        return None
    low, high = _range(told.values())

    def y(value: int) -> float:
        return round(HEIGHT - _EDGE - (HEIGHT - 2 * _EDGE) * (value - low) / (high - low), 1)

    lines = []
    for seat in range(len(labels)):
        first, *_ = told
        path, before = f"M{first} {y(told[first][seat]):g}", told[first][seat]
        for step, points in told.items():
            if points[seat] != before:
                path, before = f"{path}H{step}V{y(points[seat]):g}", points[seat]
        lines.append(_line(seat, f"{path}H{positions[-1].step}"))
    final = list(told.values())[-1]
    reached = ", ".join(f"{label} {points}" for label, points in zip(labels, final, strict=True))
    ends = _marks_at({seat: y(points) for seat, points in enumerate(final)})
    shapes = _rounds(positions, HEIGHT) + Markup("").join(lines)
    drawing = _step_chart(f"Points by step; at the end {reached}", positions[-1].step, HEIGHT, shapes, ends)
    return StepChart("Points", f"{low} to {high}", drawing)


def lay_timeline(
    positions: Sequence[FullPosition], chances: Mapping[int, Sequence[int | None]]
) -> dict[str, Json]:
    """Return the timeline of *positions*: its height, what its lines show and where, and their marks' places.

    They show the *chances* by step and seat in percent, if a review has them, else points.  `low` and `high`
    are in these, all others pixels from its top; `ends` are by seat, none where nothing is told.
    """
    points = [position.points for position in positions if position.points]
    low, high = (0, 100) if chances else _range(points)
    final = [*chances.values()][-1] if chances else points[-1] if points else ()
    reached = {
        seat: _BOTTOM - (_BOTTOM - _TOP) * (value - low) / (high - low)
        for seat, value in enumerate(final)
        if value is not None
    }
    places = [round(y, 1) for y in _spread([*reached.values()], 5, _TIMELINE - 4, 10)]
    ends = [dict(zip(reached, places, strict=True)).get(seat) for seat in range(len(final))]
    return {"height": _TIMELINE, "top": _TOP, "bottom": _BOTTOM, "low": low, "high": high, "ends": ends}


def draw_thinking(positions: Sequence[FullPosition], seats: Mapping[int, str]) -> StepChart | None:
    """Return how long each of *seats*, called by their labels, thought; None if no time is known.

    Leave out people, whose times are private, and seats whose decisions must not be seen.
    """
    thoughts = [
        (position.step, decision)
        for position in positions
        for decision in position.decisions
        if decision.seat in seats and decision.think_us is not None
    ]
    longest = max((decision.think_us or 0 for _, decision in thoughts), default=0)
    if not longest:
        return None
    rows = {seat: at for at, seat in enumerate(seats)}
    stems: dict[tuple[int, bool], str] = {}
    for step, decision in thoughts:
        foot = ROW * (rows[decision.seat] + 1) - 3
        up = max(1.0, (ROW - 6) * (decision.think_us or 0) / longest)
        key = (decision.seat, decision.long)
        stems[key] = f"{stems.get(key, '')}M{step} {foot}v{-up:.1f}"
    height, last = ROW * len(rows), positions[-1].step
    shapes = _rounds(positions, height)
    for (seat, long), path in sorted(stems.items()):
        shapes += _line(seat, path, " viewer-stem-long" if long else " viewer-stem")
    ends = Markup("").join(_mark(seat, ROW * at + ROW / 2) for seat, at in rows.items())
    sums = dict.fromkeys(seats, 0)
    for _, decision in thoughts:
        sums[decision.seat] += decision.think_us or 0
    in_all = ", ".join(f"{label} {_milliseconds(sums[seat])}" for seat, label in seats.items())
    drawing = _step_chart(f"Thinking time by step; in all {in_all}", last, height, shapes, ends)
    return StepChart("Thinking time", f"by seat, up to {_milliseconds(longest)}", drawing)


def draw_chances(rows: Sequence[ReviewedStep], labels: Sequence[str], last: int) -> StepChart | None:
    """Return the chances of the seats as a review found them, each by what it knew, up to step *last*.

    Decisions with a name have a mark, which says what they cost.  Chances with open cards, if the review has
    them, are dotted lines.  None if the review has no chances.
    """

    def height(chance: float) -> float:
        return round(HEIGHT - _EDGE - (HEIGHT - 2 * _EDGE) * chance, 1)

    def go_on(lines: dict[int, str], row: ReviewedStep, y: float) -> None:
        lines[row.seat] = f"{lines[row.seat]}L{row.step} {y:g}" if row.seat in lines else f"M{row.step} {y:g}"

    opened: dict[int, str] = {}
    lines: dict[int, str] = {}
    marks: dict[int, Markup] = {}
    ends: dict[int, float] = {}
    for row in rows:
        if row.chance_seen is None:
            continue
        y = ends[row.seat] = height(row.chance_seen)
        go_on(lines, row, y)
        if row.chance_open is not None:
            go_on(opened, row, height(row.chance_open))
        if row.loss is not None and (name := verdict_of(row.loss, row.loss_se or 0.0)):
            told = f"Step {row.step}, {labels[row.seat]}: {name}, {100 * row.loss:.0f} %"
            marks[row.seat] = marks.get(row.seat, NOTHING) + Markup(
                '<path class="viewer-series viewer-stem-long" data-step="{0}" d="M{0} {1:g}v10">'
                "<title>{2}</title></path>"
            ).format(row.step, max(0.0, y - 5), visible(told))
    if not lines:
        return None
    dotted = (_line(seat, path, " viewer-open") for seat, path in opened.items())
    seen = (_line(seat, path) for seat, path in lines.items())
    shapes = Markup("").join([*dotted, *seen, *marks.values()])
    named = sum(mark.count("<title>") for mark in marks.values())
    plural = "" if named == 1 else "s"
    title = f"Chances by step, by what each seat knew; {named or 'no'} decision{plural} named"
    half = Markup('<path class="viewer-round" d="M0 {0}H{1}"/>').format(HEIGHT // 2, max(1, last))
    drawing = _step_chart(title, last, HEIGHT, half + shapes, _marks_at(ends))
    unit = "chance to win" if len(labels) == 2 else "share of the others to be beaten"
    with_open = "; dotted: with open cards" if opened else ""
    return StepChart("Chances", f"{unit}, 0 to 100 %, by what each seat knew{with_open}", drawing)


def _line(seat: int, path: str, more: str = "") -> Markup:
    return Markup('<path class="viewer-series{} {}" d="{}"/>').format(more, _hue(seat), path)


def _rounds(positions: Sequence[FullPosition], height: int) -> Markup:
    """Return a line where each round begins."""
    starts = [
        position.step
        for at, position in enumerate(positions)
        if position.round is not None and (not at or positions[at - 1].round != position.round)
    ]
    path = "".join(f"M{step} 0V{height}" for step in starts)
    return Markup('<path class="viewer-round" d="{}"/>').format(path) if path else NOTHING


def _range(told: Iterable[Sequence[int]]) -> tuple[int, int]:
    """Return the least and the most of all points *told*; 0 and 1 are always between them."""
    values = [0, 1, *(value for points in told for value in points)]
    return min(values), max(values)


def _marks_at(heights: Mapping[int, float]) -> Markup:
    """Return the marks of the seats at these *heights*, by seat: in their order, and none upon another."""
    places = _spread([*heights.values()], _APART / 2, HEIGHT - _APART / 2, _APART)
    return Markup("").join(_mark(seat, y) for seat, y in zip(heights, places, strict=True))


def _spread(heights: Sequence[float], top: float, bottom: float, apart: float) -> list[float]:
    """Return places near *heights*, in their order, from *top* to *bottom*.

    No two are nearer than *apart*, or than there is room for.
    """
    apart = min(apart, (bottom - top) / max(1, len(heights) - 1))
    places, free = [0.0] * len(heights), top
    order = sorted(range(len(heights)), key=lambda seat: heights[seat])
    for at, seat in enumerate(order):
        most = bottom - apart * (len(order) - 1 - at)
        places[seat] = max(free, min(heights[seat], most))
        free = places[seat] + apart
    return places


def _mark(seat: int, y: float) -> Markup:
    return Markup(seat_mark(seat, ENDS / 2 + 2, y, 10))  # noqa: S704 - made of numbers and names of our own


def _hue(seat: int) -> str:
    return SEAT_MARKS[seat % len(SEAT_MARKS)][1]


def _milliseconds(us: int) -> str:
    return f"{us / 1000:,.1f} ms" if us < 10_000 else f"{us / 1000:,.0f} ms"
