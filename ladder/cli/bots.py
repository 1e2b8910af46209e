"""`ladder submit`, `ladder bots` and `ladder house`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NoReturn

import typer

from ladder.cli.options import (
    FIRST_RUN,
    FormatOption,
    HomeOption,
    existing_home,
    home_for_writing,
    note,
    print_rows,
    refuse,
)

if TYPE_CHECKING:
    from ladder.errors import LadderError
    from ladder.home import Home
    from ladder.registry.version import Version

__all__ = ["bots", "house", "submit"]


def submit(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="PATH",
            help="A script, a folder with bot.toml, a manifest, a .zip or .tar.gz; several, too.",
        ),
    ],
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Call the bot so.", show_default="its own name")
    ] = None,
    replace: Annotated[
        bool,
        typer.Option(
            "--replace", metavar="", help="Let it take over the name of a bot that somebody else submitted."
        ),
    ] = False,
    message: Annotated[
        str,
        typer.Option("--message", "-m", metavar="NOTE", help="What is new, for the list of bots."),
    ] = "",
    home: HomeOption = None,
) -> None:
    """Submit bots: their files are copied, built, and tried in a match against themselves.

    From then on that copy plays, under a version of its own; submit again for the next version.

    Example: ladder submit my_bot.py
    """
    from engines import GAMES
    from ladder.errors import LadderError
    from ladder.registry.archive import open_submission
    from ladder.registry.manifest import read_manifest

    if name and paths[1:]:
        raise typer.BadParameter("it names one bot, and several are submitted", param_hint="--name")
    if not paths[1:]:
        with open_submission(paths[0]) as place:
            read_manifest(place, GAMES, name)  # refused before a home is made for it
    refused: dict[Path, LadderError] = {}
    with home_for_writing(home) as where:
        for path in paths:
            older = where.roster.versions()
            try:
                version = _take(where, path, name, message, replace)
            except LadderError as error:
                if not paths[1:]:
                    raise
                refuse(f"{path}: {error}", error.hint, error.exit_code)
                refused[path] = error
            else:
                _print_taken(version, [old for old in older if old.bot == version.bot])
        if len(refused) == len(paths):  # a home that was made for them goes
            _sum_up(paths, refused)
    if refused:
        _sum_up(paths, refused)
    note(f"  next: {FIRST_RUN}")


def _take(home: Home, path: Path, name: str | None, message: str, replace: bool) -> Version:
    """Take in a bot; show how far that has come, if it is slow."""
    from ladder.admission.submit import submit
    from ladder.cli.progress import Watching
    from ladder.worker.progress import Progress

    progress = Progress()
    with Watching(progress) as watching:

        def say(text: str) -> None:
            with watching.aside():
                note(text)

        return submit(home, path, name, note=message, replace=replace, say=say, progress=progress)


def _print_taken(version: Version, older: list[Version]) -> None:
    """Print what was taken in, for people in a terminal; else its id, for programs."""
    called = f"{version.bot}@{version.number} ({version.version})"
    if not older:
        said = f"new bot {called}"
    elif version.id == older[-1].id:
        said = f"{called} is the newest version already; nothing has changed"
        if older[-1].retired:
            said = f"{called} plays again"
    else:
        again = "an older version again" if version.id in [old.id for old in older] else "new version"
        said = f"{again} of {version.bot}: {called}, after {version.bot}@{older[-1].number}"
    if sys.stdout.isatty():
        print(said)
    else:
        print(version.id)
        note(said)


def _sum_up(paths: list[Path], refused: Mapping[Path, LadderError]) -> NoReturn:
    """Say which of *paths* were refused, and exit."""
    names = ", ".join(map(str, refused))
    note(f"{len(paths) - len(refused)} of {len(paths)} are in; refused: {names}")
    raise typer.Exit(max(error.exit_code for error in refused.values()))


def bots(
    home: HomeOption = None,
    every: Annotated[bool, typer.Option("--all", metavar="", help="Older versions too.")] = False,
    format: FormatOption = "table",  # noqa: A002 - the option's name
) -> None:
    """List the bots of this ladder.

    Example: ladder bots --all
    """
    from engines import GAMES
    from ladder.house import pending
    from results.reports.render import Column

    where = existing_home(home)
    roster = where.roster
    newest = {version.id for version in roster.active()}
    rows = [
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
        for version in roster.versions()
        if every or version.id in newest
    ]
    columns = [
        Column("bot", "bot"),
        Column("number", "no.", right=True),
        Column("version", "version"),
        *(
            [Column("active", "active", lambda active: "yes" if active else "")]
            if every or format in ("json", "csv")
            else []
        ),
        Column("games", "games", lambda names: ", ".join(names) or "all"),
        Column("submitted", "submitted"),
        Column("note", "note", always=False),
        Column("author", "author", always=False),
        Column("description", "description", always=False),
    ]
    print_rows(rows, columns, format)
    if coming := pending(where):
        note(
            f"the next run brings in the house bots: {', '.join(coming)}",
            "ladder house remove keeps them out",
        )
    elif not rows:
        note("no bots play", "ladder submit PATH; or ladder house add, which lets the house bots play")


def _complete_house(incomplete: str) -> list[str]:
    from ladder.home import house_bots

    return [name for name in house_bots() if name.startswith(incomplete)]


def house(
    action: Annotated[Literal["add", "remove"], typer.Argument(help="Bring them in, or take them out.")],
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="BOT", help="Only these; all house bots if left out.", autocompletion=_complete_house
        ),
    ] = None,
    home: HomeOption = None,
) -> None:
    """Bring in the bots that come with the ladder, or take them out.

    A new ladder gets them with its first run. Those that are taken out no longer play; what they played
    stays, and they still play where they are named.

    Example: ladder house remove random-c
    """
    from ladder.admission.house import add
    from ladder.home import house_bots
    from ladder.house import check_names, remove

    wanted = list(dict.fromkeys(names or house_bots()))
    check_names(wanted)
    where = existing_home(home)
    if action == "add":
        added = add(where, wanted, note)
        note(f"house bots that play: {len(added)} of {len(wanted)}", FIRST_RUN)
    elif gone := remove(where, wanted):
        note(f"house bots that no longer play: {', '.join(gone)}", "ladder house add brings them in again")
    else:
        note("nothing has changed: none of these house bots played", "ladder bots")
