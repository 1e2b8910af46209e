"""`ladder matrix`: results bot against bot."""

from __future__ import annotations

from ladder.cli.options import (
    FormatOption,
    GameOption,
    HomeOption,
    existing_home,
    known_game,
    nothing_yet,
    print_rows,
    store_of,
)

__all__ = ["matrix"]


def matrix(game: GameOption = None, home: HomeOption = None, format: FormatOption = "table") -> None:  # noqa: A002
    """Show results bot against bot.

    A cell has the wins, draws and losses of the bot in its row against the bot in its column.

    Example: ladder matrix --format csv
    """
    from results.reports.head_to_head import HEAD_TO_HEAD, head_to_head
    from results.reports.tables import GAME, MATRIX, grid
    from results.reports.tables import matrix as rows_of

    where = existing_home(home)
    table = store_of(where).matches(HEAD_TO_HEAD)
    games = [known_game(game)] if game else sorted(set(table.column("game").to_pylist()))
    boards = {name: head_to_head(table, name) for name in games}
    if format in ("json", "csv"):
        rows = [row for name, meetings in boards.items() for row in rows_of(meetings, name)]
        print_rows(rows, [GAME, *MATRIX], format)
    else:
        for i, (name, meetings) in enumerate(boards.items()):
            if len(boards) > 1:
                print(("\n" if i else "") + f"{name}\n")
            print_rows(*grid(meetings, where.roster.numbers()), format)
    if not table.num_rows:
        nothing_yet("matches")
