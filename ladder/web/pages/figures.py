"""The small pictures in rows of tables: intervals on a common axis, and bars.

They are SVG with classes; the colours are in site.css.  Each has its numbers beside it or in its title.
"""

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from ladder.web.pages.bot_marks import BotMark, draw_mark
from ladder.web.pages.environment import visible
from results.reports.document import Interval

WIDTH, HEIGHT, EDGE = 180, 16, 4
ROOM = 0.1
"""The share of the axis that is left for a line without an end."""
SHADES = 10
"""The heat map has classes heat-0 (nothing won) to heat-10 (everything)."""


class Axis(NamedTuple):
    """The range of values that all intervals of a column share."""

    low: float
    high: float
    mark: float | None = None
    """A value with a thin line in every row, such as one half."""

    def place(self, value: float) -> float:
        """Return where *value* stands, in units of the picture."""
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return round(EDGE + (WIDTH - 2 * EDGE) * min(1.0, max(0.0, share)), 1)


def axis_of(spans: Sequence[Interval | None]) -> Axis:
    """Return the axis that holds all *spans*, with room on a side where one of them has no end."""
    drawn = [span for span in spans if span is not None]
    known = [value for span in drawn for value in (span.low, span.middle, span.high) if value is not None]
    low, high = min(known, default=0.0), max(known, default=1.0)
    room = (high - low) * ROOM
    return Axis(
        low - room * any(span.low is None for span in drawn),
        high + room * any(span.high is None for span in drawn),
    )


def dot_in_interval(value: float, span: Interval | None, axis: Axis, bot: BotMark, text: str) -> Markup:
    """Return the mark of a *bot* at *value* on the line of its *span*; *text* says it in words.

    Without a span only the mark is there: nothing is known of how sure it is.  Where one end is known, the
    mark stands there, and an arrow goes on to the edge.
    """
    middle = HEIGHT // 2
    line = mark = Markup("")
    if axis.mark is not None:
        mark = Markup('<path class="mark" d="M{} 0v{}"/>').format(axis.place(axis.mark), HEIGHT)
    if span is not None:
        start, end = (None if each is None else axis.place(each) for each in (span.low, span.high))
        caps = f"M{start} {middle - 3}v6M{end} {middle - 3}v6"
        if span.low is None and span.high is not None:
            value, start, caps = span.high, 1, f"M6 {middle - 4}L1 {middle}l5 4"
        elif span.high is None and span.low is not None:
            value, end, caps = span.low, WIDTH - 1, f"M{WIDTH - 6} {middle - 4}l5 4l-5 4"
        line = Markup('<path class="line" d="M{} {}H{}{}"/>').format(start, middle, end, caps)
    dot = draw_mark(bot, axis.place(value), middle)
    return Markup(
        '<svg class="interval series-{}" viewBox="0 0 {} {}" role="img"><title>{}</title>{}{}{}</svg>'
    ).format(bot.series, WIDTH, HEIGHT, visible(text), mark, line, dot)


def bar(share: float, text: str) -> Markup:
    """Return a bar that fills a *share* of its track; *text* says it in words."""
    filled = max(1.0, round(60 * min(1.0, share), 1))
    return Markup(
        '<svg class="bar{}" viewBox="0 0 60 8" role="img"><title>{}</title>'
        '<rect class="track" width="60" height="8"/><rect class="filled" width="{}" height="8"/></svg>'
    ).format(" over" if share > 1 else "", visible(text), filled)


def heat(share: float, half: float) -> str:
    """Return the classes of a cell: its shade by *share*; pale if its interval (*half* a side) is wide."""
    pale = " pale" if half > 0.2 else " dim" if half > 0.1 else ""
    return f"heat heat-{round(share * SHADES)}{pale}"
