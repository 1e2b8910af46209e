"""The rows of leaderboards, from the matches and with the columns that are chosen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ladder.errors import UsageProblem, short, suggest
from ladder.replay.bot_rows import names_of
from ladder.run.match_options import known_game
from results.rating.cache import ratings_of
from results.reports.board_marks import (
    MARKS,
    NO_REVIEWS,
    REMOTE,
    REVIEWED,
    WITH_MARGINS,
    add_marks,
    add_remote,
    who_passes,
)
from results.reports.clean_ratings import CLEAN, BothRated, add_clean
from results.reports.costs import COSTS, add_costs, costs_of
from results.reports.document import GAME, Column, Row
from results.reports.labels import Key
from results.reports.leaderboard import ASKED_FOR, LATER, LEADERBOARD, SHOWN, GameBoard
from results.reports.leaderboard import leaderboard as rows_of
from results.reports.limit_sets import RatedUnder, rated_under, remote_bots
from results.storage.store import Store
from results.words import count

if TYPE_CHECKING:
    from ladder.api.asked import LeaderboardRequest
    from ladder.home.home import Home
    from results.rating.outcomes import Bot
    from results.rating.rated import Rated
    from results.storage.contents import Contents

MARGIN = " (95 %)"
"""What the headings of columns with intervals end with."""
BESIDE = (*COSTS, *REVIEWED, *CLEAN, REMOTE)
"""Columns that need more than the ratings, so they are made only where they are asked for."""
WITH_ENDS = WITH_MARGINS | {"clean": ("clean", "clean_low", "clean_high")}
"""What is shown for a column: an estimate is never without its interval."""
ALWAYS = ("bot", "version")
"""What each row for programs has."""
IN_TABLES = {"rank": "place"}
"""What tables show in the place of a column for programs."""
IN_ROWS = {"record": ("wins", "draws", "losses")}
"""What programs get in the place of a column of tables."""


def read_columns(text: str) -> tuple[str, ...]:
    """Return the columns that *text* names, as headings or not.  Raises UsageProblem for an unknown one."""
    known = [column.key for column in (*LEADERBOARD, *MARKS, *LATER, *BESIDE)] + [*IN_ROWS]
    titled = reversed((*SHOWN, *ASKED_FOR, *BESIDE))  # of columns with one heading, the first
    headings = {column.title.removesuffix(MARGIN): column.key for column in titled}
    asked = [name.strip().removesuffix(MARGIN) for name in text.split(",") if name.strip()]
    if not (names := tuple(name if name in known else headings.get(name, name) for name in asked)):
        raise UsageProblem(f"--columns: expected names of columns, got: {short(text)!r}", _such_as(known))
    for name in names:
        if name not in known:
            what = f"--columns: there is no column {short(name)!r}{suggest(name, known)}"
            raise UsageProblem(what, _such_as(known))
    return tuple(dict.fromkeys(each for name in names for each in WITH_ENDS.get(name, (name,))))


def _such_as(known: Sequence[str]) -> str:
    return f"known: {', '.join(known)}"


def _columns_for_programs(names: Sequence[str]) -> list[Column]:
    """Return the columns of JSON and CSV: game, bot and those of these *names*; without, the usual ones."""
    usual = [GAME, *LEADERBOARD, *MARKS, *LATER]
    if not names:
        return usual
    by_name = {column.key: column for column in (*usual, *BESIDE)}
    asked = [each for name in names for each in IN_ROWS.get(name, (name,))]
    return [by_name[name] for name in dict.fromkeys((GAME.key, *ALWAYS, *asked))]


def columns_for_people(names: Sequence[str]) -> list[Column]:
    """Return the columns of a table with the columns of these *names*, after the place and the bot."""
    shown = {column.key: column for column in (*SHOWN, *ASKED_FOR)}
    by_name = {column.key: column for column in (*LEADERBOARD, *MARKS, *LATER, *BESIDE)}
    keys = dict.fromkeys(("place", "bot", *(IN_TABLES.get(name, name) for name in names)))
    chosen = [shown.get(key) or by_name[key] for key in keys]
    # a column that is asked for is shown even if none of its values is known
    return [replace(column, always=True, extra=False) for column in chosen]


class Boards(NamedTuple):
    """What is asked of the leaderboards of a home: the ratings of all games, and of those that are chosen.

    *both* are those with and without faults, if asked for; *notes* say which matches are left out.
    """

    contents: Contents
    rated: Mapping[str, Rated]
    chosen: Sequence[Rated]
    both: BothRated | None
    hidden: frozenset[Key]
    columns: Sequence[str]
    notes: Sequence[str]


def read_boards(home: Home, asked: LeaderboardRequest) -> Boards:
    """Return the leaderboards that are *asked* for.  Raises NotFound, UsageProblem, NoSuchSeason."""
    columns = read_columns(asked.columns) if asked.columns is not None else ()
    wanted = known_game(asked.game) if asked.game else None
    contents = Store(home.results).contents().of_season(asked.season)
    rated, both, notes = _rate(home, contents, asked, columns)
    chosen = [each for each in rated.values() if wanted in (None, each.game)]
    hidden = frozenset[Key]() if asked.all_versions else home.hidden_versions(contents)
    return Boards(contents, rated, chosen, both, hidden, columns, notes)


def _rate(
    home: Home, contents: Contents, asked: LeaderboardRequest, columns: Iterable[str]
) -> tuple[dict[str, Rated], BothRated | None, list[str]]:
    """Return the ratings from the matches that are *asked* for, and say how many are left out.

    If they, or *columns*, are about faults, return also those with and without faults.
    """
    seats, notes = asked.seats or 0, []
    now = home.held_to(home.roster.active()) if asked.limits else None
    every = rated_under(contents, now, seats) if now else RatedUnder(ratings_of(contents, seats), 0)
    if now:
        notes.append(f"under the limits of now; {count(every.left_out, 'match')} under others left out")
    if not asked.clean and {column.key for column in CLEAN}.isdisjoint(columns):
        return every.rated, None, notes
    clean = rated_under(contents, now, seats, clean=True)
    if asked.clean and (faulty := clean.left_out - every.left_out):
        notes.append(f"without faults; {count(faulty, 'match')} with a charged fault left out")
    elif asked.clean:
        notes.append("no bot was charged with a fault: all these matches count")
    return clean.rated if asked.clean else every.rated, BothRated(every.rated, clean.rated), notes


def mark_rows(
    home: Home,
    contents: Contents,
    listed: Sequence[GameBoard],
    seats: int | None,
    top: int | None,
    bar: str | None,
    columns: Sequence[str],
    both: BothRated | None,
) -> tuple[list[Row], list[Column], dict[tuple[str, Key], bool]]:
    """Return the first *top* rows of each of the *listed* boards, their columns for programs, and who passes.

    A bot passes that is surely above *bar*.  The *columns* are chosen by name; without, they are the usual
    ones.  *both*: the ratings with and without faults, if asked for.
    """
    bars = rated_versions(home, bar, {bot for board in listed for bot in board.fit.bots}) if bar else []
    passes = who_passes(listed, bars)
    of_costs = {column.key for column in COSTS}
    costs = costs_of(contents, seats) if of_costs.intersection(columns) else {}
    rows = [row for board in listed for row in rows_of(board)[:top]]
    names = names_of(home.roster.versions())  # once: it reads the record of every bot
    marked = add_costs(add_marks(rows, names, passes), costs)
    marked = add_remote(marked, remote_bots(contents))
    if any(column.key in columns for column in REVIEWED):
        from ladder.replay.review.board_reviews import add_reviews, reviews_of

        marked = add_reviews([{**NO_REVIEWS, **row} for row in marked], reviews_of(contents, seats))
    marked, more = (add_clean(marked, both), CLEAN) if both else (marked, ())
    more = (*more, REMOTE) if any(row["remote"] for row in marked) else more
    return marked, [*_columns_for_programs(columns), *(() if columns else more)], passes


def rated_versions(home: Home, bot: str, rated: Iterable[Bot]) -> list[Bot]:
    """Return the version that *bot* names, or all *rated* versions of that name, the oldest first.

    Python functions that played are rated without having been submitted.  Raises NotFound if there is no
    such bot.
    """
    versions = [key for key in rated if key[0] == bot]
    if not versions:
        found = home.roster.find(bot)
        versions = [(found.bot, found.version)]
    numbers = home.roster.numbers()
    return sorted(versions, key=lambda key: (numbers.get(key, 0), key))
