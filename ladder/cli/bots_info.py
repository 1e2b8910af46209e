"""`ladder bots BOT`: what is known of a bot, or how its rating came about."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

from ladder.api.asked import AllVersionsOption, GameOption, SeasonOption
from ladder.cli.not_played import say_not_played
from ladder.cli.options import (
    BotArgument,
    FormatOption,
    HomeOption,
    existing_home,
    note,
    print_json,
    print_rows,
    store_of,
)
from ladder.cli.show_document import show_answer, show_document
from ladder.errors import NotFound, UsageProblem
from ladder.run.match_options import known_game
from ladder.run.option import Option, WrongOption
from results.reports.document import GAME, Document, Histogram, Row
from results.reports.labels import display_of, file_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from ladder.home.home import Home
    from ladder.registry.version import Version
    from results.reports.bot_facts import BotFacts
    from results.reports.labels import Key, Numbers
    from results.storage.contents import Contents

    Histories: TypeAlias = dict[str, list[tuple[Key, list[Row]]]]
    WriteChart: TypeAlias = Callable[[str, Histories, Numbers], None]


def info(
    bot: BotArgument,
    game: GameOption = None,
    season: SeasonOption = None,
    all_versions: AllVersionsOption = False,
    history: Annotated[
        bool,
        Option("Show its rating after the first 10 matches, the first 15, and so on, instead.", short=True),
    ] = False,
    svg: Annotated[
        Path | None, Option("With --history: write it as a chart to FILE; - is stdout.", metavar="FILE")
    ] = None,
    dark: Annotated[bool, Option("With --svg: light on dark.")] = False,
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
    if svg and not (history and format == "table"):
        raise WrongOption("--svg", "it goes with --history, and with no --format")
    if dark and not svg:
        raise WrongOption("--dark", "it goes with --svg")
    where = existing_home(home)
    if history:
        write = partial(_write_chart, svg, dark=dark) if svg else None
        _print_history(where, bot, chosen, season, format, write)
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


def _print_history(
    home: Home, bot: str, game: str | None, season: str | None, form: str, write: WriteChart | None
) -> None:
    """Print, or *write*, the ratings that *bot* had in *game*, or in all; a name alone means all versions."""
    from ladder.api.board_rows import rated_versions
    from results.rating.cache import ratings_of
    from results.reports.board_document import history_section
    from results.reports.history import HISTORY
    from results.reports.history import history as rows_of

    contents = store_of(home).contents().of_season(season)
    ratings = ratings_of(contents)
    wanted = rated_versions(home, bot, {key for rated in ratings.values() for key in rated.standings})
    told: Histories = {
        name: [(key, rows_of(contents, rated, key)) for key in wanted if key in rated.standings]
        for name, rated in ratings.items()
        if game in (None, name)
    }
    histories = {name: each for name, each in told.items() if any(rows for _, rows in each)}
    if write:
        write(bot, histories, home.roster.numbers())
        return
    by_game = {name: [row for _, rows in each for row in rows] for name, each in histories.items()}
    if form not in ("table", "md"):
        print_rows([row for rows in by_game.values() for row in rows], [GAME, *HISTORY], form)
    else:
        sections = [history_section(name, bot, rows) for name, rows in by_game.items()]
        show_answer(Document(f"History of {bot}", sections), form, home.roster.numbers())
    if not by_game:
        command = f"ladder bots {bot} --history{f' --game {game}' if game else ''}"
        say_not_played(home, contents, bot, wanted, command, game)


def _write_chart(file: Path, bot: str, histories: Histories, numbers: Numbers, *, dark: bool) -> None:
    """Write the chart of *bot* at its one game to *file*.  Raises NotFound, or UsageProblem for two games."""
    from ladder.machine.extras import check_web

    command = f"ladder bots {bot} --history"
    check_web(f"{command} --svg", "vl_convert", "markupsafe")
    from ladder.replay.bot_document import rating_chart
    from ladder.web.pages.bot_marks import SERIES
    from ladder.web.pages.charts import FILE_MARK, Line, as_file, draw_ratings
    from ladder.web.pages.file import choose_file, write_page
    from ladder.web.pages.values_as_html import name_of

    if not histories:
        raise NotFound(f"{bot} has no rating to draw", f"{command}, which says why")
    (game, told), *others = histories.items()
    if others:
        what = f"a chart is of one game, and {bot} has a rating in {', '.join(histories)}"
        raise UsageProblem(what, f"{command} --game {game} --svg {file}{' --dark' if dark else ''}")
    chart = rating_chart(bot, game, told[::-1])
    if not chart or not chart.data or isinstance(chart.data, Histogram):
        raise NotFound(f"a line needs two ratings, and {bot} has one in {game}", f"ladder run --game {game}")
    lines = [
        Line(f"@{numbers.get((of.bot, of.version)) or of.version}", 1 + at % SERIES, points)
        for at, (of, points) in enumerate(chart.data)
    ]
    title = f"Rating of {display_of(bot, numbers)} in {name_of(game)} over its matches"
    drawn = as_file(draw_ratings(lines, title, chart.axis), title, dark=dark)
    if str(file) == "-":
        print(drawn, end="")
        return
    path = choose_file(file, f"rating-{file_name(bot)}-{game}.svg")
    write_page(drawn, path, FILE_MARK)
    note(f"wrote {path}")
