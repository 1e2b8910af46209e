"""`ladder matrix`: results bot against bot."""

from typing import Annotated, TypeAlias

from ladder.api.asked import AllVersionsOption, GameOption, SeasonOption, TopOption
from ladder.cli.options import FormatOption, HomeOption, existing_home, nothing_yet, print_rows, store_of
from ladder.cli.show_document import show_answer
from ladder.run.match_options import known_game
from ladder.run.option import Option
from results.reports.document import GAME, Document

OfBotOption: TypeAlias = Annotated[
    str | None,
    Option(
        "Only this bot against each opponent, as a list: NAME, NAME@NUMBER or NAME@HASH.",
        metavar="BOT",
        completes="bots",
        hidden=True,
    ),
]


def matrix(
    bot: OfBotOption = None,
    game: GameOption = None,
    top: TopOption = None,
    season: SeasonOption = None,
    all_versions: AllVersionsOption = False,
    home: HomeOption = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """Show results bot against bot.

    Bots stand in the order of the leaderboard. A cell has the share of matches in percent that the bot in its
    row won against the bot with the number of its column. A draw is half a win; at larger tables the better
    place wins. Each share is followed by its 95 % interval. Each bot has one row, for the version that plays.

    Example: ladder matrix --format csv
    """
    from ladder.api.board_rows import rated_versions
    from ladder.cli.print_boards import say_hidden
    from results.rating.cache import ratings_of
    from results.reports.board_document import matrix_section
    from results.reports.leaderboard import GameBoard
    from results.reports.matrix import MATRIX
    from results.reports.matrix import matrix as rows_of
    from results.reports.survey import MEETINGS_NEED, survey_meetings

    chosen = known_game(game) if game else None
    where = existing_home(home)
    contents = store_of(where).contents().of_season(season)
    ratings = ratings_of(contents)
    known = {key for rated in ratings.values() for key in rated.standings}
    wanted = rated_versions(where, bot, known) if bot else None
    hidden = frozenset() if all_versions else where.hidden_versions(contents)
    if wanted and (all_versions or "@" in (bot or "") or hidden.issuperset(wanted)):
        hidden -= {*wanted}
    found = survey_meetings(contents.match_parts(MEETINGS_NEED))
    by_game = {}
    boards = []
    for name, rated in ratings.items():
        if chosen not in (None, name):
            continue
        board = GameBoard(rated, hidden)
        boards.append(board)
        order = [board.fit.bots[i] for i in (board.ranked + board.unranked)[:top]]
        rows = rows_of(found.meetings(name), name, order, board.fit.deviation)
        if wanted:
            rows = [row for row in rows if (row["bot"], row["version"]) in wanted]
        by_game[name] = (order, rows)
    if format not in ("table", "md"):
        print_rows([row for _, rows in by_game.values() for row in rows], [GAME, *MATRIX], format)
    else:
        sections = [
            matrix_section(name, rows, order, listed=wanted is not None)
            for name, (order, rows) in by_game.items()
        ]
        instead = "ladder bots BOT lists all results of one bot; --format csv has all"
        show_answer(Document("Head to head", sections), format, where.roster.numbers(), instead)
    say_hidden(boards, "ladder matrix")
    if not found.matches:
        nothing_yet("matches")
