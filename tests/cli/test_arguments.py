"""Every command with an argument or a value left out, and with nonsense: it says what to type.

The walk takes commands and arguments from the table of commands, and options from the parser: a new one is
tried without a word here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from support.command_line import PlayedHome, Said, run_here
from support.documents import PAGES, rows

from ladder.cli.commands import COMMANDS
from ladder.cli.program import make_program

VALUES = {
    "ADDRESS": "tcp://127.0.0.1:9",
    "BOT": "greedy",
    "CASE": "L13",
    "DUEL": "d1",
    "FILE": "all.csv",
    "FOLDER": "folder",
    "GAME": "stellar",
    "HOME": "home",
    "LANGUAGE": "python",
    "MATCH": "last",
    "NAME": "river-rat",
    "NEW": "greedy",
    "OLD": "random",
    "PATH": "my_bot.py",
    "ROUND": "swiss/1",
    "STEP": "3",
    "TOURNAMENT": "spring",
    "add|remove": "remove",
}
"""An argument that could be right, by its name in the table of commands."""
NONSENSE = "\x07%&/"
"""Neither a number nor a name."""
NO_PLACE = "my_bot.py/nonsense"
"""No place for a file or folder: it is below a file."""
PLACES = {"FILE", "FOLDER", "HOME", "PATH"}
THINGS = {"BOT", "CASE", "DUEL", "GAME", "MATCH", "NEW", "OLD", "ROUND", "TOURNAMENT", "dN"}
"""Names of things that may be there: if they are not, the exit code may be 3."""
FREE = {
    "bots ban --why": "it is told as it is",
    "site --title": "pages show it as it is",
    "submit --message": "it is kept as it is, up to 200 characters",
}
"""Options that take any text, and what becomes of it."""


class Argument(NamedTuple):
    """An argument of a command, as the table of commands shows it."""

    command: str
    place: int
    name: str
    needed: bool
    before: tuple[str, ...]
    """Values for the arguments before it."""
    after: tuple[str, ...]
    """Values for those after it that are needed."""

    def __str__(self) -> str:
        return f"{self.command} {self.name}"


def arguments() -> Iterator[Argument]:
    """Yield all arguments of all commands."""
    for row in rows(PAGES["ladder/cli/README.md"]):
        if not row[0].startswith("`ladder "):
            continue
        words = row[0].strip("`").replace("\\|", "|").split()[1:]
        count = 2 if " ".join(words[:2]) in COMMANDS else 1
        names = [word.replace("...", "").strip("[]") for word in words[count:]]
        values = [VALUES[name] for name in names]
        for place, (name, word) in enumerate(zip(names, words[count:], strict=True)):
            after = [v for v, w in list(zip(values, words[count:], strict=True))[place + 1 :] if w[0] != "["]
            command = " ".join(words[:count])
            yield Argument(command, place, name, word[0] != "[", tuple(values[:place]), tuple(after))


ARGUMENTS = [*arguments()]


def parameters(command: str) -> list[Any]:
    parser: Any = make_program()
    for word in command.split():
        parser = parser.get_command(None, word)
    return list(parser.params)


def options() -> Iterator[tuple[str, str, Any]]:
    """Yield the commands, each with its options that take a value: the name, and the parameter."""
    for command in COMMANDS:
        for parameter in parameters(command):
            if parameter.param_type_name == "option" and not parameter.is_flag:
                yield command, max(parameter.opts, key=len), parameter


OPTIONS = [*options()]


@pytest.fixture
def reader(played: PlayedHome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in a folder with a bot, in the home of a played run; return the folder."""
    (tmp_path / "my_bot.py").write_text("import sys\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LADDER_HOME", str(played.home))
    return tmp_path


def needed(command: str) -> list[str]:
    """Return values for all arguments that *command* needs."""
    return [VALUES[each.name] for each in ARGUMENTS if each.command == command and each.needed]


def refused(folder: Path, told: Said, command: str, codes: tuple[int, ...] = (2,)) -> None:
    """Check that *told* is a refusal with a line to type, and that nothing was written."""
    assert told.code in codes, told
    assert "" == told.out
    assert re.match(r"ladder: .+\n  next: \S.*\n", told.err), told.err
    assert "unexpected error" not in told.err
    assert "Traceback" not in told.err
    assert {"my_bot.py"} == {path.name for path in folder.iterdir()}


@pytest.mark.process
@pytest.mark.parametrize("argument", [each for each in ARGUMENTS if each.needed], ids=str)
def test_an_argument_that_is_left_out_is_asked_for(reader: Path, argument: Argument) -> None:
    told = run_here(*argument.command.split(), *argument.before)
    refused(reader, told, argument.command)
    assert f"ladder {argument.command} " in told.err.partition("next: ")[2]


def test_the_table_of_commands_shows_the_arguments_that_the_commands_have() -> None:
    for command in COMMANDS:
        taken = [each for each in parameters(command) if each.param_type_name == "argument"]
        shown = [each for each in ARGUMENTS if each.command == command]
        assert len(shown) == len(taken), command
        for one, other in zip(shown, taken, strict=True):
            assert one.needed or not other.required, one


BARE = {("duel", "--no-worse")}
"""Options that have a value of their own where none is typed."""


@pytest.mark.parametrize(("command", "option"), [each[:2] for each in OPTIONS if tuple(each[:2]) not in BARE])
def test_an_option_without_its_value_is_refused(reader: Path, command: str, option: str) -> None:
    told = run_here(*command.split(), *needed(command), option)
    refused(reader, told, command)
    assert f"{option} needs a value" in told.err


@pytest.mark.parametrize("command", COMMANDS)
def test_an_option_that_does_not_exist_is_refused(reader: Path, command: str) -> None:
    told = run_here(*command.split(), *needed(command), "--nonsense")
    refused(reader, told, command)
    assert f"ladder {command} has no option --nonsense" in told.err


@pytest.mark.parametrize("argument", ARGUMENTS, ids=str)
def test_an_argument_that_is_nonsense_is_refused(reader: Path, argument: Argument) -> None:
    words = [*argument.before, NO_PLACE if argument.name in PLACES else NONSENSE, *argument.after]
    codes = (2, 3) if argument.name in THINGS else (2,)
    refused(reader, run_here(*argument.command.split(), *words), argument.command, codes)


@pytest.mark.parametrize(
    ("command", "option", "kind"),
    [
        (command, option, parameter.metavar or "")
        for command, option, parameter in OPTIONS
        if f"{command} {option}" not in FREE
    ],
)
def test_a_value_that_is_nonsense_is_refused(reader: Path, command: str, option: str, kind: str) -> None:
    words = [*command.split(), *needed(command), option, NO_PLACE if kind in PLACES else NONSENSE]
    codes = (2, 3) if kind in THINGS or option == "--season" else (2,)
    refused(reader, run_here(*words), command, codes)


def test_the_options_that_take_any_text_are_there() -> None:
    assert FREE.keys() <= {f"{command} {option}" for command, option, _ in OPTIONS}
