"""Print leaderboards, and what else `ladder leaderboard` shows of ratings."""

from collections.abc import Collection, Iterable, Sequence

from ladder.api.board_rows import columns_for_people, mark_rows
from ladder.cli.options import note, print_json, print_rows, store_of
from ladder.cli.show_document import show_answer
from ladder.home.anchor_settings import say_anchor
from ladder.home.home import Home
from results.rating.calibration import read_calibrations
from results.rating.rated import Rated
from results.reports.all_games import ALL_GAMES, all_games, all_games_section, say_too_few
from results.reports.board_document import (
    ShownBoard,
    boards_document,
    calibration_section,
    notes_section,
    pairs_section,
)
from results.reports.board_marks import PASSES, REVIEWED
from results.reports.board_notes import board_notes
from results.reports.calibration_report import CALIBRATION, calibration_row
from results.reports.clean_ratings import CLEAN, BothRated, clean_notes
from results.reports.document import GAME, Column, Document, Note
from results.reports.doubts import PAIRS, pairs, say_few_matches
from results.reports.guessable import guessable_notes, guessable_runs
from results.reports.labels import Key
from results.reports.leaderboard import SHOWN, GameBoard, not_shown
from results.reports.limit_sets import limit_notes
from results.storage.contents import Contents


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
    only: str = "",
    both: BothRated | None = None,
    hints: bool = True,
) -> None:
    """Print the leaderboard of each game of *rated*; in forms for programs all rows stand in one list.

    Versions that are *hidden* are left out.  Say below how many, and in which runs of the season of
    *contents* bots could know the cards; with *seats*, at tables of that size.  A bot passes that is surely
    above *bar*.  The *columns* are chosen by name; without, they are the usual ones.  *only*: the
    options with which matches are left out.  *both*: the ratings with and without faults, if asked for.
    Without *hints*, tables are followed by no commands.
    """
    listed = [GameBoard(each, hidden) for each in rated]
    marked, for_programs, passes = mark_rows(home, contents, listed, seats, top, bar, columns, both)
    if form not in ("table", "md"):
        print_rows(marked, for_programs, form)
    else:
        more = CLEAN[-1:] if both else ()
        shown = [*(columns_for_people(columns) if columns else [*SHOWN, *more]), PASSES]
        boards, options = [], _options(contents, only)
        # an estimate needs the sentence that says what it rests on
        if reviewed := any(column.key in columns for column in REVIEWED):
            from ladder.replay.review.board_reviews import say_reviews
        for board in listed:
            mine = [row for row in marked if row["game"] == board.game]
            asked = [*say_reviews(board.game, mine, columns, board.rated.tables)] if reviewed else []
            if bar and not any(game == board.game for game, _ in passes):
                asked.append(Note(f"{bar} has no rating here, so no bot can be compared with it"))
            found = _notes_on(board, home, contents, options, both, asked)
            boards.append(ShownBoard(board, mine, found, shown, options))
        show_answer(boards_document(boards, top, hints=hints), form, home.roster.numbers())
    say_hidden(listed, "ladder leaderboard")
    say_guessable(contents, [board.game for board in listed], seats)


def _options(contents: Contents, only: str) -> str:
    """Return the options with which another command tells of the same matches."""
    return f"{f' --season {contents.season_name}' if contents.season_is_over else ''}{only}"


def _notes_on(
    board: GameBoard, home: Home, contents: Contents, only: str, both: BothRated | None, first: list[Note]
) -> list[Note]:
    numbers = home.roster.numbers()
    season = contents.season_name if contents.season_is_over else ""
    limits = [] if "--limits" in only else limit_notes(contents, board, numbers)
    turned = clean_notes(both, board, numbers, only) if both else []
    return board_notes(board, numbers, past_season=season, first=[*turned, *first], others=limits)


def say_hidden(boards: Sequence[GameBoard], command: str) -> None:
    """Say how many versions are hidden on *boards*, and that *command* shows them."""
    if said := not_shown(boards):
        note(said, f"{command} --all-versions")


def say_anchors(rated: Iterable[Rated], home: Home) -> None:
    """Say what is wrong with the anchors of `ladder.toml`, or which the ratings do not rest on yet."""
    for each in rated:
        if said := say_anchor(home, each):
            note(*said)


def print_pairs(listed: Sequence[GameBoard], form: str, home: Home, top: int | None) -> None:
    """Print the pairs of bots of each of the *listed* leaderboards."""
    rows = {board.game: pairs(board, top) for board in listed}
    if form not in ("table", "md"):
        print_rows([row for each in rows.values() for row in each], [GAME, *PAIRS], form)
        return
    sections = [pairs_section(each.game, rows[each.game], say_few_matches(each)) for each in listed]
    document = Document("Pairs of bots", sections)
    show_answer(document, form, home.roster.numbers())
    say_hidden(listed, "ladder leaderboard --show pairs")


def print_all_games(listed: Sequence[GameBoard], form: str, home: Home, top: int | None) -> None:
    """Print how the bots that play all games compare over the *listed* leaderboards, which are all."""
    rows = all_games(listed)[:top]
    if form not in ("table", "md"):
        print_rows(rows, ALL_GAMES, form)
    elif rows:
        show_answer(Document("All games", [all_games_section(listed, rows)]), form, home.roster.numbers())
        say_hidden(listed, "ladder leaderboard --show all-games")
    if listed and not rows:
        note(say_too_few(listed), "ladder leaderboard, which shows each game")


def print_notes(
    listed: Iterable[GameBoard], form: str, home: Home, contents: Contents, only: str, both: BothRated | None
) -> None:
    """Print all that the tables of the *listed* leaderboards do not say."""
    same = _options(contents, only)
    found = {board.game: _notes_on(board, home, contents, same, both, []) for board in listed}
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


def say_guessable(contents: Contents, games: Iterable[str], seats: int | None = None) -> None:
    """Say in which runs of the season of *contents* bots could know the cards of *games*, if in any."""
    for said in guessable_notes(guessable_runs(contents, seats), games, contents.folder.unrated_name):
        note(said)


def print_calibrations(
    home: Home, contents: Contents, game: str | None, form: str, seats: int | None
) -> bool:
    """Print the calibration of *game*, or of all games if it is None; return whether there are matches.

    The matches are those of the season of *contents*; with *seats*, only those at tables of that size.
    """
    found = {name: each for name, each in read_calibrations(contents, seats).items() if game in (None, name)}
    if found and form not in ("table", "md"):
        print_rows([calibration_row(name, each) for name, each in found.items()], CALIBRATION, form)
    else:
        numbers = home.roster.numbers()
        sections = [calibration_section(name, each, numbers) for name, each in found.items()]
        show_answer(Document("Calibration", sections), form, numbers)
    return bool(found)


def print_judges(home: Home, game: str | None, form: str) -> None:
    """Print how well judges foretold results, in all matches with a whole review, or in those of *game*."""
    from ladder.replay.review.foretelling import calibrate
    from ladder.replay.review.review_document import foretold_section

    found = [each for each in calibrate(store_of(home)) if game in (None, each.game)]
    told = [each._asdict() | {"tenths": [tenth._asdict() for tenth in each.tenths]} for each in found]
    if form == "json":
        print_json(told)
    elif form in ("table", "md"):
        show_answer(Document("Judges", [*map(foretold_section, found)]), form, home.roster.numbers())
    else:
        keys = ("game", "seats", "judge", "matches", "brier", "chances", "expected", "happened")
        rows = [each | tenth for each in told for tenth in each["tenths"]]
        print_rows(rows, [Column(key, key) for key in keys], form)
    if not found:
        note("no match has a whole review", "ladder review last")
