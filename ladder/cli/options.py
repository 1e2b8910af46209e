"""Options that several commands share, and how rows are printed."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import typer

if TYPE_CHECKING:
    from ladder.home import Home
    from results.store import Store
    from results.tables import Column, Row

__all__ = [
    "FormatOption",
    "GameOption",
    "HomeOption",
    "existing_home",
    "home_for_writing",
    "note",
    "print_rows",
    "store_of",
]

HomeOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--home", envvar="LADDER_HOME", help="The ladder's folder.", show_default="nearest ladder.toml"
    ),
]
FormatOption: TypeAlias = Annotated[
    Literal["table", "json", "csv", "md"], typer.Option("--format", "-f", help="How to print the rows.")
]
GameOption: TypeAlias = Annotated[str | None, typer.Option("--game", help="Only this game.")]


def existing_home(path: Path | None) -> Home:
    """Return the home that a reading command means.  Raises UsageProblem if there is none."""
    from ladder.home import find_home, open_home

    return open_home(find_home(path))


def home_for_writing(path: Path | None) -> Home:
    """Return the home that a writing command means, made if it does not exist."""
    from ladder.home import create_home, find_home, open_home

    where = find_home(path)
    if (where / "ladder.toml").is_file():
        return open_home(where)
    home = create_home(where)
    note(f"made a new ladder in {where}")
    return home


def store_of(home: Home) -> Store:
    """Return the results of *home*."""
    from results.store import Store

    return Store(home.results)


def print_rows(rows: Sequence[Row], columns: Sequence[Column], form: str) -> None:
    """Print *rows* on stdout."""
    from results.tables import render

    sys.stdout.write(render(rows, columns, form))  # type: ignore[arg-type]  # the option allows nothing else


def note(text: str) -> None:
    """Say something that is not the answer: on stderr."""
    print(text, file=sys.stderr)
