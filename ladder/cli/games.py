"""`ladder games`: the group of commands about games."""

import shlex
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from ladder.cli.options import FormatOption, note, print_rows
from ladder.run.match_options import known_game
from ladder.run.option import Argument, Option
from results.reports.document import Column


def games(
    context: typer.Context,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """List the games.

    With the name of a game, print its rules and list its files for authors of bots; with --to, copy these:
    `ladder games GAME --help`.

    Example: ladder games stellar
    """
    if not context.invoked_subcommand:
        from engines import GAMES
        from results.reports.values_as_text import escape

        _print_games(GAMES, format)
        for problem in GAMES.ignored:
            note(escape(problem))


def _print_games(names: Iterable[str], form: str) -> None:
    """Print what is known of these games but their rules."""
    from engines import GAMES
    from ladder.games.rule_options import spell

    rows = [
        {
            "game": game.name,
            "version": game.version,
            "seats": list(game.seats),
            "options": {option: list(values) for option, values in game.options.items()}
            | {option: ["a TOML file"] for option in game.custom},
            "package": GAMES.package(game.name) or None,
        }
        for game in map(GAMES.__getitem__, names)
    ]
    columns = [
        Column("game", "game"),
        Column("version", "version", right=True),
        Column("seats", "seats", lambda seats: ", ".join(map(str, seats))),
        Column(
            "options",
            "options",
            lambda o: "; ".join(f"{k} = {' | '.join(map(spell, v))}" for k, v in o.items()),
        ),
        Column("package", "package", lambda package: package or "built in"),
    ]
    print_rows(rows, columns, form)


def info(
    game: Annotated[str, Argument("The name of a game.", metavar="GAME", completes="games")],
    to: Annotated[
        Path | None, Option("Copy its files for authors to FOLDER/GAME, instead.", metavar="FOLDER")
    ] = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """Print a summary of the rules of a game, its notation and its options, and list its files.

    The files are for authors of bots: its page, schema, cards and positions. A confined bot reads only its
    own folder, so copy the files that it needs there. In another format, print what `ladder games` lists.

    Example: ladder games stellar --to my-bot
    """
    from engines import GAMES
    from ladder.games.bot_files import copy_bot_files, list_bot_files
    from ladder.live.fitting import fold

    name = known_game(game)
    if format != "table":
        _print_games([name], format)
        return
    if to:
        print(*copy_bot_files(name, to), sep="\n")
        return
    text = GAMES[name].summary.rstrip()
    if sys.stdout.isatty():
        text = "\n".join(fold(text, shutil.get_terminal_size().columns))
    print(text)
    print("\nFiles for authors of bots, which --to FOLDER copies:")
    print(*list_bot_files(name), sep="\n")


def new(
    name: Annotated[str, Argument("The game's name, such as river-race.", metavar="NAME")],
    parent: Annotated[Path, Option("Make the project in this folder.", ("--to",), metavar="FOLDER")] = Path(),
) -> None:
    """Start a game of your own: a project with a small game and its tests.

    Example: ladder games new river-race
    """
    from ladder.games.new_game import create_game

    folder = create_game(name, parent)
    print(folder)
    note(
        f"made the game {name}; {folder / 'README.md'} says what to do next", f"cd {shlex.quote(str(folder))}"
    )
