"""`ladder history`: how the rating of a bot came about."""

from __future__ import annotations

from ladder.cli.not_played import say_not_played
from ladder.cli.options import (
    BotArgument,
    FormatOption,
    GameOption,
    HomeOption,
    SeasonOption,
    existing_home,
    known_game,
    print_rows,
    rated_versions,
    store_of,
)
from ladder.cli.show_document import show_answer


def history(
    bot: BotArgument,
    game: GameOption = None,
    season: SeasonOption = None,
    home: HomeOption = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """Show how the rating of a bot developed.

    This lists the rating after the first 10 matches, the first 15, and so on, each with its 95 % interval at
    that time. A name alone shows all versions of the bot, one after another.

    Example: ladder history greedy --game stellar
    """
    from results.rating.cache import ratings_of
    from results.reports.board_document import history_section
    from results.reports.document import GAME, Document
    from results.reports.history import HISTORY
    from results.reports.history import history as rows_of

    chosen = known_game(game) if game else None
    where = existing_home(home)
    contents = store_of(where).contents().of_season(season)
    ratings = ratings_of(contents)
    wanted = rated_versions(where, bot, {key for rated in ratings.values() for key in rated.standings})
    by_game = {
        name: [row for key in wanted if key in rated.standings for row in rows_of(contents, rated, key)]
        for name, rated in ratings.items()
        if chosen in (None, name)
    }
    by_game = {name: rows for name, rows in by_game.items() if rows}
    if format not in ("table", "md"):
        print_rows([row for rows in by_game.values() for row in rows], [GAME, *HISTORY], format)
    else:
        sections = [history_section(name, bot, rows) for name, rows in by_game.items()]
        show_answer(Document(f"History of {bot}", sections), format, where.roster.numbers())
    if not by_game:
        command = f"ladder history {bot}{f' --game {chosen}' if chosen else ''}"
        say_not_played(where, contents, bot, wanted, command, chosen)
