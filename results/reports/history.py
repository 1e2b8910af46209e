"""Compute how the rating of a bot came about: after its first 10 matches, its first 15, and so on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from results.rating.counting import count_matches
from results.rating.fit import Fit, fit
from results.rating.standings import Totals
from results.reports.anchors import above_of, columns_above, find_anchor
from results.reports.document import Column, MatchRef, Row, name_columns
from results.reports.intervals import rating_of
from results.reports.leaderboard import bot_of

if TYPE_CHECKING:
    from results.rating.outcomes import Bot
    from results.rating.rated import Rated
    from results.storage.contents import Contents
    from results.storage.finishes import Finishes

HISTORY = name_columns(
    *("bot", "version", "matches", "run", "number", "mu", "margin", "sigma", "mu_low", "mu_high"),
    *("anchor", "above", "above_low", "above_high"),
)
"""The columns of JSON and CSV; GAME goes before them.  New ones come last: scripts may count columns."""
STEPS = (10, 15, 20, 30, 50, 70)
"""The numbers of matches at which a rating is computed, up to 100; then ten times as many, and so on."""


def milestones(matches: int) -> list[int]:
    """Return the numbers of matches after which the history of a bot with *matches* has a rating.

    They grow by about half, so all of them together cost three times as much as the last.
    """
    found, power = [], 1
    while STEPS[0] * power < matches:
        found += [step * power for step in STEPS if step * power < matches]
        power *= 10
    return [*found, matches]


def history_columns(rows: Sequence[Row]) -> list[Column]:
    """Return the columns of tables, for *rows* of `history`."""
    match = Column(
        "match", "up to match", right=True, extra=True, kind=lambda row: MatchRef(row["run"], row["number"])
    )
    played = Column("matches", "matches", right=True)
    return [Column("bot", "bot", kind=bot_of), played, match, *columns_above(rows)]


def history(contents: Contents, rated: Rated, bot: Bot) -> list[Row]:
    """Return the rows of GAME and HISTORY: the rating of *bot* after more and more of its matches.

    A rating is that of all matches of the game up to the block in which the bot played the last of these.
    What was played before its first match enters as a normal distribution (Fit.quadratic): a newcomer in a
    large home costs no more than its own time.  The last rating is that of *rated*.
    """
    total, anchor = rated.standings[bot].matches, find_anchor(rated, bot)
    wanted = milestones(total)
    rows: list[Row] = []
    totals, before, played = Totals(), None, 0
    for run, part in finishes_of_game(contents, rated.game):
        finishes, own = part, _own_matches(part, bot)
        if own and not played:
            earlier, finishes = finishes.split(own[0][0])
            totals.add(count_matches(earlier, run))
            if counts := totals.counts.get(rated.game):
                before, totals = fit(counts, rated.parameters).quadratic(), Totals()
        while wanted and len(own) >= wanted[0] - played:
            block, _ = own[wanted[0] - played - 1]
            included = sum(each <= block for each, _ in own)  # a block is played whole
            upto, finishes = finishes.split(block + 1)
            totals.add(count_matches(upto, run))
            played += included
            number, own = own[included - 1][1], own[included:]
            now = rated.fit if played >= total else fit(totals.counts[rated.game], rated.parameters, before)
            rows.append(_row(rated.game, bot, played, run, number, now) | above_of(now, bot, anchor))
            wanted = [each for each in wanted if each > played]
        totals.add(count_matches(finishes, run))
        played += len(own)
    return rows


def finishes_of_game(contents: Contents, game: str) -> Iterator[tuple[int, Finishes]]:
    """Iterate over the matches of *game*, with the numbers of their runs."""
    import pyarrow.compute as pc

    for run in contents.rated_runs:
        for finishes in contents.finishes(run.run):
            of_game = pc.equal(finishes.seats.column("game"), game)
            yield run.run, finishes._replace(seats=finishes.seats.filter(of_game))


def _own_matches(finishes: Finishes, bot: Bot) -> list[tuple[int, int]]:
    """Return the block and the number of each match that *bot* played, in order."""
    import pyarrow.compute as pc

    from results.storage.schema import read_values

    seats = finishes.seats
    mine = pc.and_(pc.equal(seats.column("bot"), bot[0]), pc.equal(seats.column("version"), bot[1]))
    rows = seats.select(["block", "number"]).filter(mine)
    return [*zip(read_values(rows.column("block")), read_values(rows.column("number")), strict=True)]


def _row(game: str, bot: Bot, matches: int, run: int, number: int, now: Fit) -> Row:
    return {
        "game": game,
        "bot": bot[0],
        "version": bot[1],
        "matches": matches,
        "run": run,
        "number": number,
        **rating_of(now, now.bots.index(bot)),
    }
