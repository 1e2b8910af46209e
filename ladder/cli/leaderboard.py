"""`ladder leaderboard`: ratings, game by game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

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
    store_of,
)
from ladder.run.option import Option, WrongOption, whole
from results.words import count

if TYPE_CHECKING:
    from ladder.home.home import Home
    from results.rating.rated import Rated
    from results.storage.contents import Contents

Shown: TypeAlias = Literal["pairs", "all-games", "calibration", "judges", "notes"]
TopOption: TypeAlias = Annotated[
    int | None,
    Option("Only the first N bots of each game.", ("--top", "-n"), metavar="N", read=whole(2), short=True),
]
SeatsOption: TypeAlias = Annotated[
    int | None,
    Option(
        "Compute ratings from the matches at tables of N seats only.",
        metavar="N",
        read=whole(2),
        short=True,
    ),
]
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
PassOption: TypeAlias = Annotated[
    str | None,
    Option("Mark the bots that are surely better than BOT.", ("--pass",), metavar="BOT"),
]
ColumnsOption: TypeAlias = Annotated[
    str | None,
    Option(
        "Show these columns beside the bots: any of --format csv; costs: cost_usd, total_cost_usd,"
        " input_tokens, output_tokens, requests, fallbacks, matches_with_usage; reviews: error (per decision)"
        " and luck (per match), in % of a result, reviewed_matches, matches_with_luck.",
        metavar="A,B",
    ),
]
LimitsOption: TypeAlias = Annotated[
    Literal["current"] | None,
    Option("Compute ratings only from matches under the limits that bots have now."),
]


def leaderboard(
    game: GameOption = None,
    seats: SeatsOption = None,
    show: ShowOption = None,
    top: TopOption = None,
    season: SeasonOption = None,
    bar: PassOption = None,
    columns: ColumnsOption = None,
    limits: LimitsOption = None,
    all_versions: AllVersionsOption = False,
    home: HomeOption = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """Show the ratings of the bots, game by game.

    Only differences between ratings mean anything. +- is a 95 % interval of the rating, and a place such as
    2-4 is a 95 % interval as well; where only one end is known, >= or <= stands before it. Two bots are told
    apart if the 95 % interval of their difference does not contain 0. Each bot has one row, for the version
    that plays. JSON and CSV also have authors and rounded numbers.

    Example: ladder leaderboard --game stella --seats 4
    """
    from ladder.cli import board_columns, print_boards
    from results.rating.cache import ratings_of
    from results.reports.leaderboard import GameBoard

    _check_shown(show, {"--pass": bar, "--columns": columns}, limits, game)
    chosen_columns = board_columns.read_columns(columns) if columns is not None else ()
    wanted = known_game(game) if game else None
    where = existing_home(home)
    contents = store_of(where).contents().of_season(season)
    if show == "judges":
        print_boards.print_judges(where, wanted, format)
        return
    if show == "calibration" and print_boards.print_calibrations(where, contents, wanted, format, seats):
        return
    rated = _rated_under(where, contents, seats or 0) if limits else ratings_of(contents, seats or 0)
    chosen = [each for each in rated.values() if wanted in (None, each.game)]
    hidden = frozenset() if all_versions else where.hidden_versions(contents)
    listed = [GameBoard(each, hidden) for each in chosen]
    if show == "pairs":
        print_boards.print_pairs(listed, format, where, top)
    elif show == "all-games":
        print_boards.print_all_games(listed, format, where, top)
    elif show == "notes":
        print_boards.print_notes(listed, format, where, contents, limits is None)
    else:
        print_boards.print_leaderboards(
            *(chosen, format, where, contents, seats, top, hidden, bar),
            columns=chosen_columns,
            any_limits=limits is None,
        )
    if not chosen and (seats or game or limits) and ratings_of(contents):
        note("no such matches so far", "ladder leaderboard, which shows all")
    elif not chosen:
        nothing_yet("matches")
    if not seats and not limits:
        _say_stored(where, contents, rated, chosen if show in (None, "notes") else ())
    _say_season(contents)


def _check_shown(
    show: Shown | None, of_table: Mapping[str, str | None], limits: str | None, game: str | None
) -> None:
    """Raise WrongOption for an option that does not go with what is shown in place of the tables."""
    others = {"--limits": limits} if show in ("calibration", "judges") else {}
    others |= {"--game": game} if show == "all-games" else {}
    for flag, value in {**of_table, **others}.items() if show else ():
        if value:
            raise WrongOption(flag, f"it does not go with --show {show}")


def _rated_under(home: Home, contents: Contents, seats: int) -> dict[str, Rated]:
    """Return the ratings under the limits of now, and say how many matches they leave out."""
    from results.reports.limit_sets import rated_under

    found = rated_under(contents, home.settings.held_to(home.most_threads()), seats)
    note(f"under the limits of now; {count(found.left_out, 'match')} under others left out")
    return found.rated


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
