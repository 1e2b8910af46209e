"""`ladder leaderboard`: ratings, game by game."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated

import typer

from ladder.cli.calibration import print_calibrations
from ladder.cli.options import (
    FormatOption,
    GameOption,
    HomeOption,
    existing_home,
    known_game,
    note,
    nothing_yet,
    print_rows,
    store_of,
    whole,
)

if TYPE_CHECKING:
    from ladder.home.home import Home
    from results.rating.standings import Standing
    from results.reports.labels import Numbers
    from results.storage.store import Store

__all__ = ["leaderboard", "print_leaderboards", "say_guessable"]


def leaderboard(
    game: GameOption = None,
    seats: Annotated[
        int | None,
        typer.Option(
            parser=whole(2), metavar="N", help="Compute ratings from the matches at tables of N seats only."
        ),
    ] = None,
    calibration: Annotated[
        bool, typer.Option("--calibration", help="Show how well the ratings predict what happens.")
    ] = False,
    home: HomeOption = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """Show the ratings of the bots, game by game.

    The score is mu - 3 sigma, a conservative estimate of a bot's skill.

    Example: ladder leaderboard --game stella --seats 4
    """
    from results.rating.cache import ratings_at_tables_of, ratings_current

    where = existing_home(home)
    store = store_of(where)
    if calibration and print_calibrations(where, [known_game(game)] if game else [], format, seats):
        return
    rated = ratings_at_tables_of(store, seats) if seats else ratings_current(store)
    standings = [standing for each in rated.values() for standing in each.standings.values()]
    games = [known_game(game)] if game else sorted(rated)
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
        f"{label[a.bot, a.version]} / {label[b.bot, b.version]}"
        for a, b in pairwise(standings)
        if not_separable(a, b)
    ]
    if ties:
        more = f" and {len(ties) - 3:,} more" if len(ties) > 3 else ""
        note(f"no significant difference yet: {', '.join(ties[:3])}{more}")
