"""List the pairs of bots of one game: by how much one is above the other, and how sure that is."""

from itertools import combinations

from results.rating.one_sided import Z_95
from results.reports.document import BotRef, Column, Row, digits
from results.reports.doubts import bots_without_order
from results.reports.labels import Key
from results.reports.leaderboard import GameBoard, bot_of

PAIRS = (
    Column("bot", "bot"),
    Column("version", "version"),
    Column("rival", "rival"),
    Column("rival_version", "rival version"),
    Column("difference", "difference", digits(2), right=True),
    Column("margin", "+-", digits(2), right=True),
    Column("se", "se", digits(2), right=True),
    Column("p_above", "p above", digits(4), right=True),
    Column("told_apart", "told apart"),
)
"""The columns of JSON and CSV; GAME goes before them."""


def pairs(board: GameBoard, top: int | None = None) -> list[Row]:
    """Return the rows of GAME and PAIRS: each two bots, the better one first, in the order of their places.

    With *top*, only those among the first *top* bots.  The difference of bots that were never compared,
    directly or by way of others, is not known: None.  So is the chance that one of a cycle is above another.
    """
    alike = bots_without_order(board)
    return [_row(board, i, j, alike) for i, j in combinations((board.ranked + board.unranked)[:top], 2)]


def _row(board: GameBoard, i: int, j: int, alike: frozenset[Key]) -> Row:
    fit = board.fit
    better, worse = fit.bots[i], fit.bots[j]
    difference, se = fit.difference(i, j)
    known = board.are_compared(i, j)
    return {
        "game": board.game,
        "bot": better[0],
        "version": better[1],
        "rival": worse[0],
        "rival_version": worse[1],
        "difference": difference if known else None,
        "margin": Z_95 * se if known else None,
        "se": se if known else None,
        "p_above": fit.p_above(i, j) if known and not alike.issuperset((better, worse)) else None,
        "told_apart": not board.is_open(i, j),
    }


def _percent(p: float) -> str:
    return f"{100 * p:.1f} %" if p < 0.9995 else ">99.9 %"


def _state(row: Row) -> str:
    """Return whether the two of *row* are told apart, in words."""
    if row["difference"] is None:
        return "never compared"
    return "told apart" if row["told_apart"] else "open"


SHOWN_PAIRS = (
    Column("bot", "bot", kind=bot_of),
    Column("rival", "is above", kind=lambda row: BotRef(row["rival"], row["rival_version"])),
    Column("difference", "by", digits(1), right=True),
    Column("margin", "+-", digits(1), right=True),
    Column("p_above", "likely", _percent, right=True),
    Column("state", "", kind=_state),
)
"""The columns of tables, for rows of `pairs`."""
