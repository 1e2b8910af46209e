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
    from results.reports.clean_ratings import BothRated
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
        " and luck (per match), in % of a result, reviewed_matches, matches_with_luck; faults: clean (the"
        " rating without them), played (the share of its matches without one).",
        metavar="A,B",
    ),
]
LimitsOption: TypeAlias = Annotated[
    Literal["current"] | None,
    Option("Compute ratings only from matches under the limits that bots have now."),
]
CleanOption: TypeAlias = Annotated[
    bool, Option("Compute ratings only from matches in which no bot was charged with a fault.")
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
    clean: CleanOption = False,
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

    _check_shown(show, {"--pass": bar, "--columns": columns}, {"--limits": limits, "--clean": clean}, game)
    asked = board_columns.read_columns(columns) if columns is not None else ()
    wanted = known_game(game) if game else None
    where = existing_home(home)
    contents = store_of(where).contents().of_season(season)
    if show == "judges":
        print_boards.print_judges(where, wanted, format)
        return
    if show == "calibration" and print_boards.print_calibrations(where, contents, wanted, format, seats):
        return
    left = {f" --seats {seats}": seats, " --limits current": limits, " --clean": clean}
    only = "".join(option for option, is_given in left.items() if is_given)
    rated, both = _rate(where, contents, seats or 0, only, asked)
    chosen = [each for each in rated.values() if wanted in (None, each.game)]
    hidden = frozenset() if all_versions else where.hidden_versions(contents)
    listed = [GameBoard(each, hidden) for each in chosen]
    if show == "pairs":
        print_boards.print_pairs(listed, format, where, top)
    elif show == "all-games":
        print_boards.print_all_games(listed, format, where, top)
    elif show == "notes":
        print_boards.print_notes(listed, format, where, contents, only, both)
    else:
        print_boards.print_leaderboards(
            *(chosen, format, where, contents, seats, top, hidden, bar), columns=asked, only=only, both=both
        )
    if not chosen and (game or only) and ratings_of(contents):
        note("no such matches so far", "ladder leaderboard, which shows all")
    elif not chosen:
        nothing_yet("matches")
    if not only:
        _say_stored(where, contents, rated, chosen if show in (None, "notes") else ())
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


def _rate(
    home: Home, contents: Contents, seats: int, only: str, columns: Iterable[str]
) -> tuple[dict[str, Rated], BothRated | None]:
    """Return the ratings from the matches that *only* leaves, and say how many it leaves out.

    If they, or *columns*, are about faults, return also those with and without faults.
    """
    from results.rating.cache import ratings_of
    from results.reports.clean_ratings import CLEAN, BothRated
    from results.reports.limit_sets import RatedUnder, rated_under

    is_clean = "--clean" in only
    now = home.held_to(home.roster.active()) if "--limits" in only else None
    every = rated_under(contents, now, seats) if now else RatedUnder(ratings_of(contents, seats), 0)
    if now:
        note(f"under the limits of now; {count(every.left_out, 'match')} under others left out")
    if not is_clean and {column.key for column in CLEAN}.isdisjoint(columns):
        return every.rated, None
    clean = rated_under(contents, now, seats, clean=True)
    if is_clean and (faulty := clean.left_out - every.left_out):
        note(f"without faults; {count(faulty, 'match')} with a charged fault left out")
    elif is_clean:
        note("no bot was charged with a fault: all these matches count")
    return clean.rated if is_clean else every.rated, BothRated(every.rated, clean.rated)


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
