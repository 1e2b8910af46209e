"""`ladder bots BOT --history`: how the rating of a bot came about."""

from typing import TYPE_CHECKING

from ladder.cli.not_played import say_not_played
from ladder.cli.options import print_rows, rated_versions, store_of
from ladder.cli.show_document import show_answer
from results.reports.document import GAME, Document

if TYPE_CHECKING:
    from ladder.home.home import Home


def print_history(home: "Home", bot: str, game: str | None, season: str | None, form: str) -> None:
    """Print the ratings that *bot* had in *game*, or in all; a name alone means all its versions."""
    from results.rating.cache import ratings_of
    from results.reports.board_document import history_section
    from results.reports.history import HISTORY
    from results.reports.history import history as rows_of

    contents = store_of(home).contents().of_season(season)
    ratings = ratings_of(contents)
    wanted = rated_versions(home, bot, {key for rated in ratings.values() for key in rated.standings})
    by_game = {
        name: [row for key in wanted if key in rated.standings for row in rows_of(contents, rated, key)]
        for name, rated in ratings.items()
        if game in (None, name)
    }
    by_game = {name: rows for name, rows in by_game.items() if rows}
    if form not in ("table", "md"):
        print_rows([row for rows in by_game.values() for row in rows], [GAME, *HISTORY], form)
    else:
        sections = [history_section(name, bot, rows) for name, rows in by_game.items()]
        show_answer(Document(f"History of {bot}", sections), form, home.roster.numbers())
    if not by_game:
        command = f"ladder bots {bot} --history{f' --game {game}' if game else ''}"
        say_not_played(home, contents, bot, wanted, command, game)
