"""Build the matrix of one game: the results of each bot against each other."""

from __future__ import annotations

from collections.abc import Sequence

from results.record import Json
from results.reports.document import Column, Row, digits
from results.reports.intervals import Interval, interval_of_share
from results.reports.labels import Key
from results.reports.survey import Meetings

MATRIX = (
    Column("bot", "bot"),
    Column("version", "version", extra=True),
    Column("rival", "against"),
    Column("rival_version", "rival version", extra=True),
    Column("matches", "matches", right=True),
    Column("wins", "wins", right=True),
    Column("draws", "draws", right=True),
    Column("losses", "losses", right=True),
    Column("win_rate", "win %", lambda rate: f"{100 * rate:.1f}", right=True),
    Column("win_rate_low", "from", lambda rate: f"{100 * rate:.0f}", right=True),
    Column("win_rate_high", "to", lambda rate: f"{100 * rate:.0f}", right=True),
    Column("score_difference", "points ahead", digits(2), right=True, always=False),
)
"""The columns for programs; GAME goes before them."""


def matrix(meetings: Sequence[Meetings], game: str, order: Sequence[Key], deviation: float) -> list[Row]:
    """Return the rows of GAME and MATRIX for *game*: two for each pair of versions, one from each side.

    They come in the *order* of the bots, which are all that are wanted.  A match is worth 1 / *deviation*
    independent ones.
    """
    place = {bot: i for i, bot in enumerate(order)}
    rows = []
    for met in meetings:
        bot, rival = (met.bot, met.version), (met.rival, met.rival_version)
        if bot in place and rival in place:
            rows.append((place[bot], place[rival], _row(met, game, deviation)))
    return [row for _, _, row in sorted(rows, key=lambda entry: entry[:2])]


def _row(met: Meetings, game: str, deviation: float) -> Row:
    rate = (met.wins + met.draws / 2) / met.matches
    low, high = interval_of_share(rate, met.matches / deviation)
    row: dict[str, Json] = {"game": game, **met._asdict(), "win_rate": rate}
    return {**row, "win_rate_low": low, "win_rate_high": high}


def grid(
    rows: Sequence[Row], order: Sequence[Key], label: dict[Key, str], columns: int
) -> tuple[list[Row], list[Column]]:
    """Return *rows* of `matrix` as a table: a row for each bot of *order*, a column for the first *columns*.

    A cell has the share of wins in percent, and the 95 % interval of that share: `62 22-90`.
    Columns are headed by numbers, which stand before the names of the rows.
    """
    cells = {
        ((row["bot"], row["version"]), (row["rival"], row["rival_version"])): _share(
            row["win_rate"], (row["win_rate_low"], row["win_rate_high"])
        )
        for row in rows
    }
    table: list[Row] = []
    for number, bot in enumerate(order, 1):
        row: Row = {"#": number, "bot": label[bot]}
        for i, rival in enumerate(order[:columns], 1):
            row[str(i)] = "-" if rival == bot else cells.get((bot, rival))
        table.append(row)
    return table, [
        Column("#", "#", right=True),
        Column("bot", "bot"),
        *(Column(str(i), str(i), right=True) for i in range(1, min(columns, len(order)) + 1)),
    ]


def _share(rate: float, interval: Interval) -> str:
    low, high = interval
    return f"{100 * rate:.0f} {100 * low:.0f}-{100 * high:.0f}"
