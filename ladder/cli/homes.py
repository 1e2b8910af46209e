"""`ladder init`, `ladder games` and `ladder doctor`: the ladder itself."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ladder.cli.options import FormatOption, note, print_rows

__all__ = ["doctor", "games", "init"]


def init(
    path: Annotated[Path, typer.Argument(help="The folder to make.")] = Path("ladder-home"),
) -> None:
    """Make a new ladder: a folder with ladder.toml, bots and results.

    Example: ladder init my-ladder
    """
    from ladder.home import create_home, open_home

    if (path / "ladder.toml").is_file():
        open_home(path)
        note(f"{path} is a ladder already; nothing is changed")
        return
    create_home(path)
    note(f"made a new ladder in {path}\nnext: ladder run --games 1000 --home {path}")


def games(
    name: Annotated[str | None, typer.Argument(metavar="GAME", help="Print the rules of this game.")] = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """List the games, or print a game's rules in short, its notation and options.

    Example: ladder games stellar
    """
    from engines import GAMES
    from ladder.errors import NotFound, suggest
    from results.tables import Column

    if name is not None:
        if name not in GAMES:
            raise NotFound(f"there is no game {name!r}{suggest(name, GAMES)}", "see them: ladder games")
        print(GAMES[name].summary.rstrip())
        return
    rows = [
        {
            "game": game.name,
            "version": game.version,
            "seats": list(game.seats),
            "options": {option: list(values) for option, values in game.options.items()},
        }
        for game in GAMES.values()
    ]
    columns = [
        Column("game", "game"),
        Column("version", "version", right=True),
        Column("seats", "seats", lambda seats: ", ".join(map(str, seats))),
        Column(
            "options",
            "options",
            lambda o: "; ".join(f"{k} = {' | '.join(map(str, v))}" for k, v in o.items()),
        ),
    ]
    print_rows(rows, columns, format)


def doctor(format: FormatOption = "table") -> None:  # noqa: A002
    """Say what this machine offers: cores, interpreters, compilers, ways to confine bots.

    Example: ladder doctor
    """
    from ladder.machine import examine
    from results.tables import Column

    rows = [found._asdict() for found in examine()]
    print_rows(
        rows,
        [Column("what", "what"), Column("ok", "", lambda ok: "ok" if ok else "-"), Column("found", "found")],
        format,
    )
