"""`ladder bots`: list them.  Its subcommands stand beside it: bots_*.py and house.py."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ladder.cli.options import FormatOption, HomeOption, existing_home, note, print_rows
from ladder.run.option import Option
from results.reports.document import BotRef, Column

if TYPE_CHECKING:
    from ladder.home.home import Home


def bots(
    context: typer.Context,
    home: HomeOption = None,
    every: Annotated[bool, Option("Also list older versions.", ("--all-versions",))] = False,
    similar: Annotated[bool, Option("List bots whose programs are the same, instead.")] = False,
    format: FormatOption = "table",  # noqa: A002 - the option's name
) -> None:
    """List the bots.

    With the name of a bot, show all that is known about it; `ladder bots BOT --help` lists the options.

    With --similar: programs are the same if their files are, whatever their names; manifests are not
    compared. Older versions are included, house bots are not. No page, site or feedback shows this list.

    Example: ladder bots --all-versions
    """
    if context.invoked_subcommand:
        return
    from ladder.home.house_bots import pending
    from ladder.replay.bot_rows import bot_rows

    where = existing_home(home)
    if similar:
        _print_similar(where, format)
        return
    active = where.roster.active()
    rows = bot_rows(where.roster.versions() if every else active, {version.id for version in active})
    columns = _columns(every or format not in ("table", "md"))
    print_rows(
        rows,
        columns if any(row["remote"] for row in rows) else columns[:-1],
        format,
        numbers=where.roster.numbers(),
    )
    banned = sorted({version.bot for version in where.roster.versions() if version.ban})
    if banned and not every:
        note(f"banned: {', '.join(banned)}", "ladder bots --all-versions, which says why")
    if coming := pending(where):
        note(
            f"the next run adds the house bots: {', '.join(coming)}",
            "ladder bots house remove, which keeps them out",
        )
    elif not rows:
        note("no bots play", "ladder submit PATH; or ladder bots house add, which adds the house bots")


def _columns(every: bool) -> list[Column]:
    """Return the columns of the rows; *every*: also whether a version plays."""
    from ladder.replay.bot_rows import say_sizes

    return [
        Column("bot", "bot", kind=lambda row: BotRef(row["bot"])),
        Column("number", "no.", right=True),
        Column("version", "version"),
        *([Column("active", "active", lambda active: "yes" if active else "")] if every else []),
        Column("banned", "banned", always=False),
        Column("games", "games", lambda names: ", ".join(names) or "all"),
        Column("submitted", "submitted"),
        Column("note", "note", always=False),
        Column("author", "author", always=False),
        Column("description", "description", always=False),
        Column("display_name", "shown as", extra=True),
        Column("seats", "seats", say_sizes, always=False),
        Column("remote", "remote", lambda remote: "yes" if remote else "", always=False),
    ]


def _print_similar(home: Home, form: str) -> None:
    """Print the bots whose programs are the same, grouped by program."""
    from ladder.registry.same_programs import find_same_programs

    places = home.roster.places()
    groups = find_same_programs(home.roster.versions())
    rows = [
        {
            "program": number,
            "bot": version.bot,
            "number": version.number,
            "author": version.manifest.author or None,
            "submitted": version.submitted,
            "from": str(places[version.bot][-1]) if places.get(version.bot) else None,
        }
        for number, group in enumerate(groups, 1)
        for version in group
    ]
    columns = [
        Column("program", "program", right=True),
        Column("bot", "bot"),
        Column("number", "no.", right=True),
        Column("author", "author", always=False),
        Column("submitted", "submitted"),
        Column("from", "from", always=False),
    ]
    if rows or form != "table":
        print_rows(rows, columns, form)
    else:
        note("no two bots have the same program")
