"""`ladder bots BOT`: what is known of a bot."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Annotated, Any

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
    print_title,
    store_of,
)
from ladder.run.option import Option, WrongOption

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from ladder.home.home import Home
    from ladder.registry.version import Version
    from results.reports.bot_facts import BotFacts, BotFaults, GameFacts
    from results.reports.labels import Key, Numbers
    from results.reports.render import Column, Row
    from results.storage.contents import Contents

TERMINAL = 80
"""Characters: the width in which the limits are told."""
RATINGS = 7
"""The most rows of a rating's history."""
FAULTS = 3
"""The newest faults that are listed."""
WHOLE = "--format json has everything"
"""The hint below a table that lacks columns."""


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

    With --history, each rating is shown with its 95 % interval at that time. A name alone shows all versions
    of the bot, one after another.

    Example: ladder bots greedy --game stellar
    """
    from ladder.cli.bot_history import print_history
    from results.rating.cache import ratings_of
    from results.reports.bot_facts import BotReader

    chosen = known_game(game) if game else None
    if not history and format not in ("table", "json"):
        raise WrongOption("--format", f"expected one of table, json; {format} is for --history")
    where = existing_home(home)
    if history:
        print_history(where, bot, chosen, season, format)
        return
    version = where.roster.find(bot)
    versions = where.roster.versions_of(version.bot)
    contents = store_of(where).contents().of_season(season)
    rated = {name: each for name, each in ratings_of(contents).items() if chosen in (None, name)}
    key = (version.bot, version.version)
    hidden = where.hidden_versions(contents)
    reader = BotReader(contents, rated, {key}, hidden)
    facts = reader.facts(key, [(other.bot, other.version) for other in versions])
    if format == "json":
        print_json(_json(where, version, versions, facts))
    else:
        _print(where, version, versions, facts, frozenset() if all_versions else hidden)
        if not facts.games:
            _say_not_played(where, reader.contents, version, facts, chosen)


def _identity(home: Home, version: Version, versions: Sequence[Version]) -> dict[str, Any]:
    """Return what is known of *version* without any match."""
    from engines import GAMES
    from ladder.registry.bot_build import shell_line

    manifest = version.manifest
    sizes = {game: version.sizes(game, GAMES[game].seats) for game in GAMES if version.plays(game)}
    return {
        "bot": version.bot,
        "number": version.number,
        "version": version.version,
        "shown as": version.display or None,
        "description": manifest.description or None,
        "author": manifest.author or None,
        "note": version.note or None,
        "games": list(sizes),
        "seats": {game: found for game, found in sizes.items() if len(found) < len(GAMES[game].seats)},
        "tried": {each.game: each.when for each in version.tried or ()},
        "limits": _limits(home, version),
        "runs": shell_line(version, manifest.run),
        "build": shell_line(version, manifest.build) if manifest.build else None,
        "submitted": version.submitted,
        "banned": f"{version.ban.why} (since {version.ban.since})" if version.ban else None,
        "from": home.roster.origins()[version.bot][versions.index(version)] or None,
        "files": version.folder,
    }


def _limits(home: Home, version: Version) -> dict[str, Any]:
    """Return what *version* is held to here: in any game, and in `games` where it is other things."""
    held = home.settings.held_to(home.most_threads())
    in_any = held.limits_at(version.bot, "")
    by_game = {}
    for game in held.apart.games if held.apart else ():
        here = held.limits_at(version.bot, game)
        other = {name: value for name, value in here.items() if value != in_any.get(name)}
        if other and version.plays(game):
            by_game[game] = other
    return {**in_any, "retries": held.retries, "games": by_game}


def _say_limits(limits: dict[str, Any]) -> str:
    """Return *limits* in words."""
    told = [", ".join(f"{name} {value:,}" for name, value in limits.items() if name != "games")]
    told += [f"at {game}: {_say_limits(of)}" for game, of in limits.get("games", {}).items()]
    return "; ".join(told)


def _version_rows(home: Home, versions: Sequence[Version]) -> list[Row]:
    """Return a row for each version, the oldest first."""
    active = {each.id for each in home.roster.active()}
    return [
        {
            "number": each.number,
            "version": each.version,
            "submitted": each.submitted,
            "plays": each.id in active,
            "retired": each.retired,
            "note": each.note or None,
        }
        for each in versions
    ]


# -- for programs


def _json(home: Home, version: Version, versions: Sequence[Version], facts: BotFacts) -> dict[str, Any]:
    from results.reports.costs import costs_row

    known = _identity(home, version, versions)
    return {
        **{"display_name" if key == "shown as" else key: found for key, found in known.items()},
        "versions": _version_rows(home, versions),
        "ratings": facts.standings,
        "played": [
            {
                "game": each.game,
                "history": each.history,
                "opponents": each.opponents,
                "standouts": each.standouts,
                "seats": each.places,
                "headroom": each.headroom and each.headroom._asdict(),
                "costs": costs_row(each.costs),
                "worst_losses": [
                    {
                        "match": f"{loss.match[0]}/{loss.match[1]}",
                        "seat": loss.seat,
                        "rank": loss.rank,
                        "points_behind": loss.behind,
                    }
                    for loss in each.losses
                ],
            }
            for each in facts.games
        ],
        "faults": facts.faults._asdict(),
    }


# -- for people


def _print(
    home: Home, version: Version, versions: Sequence[Version], facts: BotFacts, hidden: Collection[Key]
) -> None:
    """Print *facts* of *version*, without its results against the *hidden* versions."""
    from results.reports.bot_facts import STANDINGS, shown_standings
    from results.reports.render import escape

    shown = _identity(home, version, versions)
    shown["bot"] = f"{version.bot}@{version.number} ({version.version})"
    del shown["number"], shown["version"]
    shown["games"] = ", ".join(shown["games"])
    sizes = (f"{game} at {', '.join(map(str, found))}" for game, found in shown["seats"].items())
    shown["seats"] = "; ".join(sizes)
    shown["limits"] = _say_limits(shown["limits"])
    shown["tried"] = ", ".join(f"{game} ({when[:10]})" for game, when in shown["tried"].items())
    shown = {what: found for what, found in shown.items() if found}
    width = max(map(len, shown)) + 2
    for what, found in shown.items():
        first, *more = wrap(found, TERMINAL - width) if what == "limits" else [escape(found)]
        print(f"{what:<{width}}{first}")
        for line in more:
            print(f"{'':<{width}}{line}")
    print()
    print_rows(_version_rows(home, versions), _version_columns(), "table", instead=WHOLE)
    numbers = home.roster.numbers()
    if facts.standings:
        print()
        print_rows(shown_standings(facts.standings, numbers), STANDINGS, "table", instead=WHOLE)
    for each in facts.games:
        _print_game(version, each, numbers, hidden)
    met = {(row["rival"], row["rival_version"]) for each in facts.games for row in each.opponents}
    if left_out := len(met & {*hidden}):
        told = "1 opponent no longer plays" if left_out == 1 else f"{left_out:,} opponents no longer play"
        note(told, "--all-versions shows them")
    if facts.games:
        print()
        _print_faults(facts.faults, version)


def _say_not_played(
    home: Home, contents: Contents, version: Version, facts: BotFacts, game: str | None
) -> None:
    from ladder.cli.not_played import say_not_played

    name, options = f"{version.bot}@{version.number}", f" --game {game}" if game else ""
    other = next((row["version"] for row in facts.standings if row["version"] != version.version), None)
    instead = ""
    if other:
        of_season = f" --season {contents.season_name}" if contents.season != contents.seasons[-1] else ""
        number = home.roster.numbers()[version.bot, other]
        instead = f"ladder bots {version.bot}@{number}{options}{of_season}"
    command = f"ladder bots {name}{options}"
    say_not_played(home, contents, name, {(version.bot, version.version)}, command, game, instead)


def _version_columns() -> list[Column]:
    from results.reports.render import Column

    return [
        Column("number", "no.", right=True),
        Column("version", "version"),
        Column("submitted", "submitted"),
        Column("plays", "plays", lambda plays: "yes" if plays else ""),
        Column("note", "note", always=False, fold=True),
    ]


def _print_game(version: Version, facts: GameFacts, numbers: Numbers, hidden: Collection[Key]) -> None:
    from ladder.cli.streams import fit_lines
    from results.reports.bot_facts import OPPONENTS, PLACES, shown_opponents, thin
    from results.reports.costs import say_costs
    from results.reports.headroom import HEADROOM, headroom_rows
    from results.reports.history import SHOWN_HISTORY, shown_history
    from results.reports.render import escape
    from results.reports.standouts import standout_lines

    bot = f"{version.bot}@{version.number}"
    over_time = [column for column in SHOWN_HISTORY if column.key not in ("bot", "match")]
    met = [row for row in facts.opponents if (row["rival"], row["rival_version"]) not in hidden]
    history = shown_history(thin(facts.history, RATINGS), numbers)
    for title, rows, columns in (
        ("rating after its first matches, +- 95 %", history, over_time),
        ("against each opponent, a draw as half a win", shown_opponents(met, numbers), OPPONENTS),
        ("by table size and seat", facts.places, PLACES),
        ("use of the limits", headroom_rows(facts.headroom) if facts.headroom else [], HEADROOM),
    ):
        if rows:
            print()
            print_title(f"{facts.game}  {bot}: {title}")
            print_rows(rows, columns, "table", instead=WHOLE)
        if columns is HEADROOM and (said := say_costs(facts.costs)):
            print(f"\ncost    {said}")
        if columns is OPPONENTS:
            for line in standout_lines(facts.standouts, facts.opponents, numbers):
                print(fit_lines(escape(line)))


def _print_faults(faults: BotFaults, version: Version) -> None:
    from results.reports.render import escape

    if not faults.newest:
        print("faults  none")
        return
    told = [f"{count:,} {kind}" for kind, count in faults.charged.items()]
    told += [f"{faults.forgiven:,} that cost no match"] if faults.forgiven else []
    print(f"faults  {', '.join(told)}")
    for row in faults.newest[:FAULTS]:
        when = "before the first step" if row["step"] < 0 else f"step {row['step']}"
        print(f"        {row['run']}/{row['number']}, {when}: {escape(row['kind'])}: {escape(row['reason'])}")
    note("the requests, the answers and the logs", f"ladder faults {version.bot}@{version.number}")
