"""Tell how far a bot is above another one that stays: its rating falls when others come, this does not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from results.reports.document import Column, Interval, Row
from results.reports.intervals import half_of, span_of, value_of

if TYPE_CHECKING:
    from results.rating.fit import Fit
    from results.rating.outcomes import Bot
    from results.rating.rated import Rated


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


KNOWN = ("r1-greedy", "greedy", "random")
"""The names of bots that serve without an anchor in `ladder.toml`: most lose and win against the first."""
_BESIDE = "beside the mean of {}, which moves when others come"
LONGEST = 16
"""The most characters of a name in the title of a column."""


def find_anchor(rated: Rated, bot: Bot) -> Bot | None:
    """Return the first anchor to which the difference of *bot* has both ends by now, if any has.

    That of `ladder.toml` goes first, then the bots of KNOWN; of their versions, the one that played most.
    """
    fit, told = rated.fit, rated.parameters.anchor
    i, others = fit.bots.index(bot), sorted(range(len(fit.bots)), key=lambda j: -fit.matches[j])
    first = [j for j in others if fit.bots[j] == told]
    for j in first + [j for name in KNOWN for j in others if fit.bots[j][0] == name]:
        if fit.bots[j][0] != bot[0] and None not in fit.interval_of_difference(i, j):
            return fit.bots[j]
    return None


def above_of(now: Fit, bot: Bot, anchor: Bot | None) -> Row:
    """Return `anchor`, its name, and `above`, `above_low` and `above_high`: how far *bot* is above it.

    `beside` says in words what a rating is a distance to, which is what people get without an anchor.

    All but the name are None while matches do not say it, and an end that they do not set is.
    """
    found: Row = {"anchor": anchor and anchor[0], "above": None, "above_low": None, "above_high": None}
    found["beside"] = _BESIDE.format("all bots" if len(now.groups()) == 1 else "the bots that it has met")
    if anchor in now.bots:
        i, j = now.bots.index(bot), now.bots.index(anchor)
        ends = now.interval_of_difference(i, j)
        if ends != (None, None):
            found |= {"above": now.mu[i] - now.mu[j], "above_low": ends[0], "above_high": ends[1]}
    return found


def columns_above(rows: Sequence[Row]) -> list[Column]:
    """Return the columns that tell people how a bot stood, for *rows* of its history: beside its anchor."""
    anchor = rows[-1]["anchor"] if rows else None
    key = "above" if anchor else "mu"
    title = f"above {anchor if len(anchor) <= LONGEST else 'it'}" if anchor else "rating"
    return [
        Column(key, title, right=True, kind=value_of(key, f"{key}_")),
        Column(f"{key}_margin", "+-", right=True, kind=half_of(f"{key}_")),
        Column(f"{key}_span", "95 % interval", draw=draw_intervals, kind=span_of(key, f"{key}_")),
    ]
