"""Compute how the rating of a bot came about: after its first 10 matches, its first 15, and so on.

`history` does it for one bot.  `histories` does it for all in one reading of the matches: after the first 10,
15, 20 matches of the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from results.rating.fit import Fit, Quadratic, fit
from results.rating.outcomes import Counts
from results.rating.standings import Totals
from results.reports.anchors import above_of, columns_above, find_anchor
from results.reports.document import Column, MatchRef, Row, name_columns
from results.reports.intervals import rating_of
from results.reports.labels import Key
from results.reports.leaderboard import bot_of
from results.storage.arrow import pc

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

WHOLE_UP_TO = 1000
"""Up to this many matches, each rating is one fit of all of them.  Later ones start from the fit before."""
MOST_MATCHES = 100_000
"""Between this many matches of a game and the last one, no rating is computed..."""
MOST_OUTCOMES = 50_000
"""...nor once the fits together had this many distinct outcomes: some ten seconds of one processor."""
FEWEST = 5
"""A bot has a rating here from this many of its own matches on."""


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
    from results.rating.counting import count_matches

    total, anchor = rated.standings[bot].matches, find_anchor(rated, bot)
    wanted = milestones(total)
    rows: list[Row] = []
    totals, before, played = Totals(), None, 0
    for run, part in _finishes_of_game(contents, rated.game):
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


def _finishes_of_game(contents: Contents, game: str) -> Iterator[tuple[int, Finishes]]:
    """Iterate over the matches of *game*, with the numbers of their runs."""
    for run in contents.rated_runs:
        for finishes in contents.finishes(run.run):
            of_game = pc.equal(finishes.seats.column("game"), game)
            yield run.run, finishes._replace(seats=finishes.seats.filter(of_game))


def _own_matches(finishes: Finishes, bot: Bot) -> list[tuple[int, int]]:
    """Return the block and the number of each match that *bot* played, in order."""
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


# --- of all bots


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
                    rows.append(_point(run, own[bot], now, i, anchors[bot]))
        for i, bot in enumerate(each.fit.bots):
            rows = found.setdefault((game, bot), [])
            standing = each.standings[bot]
            if rows and rows[-1]["matches"] >= standing.matches:
                rows.pop()
            rows.append(_point(standing.through_run, standing.matches, each.fit, i, anchors[bot]))
    return found


def _point(run: int, matches: int, now: Fit, i: int, anchor: Key | None) -> Row:
    above = above_of(now, now.bots[i], anchor)
    return {"run": run, "matches": matches, **rating_of(now, i), **above}


def _ratings(contents: Contents, rated: Rated) -> Iterator[tuple[int, Fit, dict[Key, int]]]:
    """Yield the fits of a game after more and more of its matches, with the run and each bot's matches."""
    from results.rating.counting import count_matches

    total = sum(rated.tables.values())
    wanted = [each for each in milestones(total) if each < total and each <= MOST_MATCHES]
    before: Quadratic | None = None
    totals, done, outcomes = Totals(), 0, 0
    own: dict[Key, int] = {}
    for run, finishes in _finishes_of_game(contents, rated.game):
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
            if before is None:
                own.clear()
            for bot, matches in zip(now.bots, now.matches, strict=True):
                own[bot] = own.get(bot, 0) + matches
            yield run, now, own
            if done > WHOLE_UP_TO or before:
                before, totals = now.quadratic(), Totals()
            wanted = [each for each in wanted if each > done]
        if not wanted:
            return


def _split(finishes: Finishes, matches: int) -> tuple[Finishes, Finishes]:
    """Return the first whole blocks that have at least this many *matches*, and the rest."""
    share = pc.divide(1.0, pc.cast(finishes.seats.column("size").combine_chunks(), "float64"))
    reached = pc.index(pc.greater(pc.cumulative_sum(share), matches - 0.001), True).as_py()
    if reached < 0:
        return finishes, finishes._replace(seats=finishes.seats.slice(0, 0))
    return finishes.split(finishes.seats.column("block")[reached].as_py() + 1)
