"""`ladder bots`: the group of commands about bots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from ladder.cli.options import (
    FormatOption,
    HomeOption,
    JsonOption,
    complete_bots,
    existing_home,
    note,
    print_rows,
    store_of,
)

if TYPE_CHECKING:
    from ladder.home.home import Home
    from ladder.registry.version import Version
    from results.reports.render import Column, Row

__all__ = ["bots", "info", "retire"]


def bots(
    context: typer.Context,
    home: HomeOption = None,
    every: Annotated[bool, typer.Option("--all", metavar="", help="Also list older versions.")] = False,
    format: FormatOption = "table",  # noqa: A002 - the option's name
) -> None:
    """List the bots.

    With the name of a bot: what `ladder bots info` shows.

    Example: ladder bots --all
    """
    if context.invoked_subcommand:
        return
    from ladder.home.house_bots import pending

    where = existing_home(home)
    rows = _rows(where, every)
    print_rows(rows, _columns(every or format in ("json", "csv")), format)
    if coming := pending(where):
        note(
            f"the next run adds the house bots: {', '.join(coming)}",
            "ladder bots house remove, which keeps them out",
        )
    elif not rows:
        note("no bots play", "ladder submit PATH; or ladder bots house add, which adds the house bots")


def _rows(home: Home, every: bool) -> list[Row]:
    """Return a row for each bot that plays; with *every*, for each version."""
    from engines import GAMES

    newest = {version.id for version in home.roster.active()}
    return [
        {
            "bot": version.bot,
            "number": version.number,
            "version": version.version,
            "active": version.id in newest,
            "games": [game for game in GAMES if version.plays(game)]
            if version.unfit
            else list(version.manifest.games),
            "submitted": version.submitted,
            "note": version.note or None,
            "author": version.manifest.author or None,
            "description": version.manifest.description or None,
        }
        for version in home.roster.versions()
        if every or version.id in newest
    ]


def _columns(every: bool) -> list[Column]:
    """Return the columns of the rows; *every*: also whether a version plays."""
    from results.reports.render import Column

    return [
        Column("bot", "bot"),
        Column("number", "no.", right=True),
        Column("version", "version"),
        *([Column("active", "active", lambda active: "yes" if active else "")] if every else []),
        Column("games", "games", lambda names: ", ".join(names) or "all"),
        Column("submitted", "submitted"),
        Column("note", "note", always=False),
        Column("author", "author", always=False),
        Column("description", "description", always=False),
    ]


BotArgument: TypeAlias = Annotated[
    str,
    typer.Argument(metavar="BOT", help="NAME, NAME@NUMBER or NAME@HASH.", autocompletion=complete_bots),
]


def info(bot: BotArgument, json: JsonOption = False, home: HomeOption = None) -> None:
    """Show a bot: what it runs, which games it plays, where it is stored, how it stands.

    A name alone means the newest version that plays.

    Example: ladder bots info greedy
    """
    from results.reports.render import escape

    where = existing_home(home)
    facts = _facts(where, where.roster.find(bot))
    if json:
        import json as text

        print(text.dumps(facts, indent=2))
        return
    width = max(map(len, facts)) + 2
    for what, found in facts.items():
        lines = found if isinstance(found, list) else [found]
        for i, line in enumerate(lines):
            print(f"{'' if i else what:<{width}}{escape(line)}")


def _facts(home: Home, version: Version) -> dict[str, str | list[str]]:
    """Return the known facts about *version*, without the empty ones."""
    from engines import GAMES
    from ladder.registry.build import shell_line
    from results.rating.cache import ratings_current
    from results.rating.fit import Z_95

    manifest, roster = version.manifest, home.roster
    others = [other for other in roster.versions() if other.bot == version.bot]
    active = {other.id for other in roster.active()}
    rated = ratings_current(store_of(home)).values()
    own = (version.bot, version.version)
    facts: dict[str, str | list[str]] = {
        "bot": f"{version.bot}@{version.number} ({version.version})",
        "description": manifest.description,
        "author": manifest.author,
        "note": version.note,
        "games": [game for game in GAMES if version.plays(game)],
        "runs": shell_line(version, manifest.run),
        "build": shell_line(version, manifest.build) if manifest.build else "",
        "submitted": version.submitted,
        "from": roster.origins()[version.bot][others.index(version)],
        "files": version.folder,
        "versions": [
            f"{other.bot}@{other.number} ({other.version}){', plays' if other.id in active else ''}"
            for other in others
        ],
        "ratings": [
            f"{each.game}: {found.mu:.1f} +- {Z_95 * found.sigma:.1f} after {found.matches:,} matches"
            for each in rated
            if (found := each.standings.get(own))
        ],
    }
    return {what: found for what, found in facts.items() if found}


def retire(bot: BotArgument, home: HomeOption = None) -> None:
    """Keep a bot out of future runs; its results stay.

    NAME retires all versions; NAME@NUMBER or NAME@HASH retires one, and the newest of the others plays on.
    A retired bot still plays where a run names it.

    Example: ladder bots retire my_bot
    """
    where = existing_home(home)
    version = where.roster.find(bot)
    retired = where.roster.retire([version] if "@" in bot else where.roster.versions_of(version.bot))
    left = [other for other in where.roster.active() if other.bot == version.bot]
    if not retired:
        note(f"nothing has changed: {bot} is retired already", "ladder bots --all")
        return
    names = ", ".join(f"{other.bot}@{other.number}" for other in retired)
    print(f"retired: {names}")
    plays = f"; {left[0].bot}@{left[0].number} plays on" if left else ""
    note(f"submit it again to bring it back{plays}", "ladder bots")
