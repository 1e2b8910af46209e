"""Values that are read without typer's own reading are the same ones, and are refused in the same words."""

from typing import Any

import pytest
import typer
from typer.core import TyperCommand
from typer.exceptions import TyperException
from typer.main import get_command

from ladder.cli.help import Command


def options(
    name,
    more=None,
    text=None,
    form="table",
    some=None,
    count=None,
    counts=None,
    number=3,
    share=None,
    place=None,
    seven=7,
    dash=None,
    there=None,
    on=False,
):
    return list(locals().values())


def read(kind, words):
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
def test_plain_values_are_read_as_typer_reads_them(words):
    assert read(TyperCommand, words.split()) == read(Command, words.split())
