"""What has happened, as tables: leaderboard, matches, matrix, and the export of everything."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ladder.cli.options import (
    FormatOption,
    GameOption,
    HomeOption,
    existing_home,
    note,
    print_rows,
    store_of,
)

if TYPE_CHECKING:
    from results.ratings import Standing

__all__ = ["export", "leaderboard", "matches", "matrix", "print_leaderboards"]


def leaderboard(game: GameOption = None, home: HomeOption = None, format: FormatOption = "table") -> None:  # noqa: A002
    """Show how the bots stand: by score, which is mu - 3 sigma.

    Example: ladder leaderboard --format json
    """
    from results.standings import current

    where = existing_home(home)
    standings = current(store_of(where)).standings.values()
    games = [_known_game(game)] if game else sorted({standing.game for standing in standings})
    print_leaderboards(standings, games, format)
    if not standings:
        note("no matches yet; next: ladder run --games 1000")


def print_leaderboards(standings: Iterable[Standing], games: Iterable[str], form: str) -> None:
    """Print the leaderboard of each of *games*; in forms for programs all rows stand in one list."""
    from results.tables import LEADERBOARD, Column
    from results.tables import leaderboard as rows_of

    boards = {game: rows_of(standings, game) for game in games}
    if form in ("json", "csv"):
        several = len(boards) > 1
        rows = [{"game": game, **row} if several else row for game, board in boards.items() for row in board]
        print_rows(rows, [Column("game", "game"), *LEADERBOARD] if several else LEADERBOARD, form)
        return
    for i, (game, board) in enumerate(boards.items()):
        if len(boards) > 1:
            print(("\n" if i else "") + f"{game}\n")
        print_rows(board, LEADERBOARD, form)


def matches(
    bot: Annotated[str | None, typer.Option(help="Only matches of this bot: NAME or NAME@VERSION.")] = None,
    lost: Annotated[bool, typer.Option("--lost", help="Only those that it lost.")] = False,
    fault: Annotated[
        bool, typer.Option("--fault", help="Only those in which it, or anybody, faulted.")
    ] = False,
    run: Annotated[int | None, typer.Option(help="Only this run.")] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="The newest so many.")] = 20,
    game: GameOption = None,
    home: HomeOption = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """List matches, the newest first.

    Example: ladder matches --bot greedy --lost
    """
    from results.selection import Selection, newest
    from results.tables import MATCHES
    from results.tables import matches as rows_of

    if lost and not bot:
        raise typer.BadParameter("--lost needs --bot: whose losses?", param_hint="'--lost'")
    where = existing_home(home)
    version = where.roster.find(bot) if bot else None
    wanted = Selection(
        bot=version.bot if version else None,
        version=version.version if version and bot and "@" in bot else None,
        lost=lost,
        fault=fault,
        game=_known_game(game) if game else None,
    )
    rows, found = newest(store_of(where), wanted, limit, run)
    print_rows(rows_of(rows), MATCHES, format)
    if found > limit:
        note(f"{limit} of {found:,}; more: --limit {found}")
    elif not found:
        note("no such matches")
    else:
        note("next: ladder replay MATCH")


def matrix(game: GameOption = None, home: HomeOption = None, format: FormatOption = "table") -> None:  # noqa: A002
    """Show who won against whom: wins-draws-losses of the bot in the row.

    Example: ladder matrix --format csv
    """
    from results.statistics import HEAD_TO_HEAD, head_to_head
    from results.tables import MATRIX, grid
    from results.tables import matrix as rows_of

    table = store_of(existing_home(home)).matches(HEAD_TO_HEAD)
    games = [_known_game(game)] if game else sorted(set(table.column("game").to_pylist()))
    for name in games:
        meetings = head_to_head(table, name)
        if format in ("json", "csv"):
            print_rows(rows_of(meetings), MATRIX, format)
        else:
            print_rows(*grid(meetings), format)
    if not games:
        note("no matches yet; next: ladder run --games 1000")


def export(
    path: Annotated[Path, typer.Argument(help="A file that ends in .parquet or .csv.")],
    per: Annotated[
        Literal["match", "seat"], typer.Option(help="One row a match, or one row a seat.")
    ] = "seat",
    run: Annotated[int | None, typer.Option(help="Only this run.")] = None,
    home: HomeOption = None,
) -> None:
    """Write all matches as one flat table, for pandas and its like.

    Example: ladder export seats.parquet --per seat
    """
    from ladder.errors import UsageProblem
    from results.export import flat, write

    if path.suffix not in (".parquet", ".csv"):
        raise UsageProblem(
            f"expected a file that ends in .parquet or .csv, got: {str(path)!r}",
            "ladder export seats.parquet",
        )
    table = flat(store_of(existing_home(home)).matches(run=run), per)
    write(table, path)
    note(f"{table.num_rows:,} rows in {path}")


def _known_game(name: str) -> str:
    from engines import GAMES
    from ladder.errors import NotFound, suggest

    if name not in GAMES:
        raise NotFound(f"there is no game {name!r}{suggest(name, GAMES)}", "see them: ladder games")
    return name
