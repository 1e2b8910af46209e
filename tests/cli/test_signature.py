"""A command has an argument or an option for each of its parameters, or fields of the struct it takes."""

from collections.abc import Sequence
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import pytest
import typer
from typer.exceptions import TyperException
from typer.main import get_command

from ladder.cli.help import Command
from ladder.cli.signature import flatten
from ladder.run.option import Argument, Option, Section, WrongOption, percent, whole

OF_TEN = Option("Play N.", metavar="N", read=whole(1, 9))


@dataclass(frozen=True, kw_only=True)
class Shared:
    """What two commands share."""

    count: Annotated[int | None, Option("Play N.", ("--count", "-c"), metavar="N", read=whole(1, 9))] = None
    sizes: Annotated[Sequence[int], Option("Tables.", metavar="N", read=whole(2), section=Section.WHAT)] = ()


@dataclass(frozen=True, kw_only=True)
class Baking(Shared):
    """What the command takes."""

    name: Annotated[str, Argument("The name.", metavar="NAME")]
    others: Annotated[str | Sequence[str], Argument("Other names.", metavar="OTHER")] = ()
    is_quick: Annotated[bool, Option("Hurry.", section=Section.SANDBOX)] = False
    share: Annotated[float, Option("How much.", metavar="PERCENT", read=percent(0, 50))] = 5.0
    spare: Annotated[int | None, Option("Keep N.", metavar="N", read=whole(1, 9), bare="2")] = None
    form: Annotated[Literal["table", "json"], Option("The form.")] = "table"
    place: Annotated[Path | None, Option("Where.", metavar="FILE", variable="A_PLACE")] = None

    def __post_init__(self) -> None:
        if self.is_quick and self.count:
            raise WrongOption("--is-quick", "it needs no --count")


@pytest.mark.parametrize(
    ("words", "spare"),
    [("a", None), ("a --spare", 2), ("--spare a", 2), ("--spare 7 a", 7), ("a --spare --is-quick", 2)],
)
def test_an_option_may_have_a_value_where_it_is_typed_without_one(words: str, spare: int | None) -> None:
    assert spare == run(*words.split()).spare


def run(*words: str) -> Any:
    """Return the struct that a command gets for *words*, or the error."""
    taken: list[Baking] = []

    def bake(asked: Baking) -> None:
        """Bake."""
        taken.append(asked)

    bake.__annotations__ = {"asked": Baking, "return": None}  # else they are names of this function
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(cls=Command)(flatten(bake))
    try:
        get_command(app)(list(words), standalone_mode=False)
    except TyperException as error:
        return f"{getattr(error, 'param_hint', None)}: {error}"
    return taken[0] if taken else None


def test_what_is_not_given_has_the_default_of_the_field() -> None:
    assert Baking(name="x") == run("x")


def test_values_are_read_and_several_come_as_a_list() -> None:
    wanted = Baking(
        name="x",
        others=["y", "z"],
        count=7,
        sizes=[2, 3],
        share=12.5,
        form="json",
        place=Path("oven"),
    )
    words = "x y z -c 7 --sizes 2 --sizes 3 --share 12.5% --form json --place oven"
    assert wanted == run(*words.split())
    assert Baking(name="x", is_quick=True) == run("x", "--is-quick")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("x --count 10", "expected a whole number from 1 to 9, got: '10'"),
        ("x --spare -1", "expected a whole number from 1 to 9, got: '-1'"),
        ("x --sizes 1", "expected a whole number of at least 2, got: '1'"),
        ("x --share 50", "expected a percentage between 0 and 50, got: '50'"),
        ("x --is-quick -c 1", "--is-quick: it needs no --count"),
        ("x --no-is-quick", "No such option: --no-is-quick"),
    ],
)
def test_what_cannot_be_read_and_what_does_not_go_together_are_refused(words: str, message: str) -> None:
    assert message in run(*words.split())


def test_a_variable_stands_for_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_PLACE", "shelf")
    assert Path("shelf") == run("x").place


def test_the_help_has_arguments_first_then_the_sections_in_their_order(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run("--help")
    _, _, shown = capsys.readouterr().out.partition("\nArguments\n")
    names = [
        next(word for word in line.split() if word not in ("-c,", "-h,"))
        for line in shown.splitlines()
        if line.startswith(" ") and not line.startswith(" " * 20)
    ]
    in_order = "NAME OTHER --sizes --is-quick --count --share --spare --form --place --help"
    assert in_order == " ".join(names)
    assert ["What is played", "Sandbox", "Options"] == [
        line for line in shown.splitlines() if line and line[0] != " "
    ]


def test_parameters_of_a_command_are_declared_as_fields_are_and_typers_own_stay() -> None:
    def bake(name: Annotated[str, typer.Argument()], count: Annotated[int, OF_TEN] = 3) -> None:
        """Bake."""
        baked.append((name, count))

    baked: list[tuple[str, int]] = []
    name = signature(flatten(bake)).parameters["name"]
    assert isinstance(get_args(name.annotation)[1], typer.models.ArgumentInfo)
    app = typer.Typer(add_completion=False)
    app.command(cls=Command)(flatten(bake))
    for words in (["x"], ["y", "--count", "7"]):
        get_command(app)(words, standalone_mode=False)
    assert [("x", 3), ("y", 7)] == baked
