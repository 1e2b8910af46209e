"""Compute how the ratings of all bots came about, in one reading of the matches.

`history` does it for one bot, at its own first 10, 15, 20 matches and so on; here the ratings of all are
computed after the first 10, 15, 20 matches of the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from results.rating.counting import count_matches
from results.rating.fit import Fit, Quadratic, fit
from results.rating.outcomes import Counts
from results.rating.standings import Totals
from results.reports.anchors import above_of, find_anchor
from results.reports.document import Row
from results.reports.history import finishes_of_game, milestones
from results.reports.intervals import rating_of
from results.reports.labels import Key

if TYPE_CHECKING:
    from results.rating.rated import Rated
    from results.storage.contents import Contents
    from results.storage.finishes import Finishes

WHOLE_UP_TO = 1000
"""Up to this many matches, each rating is one fit of all of them.  Later ones start from the fit before."""
MOST_MATCHES = 100_000
"""Between this many matches of a game and the last one, no rating is computed..."""
MOST_OUTCOMES = 50_000
"""...nor once the fits together had this many distinct outcomes: some ten seconds of one processor."""
FEWEST = 5
"""A bot has a rating here from this many of its own matches on."""


def histories(contents: Contents, rated: Mapping[str, Rated]) -> dict[tuple[str, Key], list[Row]]:
    """Return by game and bot its ratings after more and more matches, the last one that of *rated*.

    A row has `matches`, how many the bot had then, `run`, the newest run that counts, and its rating as in
    `rating_of` and `above_of`.
    """
    found: dict[tuple[str, Key], list[Row]] = {}
    for game, each in rated.items():
        anchors = {bot: find_anchor(each, bot) for bot in each.fit.bots}
        for run, now, own in _ratings(contents, each):
            for i, bot in enumerate(now.bots):
                rows = found.setdefault((game, bot), [])
                if own[bot] >= FEWEST and (not rows or rows[-1]["matches"] < own[bot]):
                    rows.append(_row(run, own[bot], now, i, anchors[bot]))
        for i, bot in enumerate(each.fit.bots):
            rows = found.setdefault((game, bot), [])
            standing = each.standings[bot]
            if rows and rows[-1]["matches"] >= standing.matches:
                rows.pop()
            rows.append(_row(standing.through_run, standing.matches, each.fit, i, anchors[bot]))
    return found


def _row(run: int, matches: int, now: Fit, i: int, anchor: Key | None) -> Row:
    above = above_of(now, now.bots[i], anchor)
    return {"run": run, "matches": matches, **rating_of(now, i), **above}


def _ratings(contents: Contents, rated: Rated) -> Iterator[tuple[int, Fit, dict[Key, int]]]:
    """Yield the fits of a game after more and more of its matches, with the run and each bot's matches."""
    total = sum(rated.tables.values())
    wanted = [each for each in milestones(total) if each < total and each <= MOST_MATCHES]
    before: Quadratic | None = None
    totals, done, outcomes = Totals(), 0, 0
    own: dict[Key, int] = {}
    for run, finishes in finishes_of_game(contents, rated.game):
        rest = finishes
        while wanted and len(rest.seats):
            head, rest = _split(rest, wanted[0] - done)
            totals.add(count_matches(head, run))
            done += head.matches
            if done < wanted[0]:
                continue
            counts = totals.counts.get(rated.game, Counts())
            outcomes += len(counts.outcomes)
            if outcomes > MOST_OUTCOMES:
                return
            now = fit(counts, rated.parameters, before)
            yield run, now, _add(own, counts, whole=before is None)
            if done > WHOLE_UP_TO or before:
                before, totals = now.quadratic(), Totals()
            wanted = [each for each in wanted if each > done]
        if not wanted:
            return


def _add(own: dict[Key, int], counts: Counts, *, whole: bool) -> dict[Key, int]:
    """Add each bot's matches in *counts*, or take them if these are the *whole*."""
    if whole:
        own.clear()
    for outcome, count in counts.outcomes.items():
        for bot in outcome.bots:
            own[bot] = own.get(bot, 0) + count
    return own


def _split(finishes: Finishes, matches: int) -> tuple[Finishes, Finishes]:
    """Return the first whole blocks that have at least this many *matches*, and the rest."""
    import pyarrow.compute as pc

    share = pc.divide(1.0, pc.cast(finishes.seats.column("size").combine_chunks(), "float64"))
    reached = pc.index(pc.greater(pc.cumulative_sum(share), matches - 0.001), True).as_py()
    if reached < 0:
        return finishes, finishes._replace(seats=finishes.seats.slice(0, 0))
    return finishes.split(finishes.seats.column("block")[reached].as_py() + 1)
