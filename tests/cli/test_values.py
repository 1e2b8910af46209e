"""Values that are read without typer's own reading are the same ones, and are refused in the same words."""

from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
import typer
from typer.core import TyperCommand
from typer.exceptions import TyperException
from typer.main import get_command

from ladder.cli.help import Command
from ladder.run.option import whole


def options(
    name: Annotated[str, typer.Argument()],
    more: Annotated[list[Path] | None, typer.Argument()] = None,
    text: str | None = None,
    form: Annotated[Literal["table", "json"], typer.Option("--form")] = "table",
    some: Annotated[list[str] | None, typer.Option("--some")] = None,
    count: Annotated[int | None, typer.Option(parser=whole(1, 9))] = None,
    counts: Annotated[list[int] | None, typer.Option(parser=whole(1, 9))] = None,
    number: int = 3,
    share: float | None = None,
    place: Path | None = None,
    seven: Annotated[int, typer.Option(min=1, max=7)] = 7,
    dash: Annotated[Path | None, typer.Option(allow_dash=True)] = None,
    there: Annotated[Path | None, typer.Option(exists=True)] = None,
    on: bool = False,
) -> list[Any]:
    return list(locals().values())


def read(kind: type[TyperCommand], words: list[str]) -> Any:
    """Return what a command of this *kind* makes of *words*: its values, or the error."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(cls=kind)(options)
    try:
        return get_command(app)(words, standalone_mode=False)
    except TyperException as error:
        param: Any = getattr(error, "param", None)
        return type(error), str(error), param and param.name


@pytest.mark.parametrize(
    "words",
    [
        "",
        "x",
        "x y z --text t",
        "x --form json --some a --some b",
        "x --form yaml",
        "x --count 5 --counts 1 --counts 9",
        "x --count ten",
        "x --counts 1 --counts 10",
        "x --number 5 --share 0.5",
        "x --number five",
        "x --share half",
        "x --place /nowhere/at/all --dash - --there /",
        "x --place / --there /nowhere",
        "x --seven 8",
        "x --seven 1 --on",
        "x --text",
        "x --unknown",
    ],
)
def test_plain_values_are_read_as_typer_reads_them(words: str) -> None:
    assert read(TyperCommand, words.split()) == read(Command, words.split())
