"""What has happened, as tables: leaderboard, matches, matrix, and the export of everything."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ladder.cli.options import (
    FormatOption,
    GameOption,
    HomeOption,
    RunOption,
    complete_bots,
    existing_home,
    known_game,
    note,
    nothing_yet,
    print_rows,
    store_of,
    whole,
)

if TYPE_CHECKING:
    from ladder.home import Home
    from results.rating.fold import Standing
    from results.reports.labels import Numbers
    from results.storage.store import Store

__all__ = ["export", "known_run", "leaderboard", "matches", "matrix", "print_leaderboards"]


def leaderboard(
    game: GameOption = None,
    seats: Annotated[
        int | None,
        typer.Option(
            parser=whole(2), metavar="N", help="Rate again, by the matches at tables of this size only."
        ),
    ] = None,
    home: HomeOption = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """Show how the bots stand: by score, which is mu - 3 sigma.

    Example: ladder leaderboard --game stella --seats 4
    """
    from results.rating.cache import fold_at_tables_of, fold_current

    where = existing_home(home)
    store = store_of(where)
    fold = fold_at_tables_of(store, seats) if seats else fold_current(store)
    standings = fold.standings.values()
    games = [known_game(game)] if game else sorted({standing.game for standing in standings})
    print_leaderboards(standings, games, format, where, seats)
    if not any(standing.game in games for standing in standings):
        if store.contents().runs and (seats or game):
            note("no such matches so far", "ladder leaderboard, which shows all")
        else:
            nothing_yet("matches")


def print_leaderboards(
    standings: Collection[Standing],
    games: Iterable[str],
    form: str,
    home: Home,
    seats: int | None = None,
) -> None:
    """Print the leaderboard of each of *games*; in forms for programs all rows stand in one list.

    Say below in which runs of *home* bots could know the cards; with *seats*, at tables of that size.
    """
    from results.reports.tables import GAME, LEADERBOARD, label_rows
    from results.reports.tables import leaderboard as rows_of

    store = store_of(home)
    boards = {game: rows_of(standings, game) for game in games}
    if form in ("json", "csv"):
        print_rows([row for board in boards.values() for row in board], [GAME, *LEADERBOARD], form)
        say_guessable(store, boards, seats)
        return
    numbers = home.roster.numbers()
    for i, (game, board) in enumerate(boards.items()):
        if len(boards) > 1:
            print(("\n" if i else "") + f"{game}\n")
        print_rows(label_rows(board, numbers), LEADERBOARD, form)
        _say_ties([standing for standing in standings if standing.game == game], numbers)
    say_guessable(store, boards, seats)


def say_guessable(store: Store, games: Iterable[str], seats: int | None = None) -> None:
    """Say in which runs bots could know the cards of *games*, if there are any."""
    from results.rating.cache import guessable_runs

    found = guessable_runs(store.contents(), seats)
    for runs in sorted({tuple(found[game]) for game in games if game in found}):
        of = ", ".join(game for game in games if found.get(game) == [*runs])
        more = f" and {len(runs) - 5:,} more" if runs[5:] else ""
        said = f"runs {', '.join(map(str, runs[:5]))}{more}" if runs[1:] else f"run {runs[0]}"
        note(f"warning: bots could know the cards of {of} in {said}: the --seed can be guessed")


def _say_ties(standings: list[Standing], numbers: Numbers) -> None:
    """Say which neighbours may stand the other way round."""
    from results.rating.separation import not_separable
    from results.reports.labels import labels

    standings.sort(key=lambda standing: -standing.rating.score)
    label = labels(((standing.bot, standing.version) for standing in standings), numbers)
    ties = [
        f"{label[a.bot, a.version]} and {label[b.bot, b.version]}"
        for a, b in pairwise(standings)
        if not_separable(a, b)
    ]
    if ties:
        more = f" and {len(ties) - 3:,} more" if len(ties) > 3 else ""
        note(f"not to be told apart so far: {', '.join(ties[:3])}{more}")


def matches(
    bot: Annotated[
        str | None,
        typer.Option(
            metavar="BOT",
            help="Only matches of this bot: NAME, NAME@NUMBER or NAME@HASH.",
            autocompletion=complete_bots,
        ),
    ] = None,
    lost: Annotated[bool, typer.Option("--lost", metavar="", help="Only those that it lost.")] = False,
    fault: Annotated[
        bool, typer.Option("--fault", metavar="", help="Only those in which it, or anybody, faulted.")
    ] = False,
    run: RunOption = None,
    limit: Annotated[
        int, typer.Option("--limit", "-n", parser=whole(1), metavar="N", help="The newest so many.")
    ] = 20,
    game: GameOption = None,
    home: HomeOption = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """List matches, the newest first.

    Example: ladder matches --bot greedy --lost
    """
    from results.reports.query import Selection, select_newest
    from results.reports.tables import MATCHES, label_matches
    from results.reports.tables import matches as rows_of

    if lost and not bot:
        raise typer.BadParameter("needs --bot: whose losses?", param_hint="--lost")
    where = existing_home(home)
    version = where.roster.find(bot) if bot else None
    wanted = Selection(
        bot=version.bot if version else None,
        version=version.version if version and bot and "@" in bot else None,
        lost=lost,
        fault=fault,
        game=known_game(game) if game else None,
    )
    store = store_of(where)
    rows, found = select_newest(store, wanted, limit, known_run(store, run))
    listed = rows_of(rows)
    if format != "json":  # there the seats are text; that of CSV is for programs, and has no numbers
        listed = label_matches(listed, {} if format == "csv" else where.roster.numbers())
    print_rows(listed, MATCHES, format)
    if found:
        shown = f"{len(listed):,} of {found:,}, the newest first; more with --limit" if found > limit else ""
        note(shown or f"{found:,} in all", f"ladder replay {listed[0]['match']}")
    elif store.contents().runs:
        note("no such matches", "ladder matches, which lists all")
    else:
        nothing_yet("matches")


def matrix(game: GameOption = None, home: HomeOption = None, format: FormatOption = "table") -> None:  # noqa: A002
    """Show who won against whom: wins-draws-losses of the bot in the row.

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


def export(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="A file that ends in .parquet or .csv.")],
    per: Annotated[
        Literal["match", "seat"], typer.Option(help="One row a match, or one row a seat.")
    ] = "seat",
    run: RunOption = None,
    home: HomeOption = None,
) -> None:
    """Write all matches as one flat table, for pandas and its like.

    Example: ladder export seats.parquet --per seat
    """
    from ladder.errors import UsageProblem
    from results.reports.export import flatten, write

    if path.suffix not in (".parquet", ".csv"):
        raise UsageProblem(
            f"expected a file that ends in .parquet or .csv, got: {str(path)!r}",
            "ladder export seats.parquet",
        )
    if not path.parent.is_dir():
        raise UsageProblem(f"there is no folder {str(path.parent)!r}", f"mkdir -p {path.parent}")
    store = store_of(existing_home(home))
    table = flatten(store.matches(run=known_run(store, run)), per)
    write(table, path)
    how = f"pandas.read_{path.suffix[1:]}({str(path)!r})"
    note(f"{table.num_rows:,} rows in {path}, one a {per}", f"{how} in Python")


def known_run(store: Store, run: int | None) -> int | None:
    """Return *run*.  Raises NotFound if there is no such run."""
    from ladder.errors import NotFound

    if run is not None and run > (last := len(store.runs())):
        raise NotFound(f"there is no run {run}", f"a run from 1 to {last}" if last else "ladder run")
    return run
