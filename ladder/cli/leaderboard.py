"""`ladder leaderboard`: ratings, game by game."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from ladder.cli.last_line import keep_commands, remember_commands
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
from ladder.cli.show_calibration import print_calibrations, show_judges
from ladder.cli.streams import fit_lines
from ladder.run.option import Option, WrongOption, whole
from results.words import count

if TYPE_CHECKING:
    from ladder.home.home import Home
    from results.rating.rated import Rated
    from results.reports.document import Row
    from results.reports.labels import Key, Numbers
    from results.reports.leaderboard import GameBoard
    from results.storage.contents import Contents

PIPED = 80
"""Characters: the width of the notes below a table where there is no terminal."""
MOST_PAIRS = 100
"""At most this many pairs are shown in a table: they fit few screens, and the others are told apart."""
Shown: TypeAlias = Literal["pairs", "calibration", "judges", "notes"]
TopOption: TypeAlias = Annotated[
    int | None,
    Option("Only the first N bots of each game.", ("--top", "-n"), metavar="N", read=whole(2), short=True),
]


def leaderboard(
    game: GameOption = None,
    seats: Annotated[
        int | None,
        Option(
            "Compute ratings from the matches at tables of N seats only.",
            metavar="N",
            read=whole(2),
            short=True,
        ),
    ] = None,
    show: Annotated[
        Shown | None,
        Option(
            "In place of the tables. pairs: how far apart each pair of bots is, and how sure that is; "
            "calibration: how well the ratings predict what happens; judges: how well the judges of "
            "`ladder review` foretold results; notes: all that is said below the tables.",
            short=True,
        ),
    ] = None,
    top: TopOption = None,
    season: SeasonOption = None,
    bar: Annotated[
        str | None,
        Option("Mark the bots that are surely better than BOT.", ("--pass",), metavar="BOT"),
    ] = None,
    columns: Annotated[
        str | None,
        Option(
            "Show these columns beside the bots: any of --format csv; costs: cost_usd, total_cost_usd,"
            " input_tokens, output_tokens, requests, matches_with_usage; reviews: error (per decision) and"
            " luck (per match), in % of a result, reviewed_matches, matches_with_luck.",
            metavar="A,B",
        ),
    ] = None,
    limits: Annotated[
        Literal["current"] | None,
        Option("Compute ratings only from matches under the limits that bots have now."),
    ] = None,
    all_versions: AllVersionsOption = False,
    home: HomeOption = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """Show the ratings of the bots, game by game.

    Only differences between ratings mean anything. +- is a 95 % interval of the rating, and a place such as
    2-4 is a 95 % interval as well. Two bots are told apart if the 95 % interval of their difference does not
    contain 0. Each bot has one row, for the version that plays. JSON and CSV also have authors and rounded
    numbers.

    Example: ladder leaderboard --game stella --seats 4
    """
    from results.rating.cache import ratings_of
    from results.reports.leaderboard import GameBoard
    from results.reports.moved_ratings import say_moved

    of_table = {"--pass": bar, "--columns": columns}
    of_matches = {"--limits": limits} if show in ("calibration", "judges") else {}
    for flag, value in (of_table | of_matches).items() if show else ():
        if value:
            raise WrongOption(flag, f"it does not go with --show {show}")
    chosen_columns = _read_columns(columns)
    wanted = known_game(game) if game else None
    where = existing_home(home)
    contents = store_of(where).contents().of_season(season)
    if show == "judges":
        show_judges(where, wanted, format)
        return
    if show == "calibration" and print_calibrations(
        where, contents, [wanted] if wanted else [], format, seats
    ):
        return
    rated = _rated_under(where, contents, seats or 0) if limits else ratings_of(contents, seats or 0)
    chosen = [each for each in rated.values() if wanted in (None, each.game)]
    hidden = frozenset() if all_versions else where.hidden_versions(contents)
    if show == "pairs":
        _print_pairs([GameBoard(each, hidden) for each in chosen], format, where, top)
    elif show == "notes":
        _print_notes([GameBoard(each, hidden) for each in chosen], format, where, contents, limits is None)
    else:
        print_leaderboards(
            chosen,
            format,
            where,
            contents,
            seats,
            top,
            hidden,
            bar,
            columns=chosen_columns,
            any_limits=limits is None,
        )
    if not chosen:
        if (seats or game or limits) and ratings_of(contents):
            note("no such matches so far", "ladder leaderboard, which shows all")
        else:
            nothing_yet("matches")
    if not seats and not limits and (moved := say_moved(contents, rated)):
        note(moved, "ladder home rate, which stores them")
    _say_season(contents)


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
    from ladder.cli.board_columns import columns_for_programs
    from ladder.cli.spreadsheet import add_marks, who_passes
    from results.reports.costs import COSTS, add_costs, costs_of
    from results.reports.leaderboard import GameBoard
    from results.reports.leaderboard import leaderboard as rows_of
    from results.reports.limit_sets import limit_notes
    from results.reports.review_columns import REVIEWED

    listed = [GameBoard(each, hidden) for each in rated]
    bars = rated_versions(home, bar, {bot for board in listed for bot in board.fit.bots}) if bar else []
    passes = who_passes(listed, bars)
    of_costs = {column.key for column in COSTS}
    costs = costs_of(contents, seats) if of_costs.intersection(columns) else {}
    for_programs = form not in ("table", "md")
    rows = [row for board in listed for row in rows_of(board)[: top if for_programs else None]]
    marked = add_costs(add_marks(rows, home, passes), costs)  # at once: it reads the record of every bot
    if {column.key for column in REVIEWED}.intersection(columns):
        marked = _with_reviews(marked, contents, seats)
    if for_programs:
        print_rows(marked, columns_for_programs(columns), form)
    else:
        numbers = home.roster.numbers()
        past_season = contents.season_name if contents.season_is_over else ""
        for i, board in enumerate(listed):
            print("\n" if i else "", end="")
            rows = [row for row in marked if row["game"] == board.game]
            _print_leaderboard(board, rows, form, numbers, top, past_season, columns, hints=hints)
            for said in limit_notes(contents, board, numbers) if any_limits else ():
                note(said.text, said.hint, PIPED)
            if bar and not any(game == board.game for game, _ in passes):
                note(f"{bar} has no rating here, so no bot can be compared with it")
    say_hidden(listed, "ladder leaderboard")
    say_guessable(contents, [board.game for board in listed], seats)


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


def _print_leaderboard(
    board: GameBoard,
    marked: Sequence[Row],
    form: str,
    numbers: Numbers,
    top: int | None,
    past_season: str,
    columns: Sequence[str],
    *,
    hints: bool,
) -> None:
    """Print *board*, whose rows are *marked* with all that there are columns for."""
    from ladder.cli.board_columns import columns_for_people
    from ladder.cli.spreadsheet import PASSES
    from results.reports.document import Divider
    from results.reports.leaderboard import SHOWN, notes, title
    from results.reports.picture_notes import machine_notes
    from results.reports.review_columns import REVIEWED

    print_title(title(board))
    ranked = len(board.ranked)
    below = (
        Divider(ranked, f"     not yet ranked: fewer than {board.floor} matches") if board.unranked else None
    )
    rows = marked[:top]
    shown = [*columns_for_people(columns), PASSES] if columns else [*SHOWN, PASSES]
    print_rows(rows, shown, form, below if len(rows) > ranked else None, numbers=numbers)
    if len(rows) < len(board.by_rating):
        note(f"the first {count(len(rows), 'bot', len(board.by_rating))}")
    for said in notes(board, numbers, past_season):
        note(said.text, said.hint if hints else "", PIPED)
    for text in machine_notes(board.rated, numbers):
        note(text, "", PIPED)
    if {column.key for column in REVIEWED}.intersection(columns):
        _say_reviews(board, rows, columns)


def _with_reviews(rows: Sequence[Row], contents: Contents, seats: int | None) -> list[Row]:
    from ladder.replay.review.board_reviews import add_reviews, reviews_of
    from results.reports.review_columns import NO_REVIEWS

    return add_reviews([{**NO_REVIEWS, **row} for row in rows], reviews_of(contents, seats))


def _say_reviews(board: GameBoard, rows: Sequence[Row], columns: Sequence[str]) -> None:
    from ladder.replay.review.board_reviews import say_reviews

    for text, hint in say_reviews(board.game, rows, columns, board.rated.tables):
        note(text, hint, PIPED)


def _print_pairs(listed: Sequence[GameBoard], form: str, home: Home, top: int | None) -> None:
    """Print the pairs of bots of each of the *listed* leaderboards."""
    from results.reports.document import GAME
    from results.reports.pair_gaps import PAIRS, SHOWN_PAIRS, pairs, shown_pairs

    if form not in ("table", "md"):
        print_rows([row for board in listed for row in pairs(board, top)], [GAME, *PAIRS], form)
        return
    numbers = home.roster.numbers()
    for i, board in enumerate(listed):
        rows = shown_pairs(pairs(board, top), numbers)
        unsure = sum(not row["told_apart"] for row in rows)
        print("\n" if i else "", end="")
        print_title(
            f"{board.game}  {count(len(rows), 'pair')} of bots, {unsure:,} open; +- is a 95 % interval"
        )
        print_rows(rows[:MOST_PAIRS], SHOWN_PAIRS, form)
        if rows[MOST_PAIRS:]:
            note(f"{len(rows) - MOST_PAIRS:,} more pairs, all of them surer", "--top N, or --format csv")
    say_hidden(listed, "ladder leaderboard --show pairs")


def _print_notes(
    listed: Sequence[GameBoard], form: str, home: Home, contents: Contents, any_limits: bool
) -> None:
    """Print all that is said below each of the *listed* leaderboards, and what to type next."""
    from results.reports.document import GAME, Column
    from results.reports.leaderboard import BoardNote, notes
    from results.reports.limit_sets import limit_notes
    from results.reports.picture_notes import machine_notes

    numbers = home.roster.numbers()
    past_season = contents.season_name if contents.season_is_over else ""
    rows: list[Row] = []
    for board in listed:
        said = [*notes(board, numbers, past_season), *map(BoardNote, machine_notes(board.rated, numbers))]
        said += [
            BoardNote(*each[:2]) for each in (limit_notes(contents, board, numbers) if any_limits else ())
        ]
        rows += [{"game": board.game, "note": each.text, "command": each.hint or None} for each in said]
    if form != "table":
        print_rows(rows, [GAME, Column("note", "note"), Column("command", "command")], form)
        return
    for row in rows:
        print(fit_lines(f"{row['game']}: {row['note']}", PIPED))
        if row["command"]:
            print(fit_lines(f"  next: {keep_commands(remember_commands(row['command']))}"))


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
    from results.reports.guessable import guessable_runs

    games = list(games)
    found = guessable_runs(contents, seats)
    for runs in sorted({tuple(found[game]) for game in games if game in found}):
        of = ", ".join(game for game in games if found.get(game) == [*runs])
        more = f" and {len(runs) - 5:,} more" if runs[5:] else ""
        names = [str(contents.folder.name_run(run)) for run in runs[:5]]
        said = f"runs {', '.join(names)}{more}" if runs[1:] else f"run {names[0]}"
        note(f"warning: bots could know the cards of {of} in {said}: the --seed can be guessed")
