"""`ladder bots BOT`: what is known of a bot, or how its rating came about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from ladder.cli.not_played import say_not_played
from ladder.cli.options import (
    AllVersionsOption,
    BotArgument,
    FormatOption,
    GameOption,
    HomeOption,
    SeasonOption,
    existing_home,
    known_game,
    note,
    print_json,
    print_rows,
    rated_versions,
    store_of,
)
from ladder.cli.show_document import show_answer, show_document
from ladder.run.option import Option, WrongOption
from results.reports.document import GAME, Document

if TYPE_CHECKING:
    from ladder.home.home import Home
    from ladder.registry.version import Version
    from results.reports.bot_facts import BotFacts
    from results.storage.contents import Contents


def info(
    bot: BotArgument,
    game: GameOption = None,
    season: SeasonOption = None,
    all_versions: AllVersionsOption = False,
    history: Annotated[
        bool,
        Option("Show its rating after the first 10 matches, the first 15, and so on, instead.", short=True),
    ] = False,
    home: HomeOption = None,
    format: FormatOption = "table",  # noqa: A002 - the option's name
) -> None:
    """Show everything that is known about a bot.

    What it runs and where it is stored; its versions and their ratings. Of the version that you name, or of
    the newest one that plays: how its rating developed, its results against each opponent and at each seat,
    how far it stayed from the limits on time and memory, and its faults. --all-versions also lists opponents
    that no longer play.

    With --history: how far it was above an anchor after more and more matches, with 95 % intervals. A name
    alone shows all versions of the bot, one after another.

    Example: ladder bots greedy --game stellar
    """
    chosen = known_game(game) if game else None
    if not history and format not in ("table", "json", "md"):
        raise WrongOption("--format", f"expected one of table, json, md; {format} is for --history")
    where = existing_home(home)
    if history:
        _print_history(where, bot, chosen, season, format)
        return
    contents = store_of(where).contents().of_season(season)
    _show(where, contents, where.roster.find(bot), chosen, format, all_versions=all_versions)


def _show(
    where: Home, contents: Contents, version: Version, chosen: str | None, form: str, *, all_versions: bool
) -> None:
    """Print what *contents* say of *version*, at the *chosen* game or at all."""
    from ladder.replay.bot_document import BotSubject, bot_document
    from ladder.replay.bot_identity import bot_json, identity, version_rows
    from results.rating.cache import ratings_of
    from results.reports.as_markdown import as_markdown
    from results.reports.bot_facts import BotReader

    versions = where.roster.versions_of(version.bot)
    rated = {name: each for name, each in ratings_of(contents).items() if chosen in (None, name)}
    key = (version.bot, version.version)
    hidden = where.hidden_versions(contents)
    reader = BotReader(contents, rated, {key}, hidden)
    facts = reader.facts(key, [(other.bot, other.version) for other in versions])
    origin = where.roster.origins()[version.bot][versions.index(version)]
    known = identity(version, where.limits_of(version), origin)
    if form == "json":
        active = {each.id for each in where.roster.active()}
        print_json(bot_json(known, version_rows(versions, active), facts))
        return
    shown = frozenset() if all_versions else hidden
    numbers = where.roster.numbers()
    subject = BotSubject(version.bot, [facts], versions, numbers, known, hidden=shown)
    document = bot_document(subject, "operator")
    if form == "md":
        print(as_markdown(document, numbers), end="")
    else:
        show_document(document, numbers)
    met = {(row["rival"], row["rival_version"]) for each in facts.games for row in each.opponents}
    if left_out := len(met & {*shown}):
        told = "1 opponent no longer plays" if left_out == 1 else f"{left_out:,} opponents no longer play"
        note(told, "--all-versions shows them")
    if not facts.games:
        _say_not_played(where, reader.contents, version, facts, chosen)


def _say_not_played(
    home: Home, contents: Contents, version: Version, facts: BotFacts, game: str | None
) -> None:
    name, options = f"{version.bot}@{version.number}", f" --game {game}" if game else ""
    other = next((row["version"] for row in facts.standings if row["version"] != version.version), None)
    instead = ""
    if other:
        of_season = f" --season {contents.season_name}" if contents.season != contents.seasons[-1] else ""
        number = home.roster.numbers()[version.bot, other]
        instead = f"ladder bots {version.bot}@{number}{options}{of_season}"
    command = f"ladder bots {name}{options}"
    say_not_played(home, contents, name, {(version.bot, version.version)}, command, game, instead)


def _print_history(home: Home, bot: str, game: str | None, season: str | None, form: str) -> None:
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
