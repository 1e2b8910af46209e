"""The columns of a spreadsheet of marks: who wrote a bot, round numbers, and who passes."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from results.reports.document import Column, Row, digits
from results.reports.labels import Key
from results.reports.leaderboard import GameBoard

REVIEWED: Final = (
    Column("error", "error %", digits(2), right=True),
    Column("error_margin", "+-", digits(2), right=True),
    Column("luck", "luck %", "{:+.1f}".format, right=True),
    Column("luck_margin", "+-", digits(1), right=True),
    Column("reviewed_matches", "reviewed", right=True),
    Column("matches_with_luck", "with luck", right=True),
)
"""The columns of a leaderboard about reviews, in % of a result: a mean a decision, and one a match."""
WITH_MARGINS: Final = {"error": ("error", "error_margin"), "luck": ("luck", "luck_margin")}
"""What is shown for a column: a mean is never without its interval."""
NO_REVIEWS: Final[Row] = dict.fromkeys(column.key for column in REVIEWED)
"""The values of a bot without a review."""


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
REMOTE = Column("remote", "remote", lambda remote: "yes" if remote else "no")
"""The last column, where there are bots on the machines of their authors."""


def add_remote(rows: Iterable[Row], away: Collection[Key]) -> list[Row]:
    """Return *rows* of bots, with the mark of those that are *away*, on the machines of their authors."""
    return [{**row, "remote": (row["bot"], row["version"]) in away} for row in rows]


def who_passes(boards: Iterable[GameBoard], bars: Sequence[Key]) -> dict[tuple[str, Key], bool]:
    """Return by game and bot whether it is surely above the last of *bars*; not where none is rated."""
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


def add_marks(
    rows: Iterable[Row],
    names: Mapping[Key, tuple[str | None, str]],
    passes: Mapping[tuple[str, Key], bool] = MappingProxyType({}),
) -> list[Row]:
    """Return *rows* with MARKS; *names* are the author and display name of each version that is here."""
    marked = []
    for row in rows:
        key = (row["bot"], row["version"])
        author, display_name = names.get(key, (None, row["bot"]))
        marked.append(
            {
                **row,
                "author": author,
                "display_name": display_name,
                "rating": _round(row["mu"]),
                "plus_minus": _round(row["margin"]),
                "win_percent": _round(row["win_rate"], 100),
                "passes": passes.get((row["game"], key)),
            }
        )
    return marked


def _round(value: float | None, times: float = 1) -> float | None:
    return None if value is None else round(times * value, 1)
