"""Tell how far a bot is above another one that stays: its rating falls when others come, this does not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from results.reports.bars import draw_intervals
from results.reports.document import Column, Interval, Number, Row
from results.reports.intervals import margin_shown, rating_shown, span_of, tell_estimate

if TYPE_CHECKING:
    from results.rating.fit import Fit
    from results.rating.outcomes import Bot
    from results.rating.rated import Rated

KNOWN = ("r1-greedy", "greedy", "random")
"""The names of bots that serve without an anchor in `ladder.toml`: most lose and win against the first."""
LONGEST = 16
"""The most characters of a name in the title of a column."""
BESIDE_ALL = "beside the mean of all bots, which moves when others come"


def find_anchor(rated: Rated, bot: Bot) -> Bot | None:
    """Return the first anchor to which the difference of *bot* has both ends by now, if any has."""
    fit = rated.fit
    i = fit.bots.index(bot)
    for j in _anchors(rated):
        if fit.bots[j][0] != bot[0] and None not in fit.interval_of_difference(i, j):
            return fit.bots[j]
    return None


def _anchors(rated: Rated) -> Iterator[int]:
    """Yield the anchor of `ladder.toml`, then the bots of KNOWN; of versions, first what played most."""
    fit = rated.fit
    if rated.parameters.anchor in fit.bots:
        yield fit.bots.index(rated.parameters.anchor)
    for name in KNOWN:
        versions = [i for i, (bot, _) in enumerate(fit.bots) if bot == name]
        yield from sorted(versions, key=lambda i: -fit.matches[i])


def above_of(now: Fit, bot: Bot, anchor: Bot | None) -> Row:
    """Return `anchor`, its name, and `above`, `above_low` and `above_high`: how far *bot* is above it.

    All but the name are None while matches do not say it, and an end that they do not set is.
    """
    found: Row = {"anchor": anchor and anchor[0], "above": None, "above_low": None, "above_high": None}
    if anchor in now.bots:
        i, j = now.bots.index(bot), now.bots.index(anchor)
        ends = now.interval_of_difference(i, j)
        if ends != (None, None):
            found |= {"above": now.mu[i] - now.mu[j], "above_low": ends[0], "above_high": ends[1]}
    return found


def columns_above(rows: Sequence[Row]) -> list[Column]:
    """Return the columns that tell people how a bot stood, for *rows* of its history: beside its anchor."""
    if not (anchor := rows[-1]["anchor"] if rows else None):
        return [
            Column("mu", "rating", right=True, kind=rating_shown),
            Column("margin", "+-", right=True, kind=margin_shown),
            Column("span", "95 % interval", draw=draw_intervals, kind=span_of),
        ]
    return [
        Column("above", f"above {anchor if len(anchor) <= LONGEST else 'it'}", right=True, kind=_above),
        Column("above_margin", "+-", right=True, kind=_margin),
        Column("above_span", "95 % interval", draw=draw_intervals, kind=_span),
    ]


def _above(row: Row) -> Number | None:
    return None if row["above"] is None else tell_estimate(row["above"], row["above_low"], row["above_high"])


def _margin(row: Row) -> Number | None:
    low, high = row["above_low"], row["above_high"]
    return None if None in (low, high) else Number((high - low) / 2, 1)


def _span(row: Row) -> Interval | None:
    ends = row["above_low"], row["above_high"]
    return None if row["above"] is None else Interval(row["above"], *ends, bot=row.get("bot", ""))
