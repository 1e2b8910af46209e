"""`ladder leaderboard`: ratings, game by game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from ladder.api.asked import LeaderboardRequest
from ladder.cli.options import FormatOption, existing_home, note, nothing_yet
from ladder.run.match_options import known_game
from ladder.run.option import Option, WrongOption

if TYPE_CHECKING:
    from ladder.home.home import Home
    from results.rating.rated import Rated
    from results.storage.contents import Contents

Shown: TypeAlias = Literal["pairs", "all-games", "calibration", "judges", "notes"]
ShowOption: TypeAlias = Annotated[
    Shown | None,
    Option(
        "In place of the tables. pairs: how far apart each pair of bots is, and how sure that is; "
        "all-games: the bots that play all games, over all of them; calibration: how well the ratings "
        "predict what happens; judges: how well the judges of `ladder review` foretold results; notes: all "
        "that is said below the tables.",
        short=True,
    ),
]


def leaderboard(asked: LeaderboardRequest, show: ShowOption = None, format: FormatOption = "table") -> None:  # noqa: A002
    """Show the ratings of the bots, game by game.

    Only differences between ratings mean anything. +- is a 95 % interval of the rating, and a place such as
    2-4 is a 95 % interval as well; where only one end is known, >= or <= stands before it. Two bots are told
    apart if the 95 % interval of their difference does not contain 0. Each bot has one row, for the version
    that plays. JSON and CSV also have authors and rounded numbers.

    Example: ladder leaderboard --game stella --seats 4
    """
    from ladder.api.board_rows import read_boards
    from ladder.cli import print_boards
    from results.rating.cache import ratings_of
    from results.reports.leaderboard import GameBoard

    game, seats, limits, clean = asked.game, asked.seats, asked.limits, asked.clean
    of_table = {"--pass": asked.bar, "--columns": asked.columns}
    _check_shown(show, of_table, {"--limits": limits, "--clean": clean}, game)
    where = existing_home(asked.home)
    if show == "judges":
        print_boards.print_judges(where, game and known_game(game), format)
        return
    left = {f" --seats {seats}": seats, " --limits current": limits, " --clean": clean}
    only = "".join(option for option, is_given in left.items() if is_given)
    found = read_boards(where, asked)
    contents, chosen = found.contents, found.chosen
    if show == "calibration" and print_boards.print_calibrations(where, contents, game, format, seats):
        return
    for said in found.notes:
        note(said)
    listed = [GameBoard(each, found.hidden) for each in chosen]
    if show == "pairs":
        print_boards.print_pairs(listed, format, where, asked.top)
    elif show == "all-games":
        print_boards.print_all_games(listed, format, where, asked.top)
    elif show == "notes":
        print_boards.print_notes(listed, format, where, contents, only, found.both)
    else:
        print_boards.print_leaderboards(
            *(chosen, format, where, contents, seats, asked.top, found.hidden, asked.bar),
            columns=found.columns,
            only=only,
            both=found.both,
        )
    if not chosen and (game or only) and ratings_of(contents):
        note("no such matches so far", "ladder leaderboard, which shows all")
    elif not chosen:
        nothing_yet("matches")
    if not only:
        _say_stored(where, contents, found.rated, chosen if show in (None, "notes") else ())
    _say_season(contents)


def _check_shown(
    show: Shown | None, of_table: Mapping[str, str | None], only: Mapping[str, object], game: str | None
) -> None:
    """Raise WrongOption for an option that does not go with what is shown in place of the tables."""
    others = {**only} if show in ("calibration", "judges") else {}
    others |= {"--game": game} if show == "all-games" else {}
    for flag, value in {**of_table, **others}.items() if show else ():
        if value:
            raise WrongOption(flag, f"it does not go with --show {show}")


def _say_stored(home: Home, contents: Contents, rated: Mapping[str, Rated], shown: Iterable[Rated]) -> None:
    """Say where the ratings of all matches moved since they were stored, and what is to say of anchors."""
    from ladder.cli.print_boards import say_anchors
    from results.reports.moved_ratings import say_moved

    if moved := say_moved(contents, rated):
        note(moved, "ladder home rate, which stores them")
    if not contents.season_is_over:
        say_anchors(shown, home)


def _say_season(contents: Contents) -> None:
    """Say of which season the answer is, if there are others."""
    seasons, season = contents.seasons, contents.season
    if len(seasons) > 1 and season:
        others = [each.name for each in reversed(seasons) if each != season]
        when = f"since run {season.first_run}" if season == seasons[-1] else "which is over"
        note(
            f"season {season.name}, {when}", f"ladder leaderboard --season {others[0]}, which shows that one"
        )
