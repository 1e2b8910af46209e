"""`ladder submit` and `ladder bots`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ladder.cli.options import FormatOption, HomeOption, existing_home, home_for_writing, note, print_rows

__all__ = ["bots", "submit"]


def submit(
    path: Annotated[Path, typer.Argument(help="A script, or a folder with bot.toml.")],
    name: Annotated[
        str | None, typer.Option(help="Call the bot so.", show_default="as it calls itself")
    ] = None,
    home: HomeOption = None,
) -> None:
    """Submit a bot: its files are copied, built, and tried in a match against itself.

    From then on that copy plays, under a version of its own; submit again for the next version.

    Example: ladder submit my_bot.py
    """
    from ladder.submission import submit as take

    version = take(home_for_writing(home), path, name)
    print(version.id)
    note(f"{version.bot} is in, as version {version.version}\nnext: ladder run --games 1000")


def bots(
    home: HomeOption = None,
    every: Annotated[bool, typer.Option("--all", help="Older versions too.")] = False,
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
            if every or format == "json"
            else []
        ),
        Column("games", "games", lambda names: ", ".join(names) or "all"),
        Column("submitted", "submitted"),
        Column("author", "author", always=False),
        Column("description", "description", always=False),
    ]
    print_rows(rows, columns, format)
    if not rows:
        note("no bots yet; next: ladder submit PATH, or ladder run to let the house bots play")
