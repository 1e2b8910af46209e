"""`ladder init`, `ladder games` and `ladder doctor`: the ladder itself."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ladder.cli.options import FIRST_RUN, FormatOption, complete_games, known_game, note, print_rows
from ladder.cli.program_name import as_called

__all__ = ["doctor", "games", "init"]


def init(
    path: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder to make.")] = Path("ladder-home"),
) -> None:
    """Make a new ladder: a folder with ladder.toml, bots and results.

    The house bots come in with its first run.

    Example: ladder init my-ladder
    """
    import shlex

    from ladder.home import DEFAULT, create_home, house_bots, open_home

    where = "" if path == DEFAULT else f" --home {shlex.quote(str(path))}"
    if (path / "ladder.toml").is_file():
        open_home(path)
        note(f"{path} is a ladder already; nothing is changed", f"{FIRST_RUN}{where}")
        return
    create_home(path, house_bots())
    note(f"made a new ladder in {path}; its settings are in {path / 'ladder.toml'}")
    note(f"the house bots come in with its first run; to keep them out: ladder house remove{where}")
    note(f"  next: {FIRST_RUN}{where}")


def games(
    name: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="Print the rules of this game.", autocompletion=complete_games),
    ] = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """List the games, or print a game's rules in short, its notation and options.

    Example: ladder games stellar
    """
    from engines import GAMES
    from ladder.rule_options import spell
    from results.reports.render import Column

    if name is not None:
        print(GAMES[known_game(name)].summary.rstrip())
        return
    rows = [
        {
            "game": game.name,
            "version": game.version,
            "seats": list(game.seats),
            "options": {option: list(values) for option, values in game.options.items()}
            | {option: ["a TOML file"] for option in game.custom},
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
            lambda o: "; ".join(f"{k} = {' | '.join(map(spell, v))}" for k, v in o.items()),
        ),
    ]
    print_rows(rows, columns, format)


def doctor(format: FormatOption = "table") -> None:  # noqa: A002
    """Say what this machine offers: cores, interpreters, compilers, ways to confine bots.

    Example: ladder doctor
    """
    from ladder.doctor import examine
    from results.reports.render import Column

    rows = [found._replace(found=as_called(found.found))._asdict() for found in examine()]
    print_rows(
        rows,
        [Column("what", "what"), Column("ok", "", lambda ok: "ok" if ok else "-"), Column("found", "found")],
        format,
    )
