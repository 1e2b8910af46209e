"""Draw intervals as bars of characters on a common axis."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["draw_intervals"]


def draw_intervals(spans: Sequence[tuple[float, float] | None], width: int) -> list[str]:
    """Return a bar for each of *spans*, a middle and the distance to each end, all *width* characters wide.

    The axis reaches from the lowest end to the highest.  None, an unknown interval, is blank.
    """
    known = [span for span in spans if span is not None]
    low = min((middle - half for middle, half in known), default=0.0)
    high = max((middle + half for middle, half in known), default=0.0)

    def column(value: float) -> int:
        return round((value - low) / (high - low) * (width - 1)) if high > low else 0

    return [
        " " * width
        if span is None
        else _bar(column(span[0] - span[1]), column(span[0]), column(span[0] + span[1]), width)
        for span in spans
    ]


def _bar(start: int, middle: int, end: int, width: int) -> str:
    cells = [" "] * width
    cells[start : end + 1] = "─" * (end + 1 - start)
    cells[start], cells[end] = "├", "┤"
    cells[middle] = "●"
    return "".join(cells)
