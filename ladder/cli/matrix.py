"""`ladder matrix`: results bot against bot."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING, Annotated

from ladder.cli.leaderboard import TopOption, say_hidden
from ladder.cli.options import (
    AllVersionsOption,
    FormatOption,
    GameOption,
    HomeOption,
    SeasonOption,
    existing_home,
    known_game,
    note,
    nothing_yet,
    print_rows,
    print_title,
    rated_versions,
    store_of,
)
from ladder.run.option import Option

if TYPE_CHECKING:
    from results.reports.document import Row
    from results.reports.labels import Key, Numbers

CELL = 12
"""Columns of a terminal for one bot: `100 72-100`, and the space between."""


def matrix(
    bot: Annotated[
        str | None,
        Option(
            "Only this bot against each opponent, as a list: NAME, NAME@NUMBER or NAME@HASH.",
            metavar="BOT",
            completes="bots",
            hidden=True,
        ),
    ] = None,
    game: GameOption = None,
    top: TopOption = None,
    season: SeasonOption = None,
    all_versions: AllVersionsOption = False,
    home: HomeOption = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """Show results bot against bot.

    Bots stand in the order of the leaderboard. A cell has the share of matches in percent that the bot in its
    row won against the bot with the number of its column. A draw is half a win; at larger tables the better
    place wins. Each share is followed by its 95 % interval. Each bot has one row, for the version that plays.

    Example: ladder matrix --format csv
    """
    from results.rating.cache import ratings_of
    from results.reports.document import GAME
    from results.reports.labels import label_pairs
    from results.reports.leaderboard import GameBoard
    from results.reports.matrix import MATRIX
    from results.reports.matrix import matrix as rows_of
    from results.reports.survey import MEETINGS_NEED, survey_meetings

    chosen = known_game(game) if game else None
    where = existing_home(home)
    contents = store_of(where).contents().of_season(season)
    ratings = ratings_of(contents)
    known = {key for rated in ratings.values() for key in rated.standings}
    wanted = rated_versions(where, bot, known) if bot else None
    hidden = frozenset() if all_versions else where.hidden_versions(contents)
    if wanted and (all_versions or "@" in (bot or "") or hidden.issuperset(wanted)):
        hidden -= {*wanted}
    found = survey_meetings(contents.match_parts(MEETINGS_NEED))
    by_game = {}
    boards = []
    for name, rated in ratings.items():
        if chosen not in (None, name):
            continue
        board = GameBoard(rated, hidden)
        boards.append(board)
        order = [board.fit.bots[i] for i in (board.ranked + board.unranked)[:top]]
        rows = rows_of(found.meetings(name), name, order, board.fit.deviation)
        if wanted:
            rows = [row for row in rows if (row["bot"], row["version"]) in wanted]
        by_game[name] = (order, rows)
    if format not in ("table", "md"):
        print_rows([row for _, rows in by_game.values() for row in rows], [GAME, *MATRIX], format)
    else:
        numbers = where.roster.numbers()
        for i, (name, (order, rows)) in enumerate(by_game.items()):
            print("\n" if i else "", end="")
            print_title(f"{name}  matches won in %, a draw as half, each with its 95 % interval")
            if wanted:
                print_rows(label_pairs(rows, numbers), MATRIX, format)
            else:
                _print_grid(rows, order, numbers, format)
    say_hidden(boards, "ladder matrix")
    if not found.matches:
        nothing_yet("matches")


def _print_grid(rows: list[Row], order: list[Key], numbers: Numbers, form: str) -> None:
    """Print *rows* as a grid with as many columns as a terminal has room for."""
    from results.reports.labels import labels
    from results.reports.matrix import grid

    label = labels(order, numbers)
    columns = len(order)
    if form == "table" and sys.stdout.isatty():
        names = max(map(len, label.values())) + len(str(len(order))) + 2
        columns = max(2, min(columns, (shutil.get_terminal_size().columns - names) // CELL))
    print_rows(*grid(rows, order, label, columns), form)
    if columns < len(order):
        note(
            f"against the first {columns} of {len(order)} bots, for lack of room",
            "ladder bots BOT lists all results of one bot; --format csv has all",
        )
