"""List the pairs of bots of one game: by how much one is above the other, and how sure that is."""

from itertools import combinations

from results.rating.one_sided import Z_95
from results.reports.document import BotRef, Column, Row, name_columns
from results.reports.doubts import bots_without_order
from results.reports.intervals import half_of, value_of
from results.reports.labels import Key
from results.reports.leaderboard import GameBoard, bot_of

PAIRS = name_columns(
    *("bot", "version", "rival", "rival_version", "difference", "margin", "se"),
    *("p_above", "told_apart", "low", "high"),
)
"""The columns of JSON and CSV; GAME goes before them."""


def pairs(board: GameBoard, top: int | None = None) -> list[Row]:
    """Return the rows of GAME and PAIRS: each two bots, the higher rated first, in the order of their places.

    With *top*, only those among the first *top* bots.  Where no results lead from one of two bots to the
    other, all is None: nothing is known of their difference.  Of two in a cycle, none is likely above.
    """
    listed, mu = (board.ranked + board.unranked)[:top], board.fit.mu
    alike = bots_without_order(board)
    return [_row(board, alike, *sorted(pair, key=lambda i: -mu[i])) for pair in combinations(listed, 2)]


def _row(board: GameBoard, alike: frozenset[Key], i: int, j: int) -> Row:
    fit = board.fit
    (bot, version), (rival, rival_version) = fit.bots[i], fit.bots[j]
    low, high = fit.interval_of_difference(i, j)
    known, both = (low, high) != (None, None), None not in (low, high)
    difference, se = fit.difference(i, j)
    return {
        "game": board.game,
        "bot": bot,
        "version": version,
        "rival": rival,
        "rival_version": rival_version,
        "difference": difference if known else None,
        "margin": Z_95 * se if both else None,
        "se": se if both else None,
        "p_above": fit.p_above(i, j) if known and not alike.issuperset((fit.bots[i], fit.bots[j])) else None,
        "told_apart": not board.is_open(i, j),
        "low": low,
        "high": high,
    }


def _percent(p: float) -> str:
    return f"{100 * p:.1f} %" if p < 0.9995 else ">99.9 %"


SHOWN_PAIRS = (
    Column("bot", "bot", kind=bot_of),
    Column("rival", "is above", kind=lambda row: BotRef(row["rival"], row["rival_version"])),
    Column("difference", "by", right=True, kind=value_of("difference", "")),
    Column("margin", "+-", right=True, kind=half_of("")),
    Column("p_above", "likely", _percent, right=True),
    Column("state", "", kind=lambda row: "told apart" if row["told_apart"] else "open"),
)
"""The columns of tables, for rows of `pairs` of which something is known."""
