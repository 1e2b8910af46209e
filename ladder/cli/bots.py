"""`ladder submit` and `ladder bots`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ladder.cli.options import (
    FIRST_RUN,
    FormatOption,
    HomeOption,
    existing_home,
    home_for_writing,
    note,
    print_rows,
)

__all__ = ["bots", "submit"]


def submit(
    path: Annotated[
        Path, typer.Argument(metavar="PATH", help="A script, a folder with bot.toml, a manifest.")
    ],
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Call the bot so.", show_default="its own name")
    ] = None,
    home: HomeOption = None,
) -> None:
    """Submit a bot: its files are copied, built, and tried in a match against itself.

    From then on that copy plays, under a version of its own; submit again for the next version.

    Example: ladder submit my_bot.py
    """
    from engines import GAMES
    from ladder.roster import read_manifest
    from ladder.submission import submit as take

    read_manifest(path, GAMES, name)  # refused before a home is made for it
    with home_for_writing(home) as where:
        known = {version.id for version in where.roster.versions()}
        version = take(where, path, name)
    print(version.id)
    again = " again, and the newest" if version.id in known else ""
    note(f"{version.bot} is in, as version {version.version}{again}", FIRST_RUN)


def bots(
    home: HomeOption = None,
    every: Annotated[bool, typer.Option("--all", metavar="", help="Older versions too.")] = False,
    format: FormatOption = "table",  # noqa: A002 - the option's name
) -> None:
    """List the bots of this ladder.

    Example: ladder bots --all
    """
    from results.tables import Column

    roster = existing_home(home).roster
    newest = {version.id for version in roster.active()}
    rows = [
        {
            "bot": version.bot,
            "version": version.version,
            "active": version.id in newest,
            "games": list(version.manifest.games),
            "submitted": version.submitted,
            "author": version.manifest.author or None,
            "description": version.manifest.description or None,
        }
        for version in roster.versions()
        if every or version.id in newest
    ]
    columns = [
        Column("bot", "bot"),
        Column("version", "version"),
        *(
            [Column("active", "active", lambda active: "yes" if active else "")]
            if every or format in ("json", "csv")
            else []
        ),
        Column("games", "games", lambda names: ", ".join(names) or "all"),
        Column("submitted", "submitted"),
        Column("author", "author", always=False),
        Column("description", "description", always=False),
    ]
    print_rows(rows, columns, format)
    if not rows:
        note("no bots yet", f"ladder submit PATH, or {FIRST_RUN}, which lets the house bots play")
