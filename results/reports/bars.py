"""Draw intervals as bars of characters on a common axis."""

from collections.abc import Sequence

from results.reports.document import Interval


def draw_intervals(spans: Sequence[Interval | None], width: int) -> list[str]:
    """Return a bar for each of *spans*, all *width* characters wide.

    The axis reaches from the lowest end to the highest.  A side without an end goes on to the edge.  None, an
    unknown interval, is blank.
    """
    known = [
        value for span in spans if span for value in (span.low, span.middle, span.high) if value is not None
    ]
    low, high = min(known, default=0.0), max(known, default=0.0)

    def column(value: float) -> int:
        return round((value - low) / (high - low) * (width - 1)) if high > low else 0

    return [
        " " * width
        if span is None
        else _bar(
            None if span.low is None else column(span.low),
            column(span.middle),
            None if span.high is None else column(span.high),
            width,
        )
        for span in spans
    ]


def _bar(start: int | None, middle: int, end: int | None, width: int) -> str:
    first, last = start or 0, width - 1 if end is None else end
    cells = [" "] * width
    cells[first : last + 1] = "─" * (last + 1 - first)
    if start is not None:
        cells[start] = "├"
    if end is not None:
        cells[end] = "┤"
    cells[middle] = "●"
    return "".join(cells)
