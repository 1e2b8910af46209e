"""Build the matrix of one game: the results of each bot against each other."""

from collections.abc import Sequence
from operator import itemgetter

from results.reports.document import BotRef, Column, Heat, Row, Table, name_columns
from results.reports.intervals import interval_of_share, with_ends
from results.reports.labels import Key
from results.reports.leaderboard import bot_of
from results.reports.survey import Meetings

MATRIX = name_columns(
    *("bot", "version", "rival", "rival_version", "matches", "wins", "draws", "losses"),
    *("win_rate", "win_rate_low", "win_rate_high", "score_difference"),
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
    ends = interval_of_share(rate, met.matches / deviation)
    return {"game": game, **met._asdict(), **with_ends("win_rate", rate, ends)}


def grid(rows: Sequence[Row], order: Sequence[Key], caption: str) -> Table:
    """Return *rows* as a table in *order*, columns headed by row numbers; a pair that never met is empty."""
    met = {((row["bot"], row["version"]), (row["rival"], row["rival_version"])): _cell(row) for row in rows}
    table: list[Row] = [
        {
            "#": number,
            "bot": bot[0],
            "version": bot[1],
            **{str(i): "-" if bot == rival else met.get((bot, rival)) for i, rival in enumerate(order, 1)},
        }
        for number, bot in enumerate(order, 1)
    ]
    numbers = [str(i) for i in range(1, len(order) + 1)]
    columns = [Column(number, number, right=True, kind=itemgetter(number)) for number in numbers]
    return Table([Column("#", "#", right=True), Column("bot", "bot", kind=bot_of), *columns], table, caption)


def _cell(row: Row) -> Heat:
    bots = bot_of(row), BotRef(row["rival"], row["rival_version"])
    record = f"{row['wins']:,}-{row['draws']:,}-{row['losses']:,} in {row['matches']:,}"
    return Heat(row["win_rate"], row["win_rate_low"], row["win_rate_high"], *bots, record)
