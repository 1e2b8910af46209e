"""`ladder submit`: submit bots."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from ladder.cli.options import FIRST_RUN, HomeOption, home_for_writing, note, refuse

if TYPE_CHECKING:
    from ladder.errors import LadderError
    from ladder.home.home import Home
    from ladder.registry.version import Version

__all__ = ["submit"]


def submit(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="PATH",
            help="A script, a folder with bot.toml, a manifest, a .zip or .tar.gz; may be repeated.",
        ),
    ],
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Give the bot this name.", show_default="its own name")
    ] = None,
    replace: Annotated[
        bool,
        typer.Option(
            "--replace", metavar="", help="Take over the name of a bot that another user submitted."
        ),
    ] = False,
    message: Annotated[
        str,
        typer.Option("--message", "-m", metavar="NOTE", help="Say what is new; `ladder bots` shows it."),
    ] = "",
    home: HomeOption = None,
) -> None:
    """Submit bots, or new versions of them.

    The ladder copies the files, builds them and lets the bot play a match against itself. From then on this
    copy plays, as a version of its own. Submit the bot again to add its next version.

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
            read_manifest(place, GAMES, name)  # refuse it before making a home for it
    refused: dict[Path, LadderError] = {}
    with home_for_writing(home) as where:
        for path in paths:
            older = where.roster.versions()
            try:
                version = _submit(where, path, name, message, replace)
            except LadderError as error:
                if not paths[1:]:
                    raise
                refuse(f"{path}: {error}", error.hint, error.exit_code)
                refused[path] = error
            else:
                _print_version(version, [old for old in older if old.bot == version.bot])
        if len(refused) == len(paths):  # a home that was made for them is removed
            _sum_up(paths, refused)
    if refused:
        _sum_up(paths, refused)
    note(f"  next: {FIRST_RUN}")


def _submit(home: Home, path: Path, name: str | None, message: str, replace: bool) -> Version:
    """Submit a bot; show the progress if it is slow."""
    from ladder.admission.submit import submit
    from ladder.cli.progress import Watching
    from ladder.worker.progress import Progress

    progress = Progress()
    with Watching(progress) as watching:

        def say(text: str) -> None:
            with watching.aside():
                note(text)

        return submit(home, path, name, note=message, replace=replace, say=say, progress=progress)


def _print_version(version: Version, older: list[Version]) -> None:
    """Print the submitted version: in words on a terminal, else its id, for programs."""
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
    note(f"{len(paths) - len(refused)} of {len(paths)} submitted; refused: {names}")
    raise typer.Exit(max(error.exit_code for error in refused.values()))
