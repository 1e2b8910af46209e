"""The columns of leaderboards that are chosen, and those of a spreadsheet of marks.

Beside the ratings, marks need the author of a bot, round numbers, and who passes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ladder.errors import UsageProblem, short, suggest
from results.reports.costs import COSTS
from results.reports.document import GAME, Column, Row
from results.reports.leaderboard import ASKED_FOR, LATER, LEADERBOARD, SHOWN, GameBoard
from results.reports.review_columns import REVIEWED, WITH_MARGINS

if TYPE_CHECKING:
    from ladder.home.home import Home
    from results.reports.labels import Key

PASSES = Column("passes", "passes", lambda passes: "yes" if passes else "no", always=False)
"""The last column of tables, where a bot is named that others must pass."""
MARKS = (
    Column("author", "author"),
    Column("display_name", "display name"),
    Column("rating", "rating", right=True),
    Column("plus_minus", "+-", right=True),
    Column("win_percent", "win %", right=True),
    PASSES,
)
"""The last columns of JSON and CSV."""
MARGIN = " (95 %)"
"""What the headings of columns with intervals end with."""
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
    known = [column.key for column in (*LEADERBOARD, *MARKS, *LATER, *COSTS, *REVIEWED)] + [*IN_ROWS]
    titled = reversed((*SHOWN, *ASKED_FOR, *COSTS, *REVIEWED))  # of columns with one heading, the first
    headings = {column.title.removesuffix(MARGIN): column.key for column in titled}
    asked = [name.strip().removesuffix(MARGIN) for name in text.split(",") if name.strip()]
    names = tuple(name if name in known else headings.get(name, name) for name in asked)
    if not names:
        raise UsageProblem(f"--columns: expected names of columns, got: {short(text)!r}", _such_as(known))
    for name in names:
        if name not in known:
            what = f"--columns: there is no column {short(name)!r}{suggest(name, known)}"
            raise UsageProblem(what, _such_as(known))
    return tuple(dict.fromkeys(each for name in names for each in WITH_MARGINS.get(name, (name,))))


def _such_as(known: Sequence[str]) -> str:
    return f"known: {', '.join(known)}"


def columns_for_programs(names: Sequence[str]) -> list[Column]:
    """Return the columns of JSON and CSV: game, bot and those of these *names*; without, the usual ones."""
    usual = [GAME, *LEADERBOARD, *MARKS, *LATER]
    if not names:
        return usual
    by_name = {column.key: column for column in (*usual, *COSTS, *REVIEWED)}
    asked = [each for name in names for each in IN_ROWS.get(name, (name,))]
    return [by_name[name] for name in dict.fromkeys((GAME.key, *ALWAYS, *asked))]


def columns_for_people(names: Sequence[str]) -> list[Column]:
    """Return the columns of a table with the columns of these *names*, after the place and the bot."""
    shown = {column.key: column for column in (*SHOWN, *ASKED_FOR)}
    by_name = {column.key: column for column in (*LEADERBOARD, *MARKS, *LATER, *COSTS, *REVIEWED)}
    keys = dict.fromkeys(("place", "bot", *(IN_TABLES.get(name, name) for name in names)))
    chosen = [shown.get(key) or by_name[key] for key in keys]
    # a column that is asked for is shown even if none of its values is known
    return [replace(column, always=True, extra=False) for column in chosen]


def who_passes(boards: Iterable[GameBoard], bars: Sequence[Key]) -> dict[tuple[str, Key], bool]:
    """Return by game and bot whether it is surely above the last of *bars* on the board.

    Games in which none of *bars* is rated are left out.
    """
    found = {}
    for board in boards:
        bots = board.fit.bots
        on_board = [bots.index(bar) for bar in bars if bar in bots and bar not in board.hidden]
        if not on_board:
            continue
        mark = on_board[-1]
        for i in board.by_rating:
            passes = i != mark and board.are_compared(i, mark) and board.fit.surely_above(i, mark)
            found[board.game, bots[i]] = passes
    return found


def add_marks(rows: Iterable[Row], home: Home, passes: dict[tuple[str, Key], bool]) -> list[Row]:
    """Return *rows* of `leaderboard` with MARKS.  Bots that are no longer here have no author."""
    versions = {(each.bot, each.version): each for each in home.roster.versions()}
    marked = []
    for row in rows:
        key = (row["bot"], row["version"])
        version = versions.get(key)
        marked.append(
            {
                **row,
                "author": version.manifest.author or None if version else None,
                "display_name": version.display or row["bot"] if version else row["bot"],
                "rating": _round(row["mu"]),
                "plus_minus": _round(row["margin"]),
                "win_percent": _round(row["win_rate"], 100),
                "passes": passes.get((row["game"], key)),
            }
        )
    return marked


def _round(value: float | None, times: float = 1) -> float | None:
    return None if value is None else round(times * value, 1)
