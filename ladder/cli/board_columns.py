"""The columns of leaderboards that are chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ladder.errors import UsageProblem, short, suggest
from results.reports.board_marks import MARKS, REMOTE
from results.reports.clean_ratings import CLEAN
from results.reports.costs import COSTS
from results.reports.document import GAME, Column
from results.reports.leaderboard import ASKED_FOR, LATER, LEADERBOARD, SHOWN
from results.reports.review_columns import REVIEWED, WITH_MARGINS

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
    """Return the names of columns in *text*, which may also have headings of tables.

    Raises UsageProblem for a name that there is not.
    """
    known = [column.key for column in (*LEADERBOARD, *MARKS, *LATER, *BESIDE)] + [*IN_ROWS]
    titled = reversed((*SHOWN, *ASKED_FOR, *BESIDE))  # of columns with one heading, the first
    headings = {column.title.removesuffix(MARGIN): column.key for column in titled}
    asked = [name.strip().removesuffix(MARGIN) for name in text.split(",") if name.strip()]
    names = tuple(name if name in known else headings.get(name, name) for name in asked)
    if not names:
        raise UsageProblem(f"--columns: expected names of columns, got: {short(text)!r}", _such_as(known))
    for name in names:
        if name not in known:
            what = f"--columns: there is no column {short(name)!r}{suggest(name, known)}"
            raise UsageProblem(what, _such_as(known))
    return tuple(dict.fromkeys(each for name in names for each in WITH_ENDS.get(name, (name,))))


def _such_as(known: Sequence[str]) -> str:
    return f"known: {', '.join(known)}"


def columns_for_programs(names: Sequence[str]) -> list[Column]:
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
