"""`ladder leaderboard`: ratings, game by game."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
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
    print_rows,
    rated_versions,
    store_of,
)
from ladder.cli.show_calibration import print_calibrations, show_judges
from ladder.cli.show_document import show_answer
from ladder.run.option import Option, WrongOption, whole
from results.reports.document import GAME, Column, Document, Note, Row
from results.words import count

if TYPE_CHECKING:
    from ladder.home.home import Home
    from results.rating.rated import Rated
    from results.reports.labels import Key
    from results.reports.leaderboard import GameBoard
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
        " input_tokens, output_tokens, requests, matches_with_usage; reviews: error (per decision) and"
        " luck (per match), in % of a result, reviewed_matches, matches_with_luck.",
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
    from results.rating.cache import ratings_of
    from results.reports.leaderboard import GameBoard
    from results.reports.moved_ratings import say_moved

    _check_shown(show, {"--pass": bar, "--columns": columns}, limits, game)
    chosen_columns = _read_columns(columns)
    wanted = known_game(game) if game else None
    where = existing_home(home)
    contents = store_of(where).contents().of_season(season)
    if show == "judges":
        show_judges(where, wanted, format)
        return
    games = [wanted] if wanted else []
    if show == "calibration" and print_calibrations(where, contents, games, format, seats):
        return
    rated = _rated_under(where, contents, seats or 0) if limits else ratings_of(contents, seats or 0)
    chosen = [each for each in rated.values() if wanted in (None, each.game)]
    hidden = frozenset() if all_versions else where.hidden_versions(contents)
    listed = [GameBoard(each, hidden) for each in chosen]
    if show == "pairs":
        _print_pairs(listed, format, where, top)
    elif show == "all-games":
        _print_all_games(listed, format, where, top)
    elif show == "notes":
        _print_notes(listed, format, where, contents, limits is None)
    else:
        print_leaderboards(
            *(chosen, format, where, contents, seats, top, hidden, bar),
            columns=chosen_columns,
            any_limits=limits is None,
        )
    if not chosen and (seats or game or limits) and ratings_of(contents):
        note("no such matches so far", "ladder leaderboard, which shows all")
    elif not chosen:
        nothing_yet("matches")
    if not seats and not limits and (moved := say_moved(contents, rated)):
        note(moved, "ladder home rate, which stores them")
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


def print_leaderboards(
    rated: Iterable[Rated],
    form: str,
    home: Home,
    contents: Contents,
    seats: int | None = None,
    top: int | None = None,
    hidden: Collection[Key] = frozenset(),
    bar: str | None = None,
    *,
    columns: Sequence[str] = (),
    any_limits: bool = True,
    hints: bool = True,
) -> None:
    """Print the leaderboard of each game of *rated*; in forms for programs all rows stand in one list.

    Versions that are *hidden* are left out.  Say below how many, and in which runs of the season of
    *contents* bots could know the cards; with *seats*, at tables of that size.  A bot passes that is surely
    above *bar*.  The *columns* are chosen by name; without, they are the usual ones.  *any_limits*: matches
    count under whatever limits they were played.  Without *hints*, tables are followed by no commands.
    """
    from ladder.cli.board_columns import columns_for_people, columns_for_programs
    from ladder.cli.spreadsheet import PASSES, add_marks, who_passes
    from results.reports.board_document import ShownBoard, boards_document
    from results.reports.costs import COSTS, add_costs, costs_of
    from results.reports.leaderboard import SHOWN, GameBoard
    from results.reports.leaderboard import leaderboard as rows_of

    listed = [GameBoard(each, hidden) for each in rated]
    bars = rated_versions(home, bar, {bot for board in listed for bot in board.fit.bots}) if bar else []
    passes = who_passes(listed, bars)
    of_costs = {column.key for column in COSTS}
    costs = costs_of(contents, seats) if of_costs.intersection(columns) else {}
    for_programs = form not in ("table", "md")
    rows = [row for board in listed for row in rows_of(board)[:top]]
    marked = add_costs(add_marks(rows, home, passes), costs)  # at once: it reads the record of every bot
    if reviews := _asks_for_reviews(columns):
        marked = _with_reviews(marked, contents, seats)
    if for_programs:
        print_rows(marked, columns_for_programs(columns), form)
    else:
        shown = [*columns_for_people(columns), PASSES] if columns else [*SHOWN, PASSES]
        boards = []
        for board in listed:
            mine = [row for row in marked if row["game"] == board.game]
            asked = _on_reviews(board, mine, columns) if reviews else []
            if bar and not any(game == board.game for game, _ in passes):
                asked.append(Note(f"{bar} has no rating here, so no bot can be compared with it"))
            found = _notes_on(board, home, contents, asked, any_limits=any_limits)
            boards.append(ShownBoard(board, mine, found, shown, _options(contents, seats, any_limits)))
        show_answer(boards_document(boards, top, hints=hints), form, home.roster.numbers())
    say_hidden(listed, "ladder leaderboard")
    say_guessable(contents, [board.game for board in listed], seats)


def _options(contents: Contents, seats: int | None, any_limits: bool) -> str:
    """Return the options with which another command tells of the same matches."""
    season = f" --season {contents.season_name}" if contents.season_is_over else ""
    return f"{season}{f' --seats {seats}' if seats else ''}{'' if any_limits else ' --limits current'}"


def _notes_on(
    board: GameBoard, home: Home, contents: Contents, first: Sequence[Note] = (), *, any_limits: bool
) -> list[Note]:
    from results.reports.board_notes import board_notes
    from results.reports.limit_sets import limit_notes

    numbers = home.roster.numbers()
    season = contents.season_name if contents.season_is_over else ""
    limits = limit_notes(contents, board, numbers) if any_limits else []
    return board_notes(board, numbers, past_season=season, first=first, others=limits)


def _read_columns(text: str | None) -> tuple[str, ...]:
    from ladder.cli.board_columns import read_columns

    return () if text is None else read_columns(text)


def _rated_under(home: Home, contents: Contents, seats: int) -> dict[str, Rated]:
    """Return the ratings under the limits of now, and say how many matches they leave out."""
    from results.reports.limit_sets import rated_under

    found = rated_under(contents, home.settings.held_to(home.most_threads()), seats)
    note(f"under the limits of now; {count(found.left_out, 'match')} under others left out")
    return found.rated


def say_hidden(boards: Sequence[GameBoard], command: str) -> None:
    """Say how many versions are hidden on *boards*, and that *command* shows them."""
    from results.reports.leaderboard import not_shown

    if said := not_shown(boards):
        note(said, f"{command} --all-versions")


def _asks_for_reviews(columns: Sequence[str]) -> bool:
    from results.reports.review_columns import REVIEWED

    return any(column.key in columns for column in REVIEWED)


def _with_reviews(rows: Sequence[Row], contents: Contents, seats: int | None) -> list[Row]:
    from ladder.replay.review.board_reviews import add_reviews, reviews_of
    from results.reports.review_columns import NO_REVIEWS

    return add_reviews([{**NO_REVIEWS, **row} for row in rows], reviews_of(contents, seats))


def _on_reviews(board: GameBoard, rows: Sequence[Row], columns: Sequence[str]) -> list[Note]:
    from ladder.replay.review.board_reviews import say_reviews

    return [*say_reviews(board.game, rows, columns, board.rated.tables)]


def _print_pairs(listed: Sequence[GameBoard], form: str, home: Home, top: int | None) -> None:
    """Print the pairs of bots of each of the *listed* leaderboards."""
    from results.reports.board_document import pairs_section
    from results.reports.doubts import say_few_matches
    from results.reports.pair_gaps import PAIRS, pairs

    rows = {board.game: pairs(board, top) for board in listed}
    if form not in ("table", "md"):
        print_rows([row for each in rows.values() for row in each], [GAME, *PAIRS], form)
        return
    sections = [pairs_section(each.game, rows[each.game], say_few_matches(each)) for each in listed]
    document = Document("Pairs of bots", sections)
    show_answer(document, form, home.roster.numbers())
    say_hidden(listed, "ladder leaderboard --show pairs")


def _print_all_games(listed: Sequence[GameBoard], form: str, home: Home, top: int | None) -> None:
    """Print how the bots that play all games compare over the *listed* leaderboards, which are all."""
    from results.reports.all_games import ALL_GAMES, all_games, all_games_section, say_too_few

    rows = all_games(listed)[:top]
    if form not in ("table", "md"):
        print_rows(rows, ALL_GAMES, form)
    elif rows:
        show_answer(Document("All games", [all_games_section(listed, rows)]), form, home.roster.numbers())
        say_hidden(listed, "ladder leaderboard --show all-games")
    if listed and not rows:
        note(say_too_few(listed), "ladder leaderboard, which shows each game")


def _print_notes(
    listed: Sequence[GameBoard], form: str, home: Home, contents: Contents, any_limits: bool
) -> None:
    """Print all that the tables of the *listed* leaderboards do not say."""
    from results.reports.board_document import notes_section

    found = {board.game: _notes_on(board, home, contents, any_limits=any_limits) for board in listed}
    if form in ("table", "md"):
        sections = [notes_section(game, notes) for game, notes in found.items() if notes]
        show_answer(Document("Notes", sections), form, home.roster.numbers())
    else:
        rows = [
            {"game": game, "note": each.text, "command": each.command or None}
            for game, notes in found.items()
            for each in notes
        ]
        print_rows(rows, [GAME, Column("note", "note"), Column("command", "command")], form)


def _say_season(contents: Contents) -> None:
    """Say of which season the answer is, if there are others."""
    seasons, season = contents.seasons, contents.season
    if len(seasons) > 1 and season:
        others = [each.name for each in reversed(seasons) if each != season]
        when = f"since run {season.first_run}" if season == seasons[-1] else "which is over"
        note(
            f"season {season.name}, {when}", f"ladder leaderboard --season {others[0]}, which shows that one"
        )


def say_guessable(contents: Contents, games: Iterable[str], seats: int | None = None) -> None:
    """Say in which runs of the season of *contents* bots could know the cards of *games*, if in any."""
    from results.reports.guessable import guessable_notes, guessable_runs

    for said in guessable_notes(guessable_runs(contents, seats), games, contents.folder.unrated_name):
        note(said)
