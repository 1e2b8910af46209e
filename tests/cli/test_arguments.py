"""Every command with an argument or a value left out, and with nonsense: it says what to type.

The walk takes commands and arguments from the table of commands, and options from the parser: a new one is
tried without a word here.
"""

import re
from functools import cache
from typing import Any, NamedTuple

import pytest
from support.command_line import run_here
from support.documents import PAGES, rows

from ladder.cli.commands import BY_NAME, COMMANDS, UNLISTED
from ladder.cli.program import make_program

VALUES = {
    "ADDRESS": "tcp://127.0.0.1:9",
    "BOT": "greedy",
    "CASE": "L13",
    "COMMAND": "python3",
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
    "PERSON": "ann",
    "ROUND": "swiss/1",
    "STEP": "3",
    "TOURNAMENT": "spring",
    "URL": "https://example.org/ladder",
    "add|remove": "remove",
}
"""An argument that could be right, by its name in the table of commands."""
EVERY = (*COMMANDS, *UNLISTED)
NONSENSE = "\x07%&/"
"""Neither a number nor a name."""
NO_PLACE = "my_bot.py/nonsense"
"""No place for a file or folder: it is below a file."""
PLACES = {"FILE", "FOLDER", "HOME", "PATH"}
THINGS = {"BOT", "CASE", "DUEL", "GAME", "MATCH", "NEW", "OLD", "PERSON", "ROUND", "RUN", "TOURNAMENT"}
"""Names of things that may be there: if they are not, the exit code may be 3."""
FREE = {
    "bots ban --why": "it is told as it is",
    "site --title": "pages show it as it is",
    "submit --replace": "a word that is no name is the path of a bot",
    "submit --message": "it is kept as it is, up to 200 characters",
}
"""Options that take any text, and what becomes of it."""


class Argument(NamedTuple):
    """An argument of a command, as the table of commands shows it."""

    name: str
    needed: bool
    before: tuple[str, ...]
    """Values for the arguments before it."""
    after: tuple[str, ...]
    """Values for those after it that are needed."""


@cache
def arguments():
    """Return the arguments of all commands, by the name of the command."""
    found: dict[str, list[Argument]] = {command: [] for command in EVERY}
    for row in rows(PAGES["ladder/cli/README.md"]):
        if not row[0].startswith("`ladder "):
            continue
        words = row[0].strip("`").replace("\\|", "|").split()[1:]
        count = 2 if " ".join(words[:2]) in COMMANDS else 1
        names = [word.replace("...", "").strip("[]") for word in words[count:]]
        command = " ".join(words[:count])
        if command in BY_NAME and names:  # `ladder bots [BOT]` is a row for two commands
            words[1] = words[1].strip("[]")
            command = f"{command} {BY_NAME[command]}"
        values = [VALUES[name] for name in names]
        for place, (name, word) in enumerate(zip(names, words[count:], strict=True)):
            after = [v for v, w in list(zip(values, words[count:], strict=True))[place + 1 :] if w[0] != "["]
            found[command].append(Argument(name, word[0] != "[", tuple(values[:place]), tuple(after)))
    return found


@cache
def parameters(command):
    parser: Any = make_program()
    for word in command.split():
        parser = parser.get_command(None, word)
    return list(parser.params)


def options(command):
    """Return the options of *command* that take a value, with the word for that value."""
    return {
        max(each.opts, key=len): each.metavar or ""
        for each in parameters(command)
        if each.param_type_name == "option" and not each.is_flag and not each.hidden
    }


@pytest.fixture
def reader(played, tmp_path, monkeypatch):
    """Stand in a folder with a bot, in the home of a played run; return the folder."""
    (tmp_path / "my_bot.py").write_text("import sys\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LADDER_HOME", str(played.home))
    return tmp_path


def shown(command):
    """Return the words of *command* as messages have them."""
    return command.split()[0] if command in UNLISTED else command


def needed(command):
    """Return values for all arguments that *command* needs."""
    return [VALUES[each.name] for each in arguments()[command] if each.needed]


def refused(folder, *words, codes=(2,)):
    """Type *words*: check that they are refused with a line to type, which is returned with why.

    Nothing is written.
    """
    told = run_here(*words)
    assert told.code in codes, (words, told)
    assert "" == told.out, words
    assert re.match(r"ladder: .+\n  next: \S.*\n", told.err), (words, told.err)
    assert "unexpected error" not in told.err, words
    assert "Traceback" not in told.err, words
    assert {"my_bot.py"} == {path.name for path in folder.iterdir()}, words
    return told.err


@pytest.mark.parametrize("command", EVERY)
def test_an_argument_that_is_left_out_is_asked_for(reader, command):
    for argument in arguments()[command]:
        if argument.needed:
            told = refused(reader, *command.split(), *argument.before)
            assert f"ladder {shown(command)} " in told.partition("next: ")[2]


@pytest.mark.parametrize("command", EVERY)
def test_the_table_of_commands_shows_the_arguments_that_the_commands_have(command):
    taken = [each for each in parameters(command) if each.param_type_name == "argument"]
    for one, other in zip(arguments()[command], taken, strict=True):
        assert one.needed or not other.required, one


BARE = {("duel", "--no-worse"), ("run", "--forever"), ("submit", "--replace")}
"""Options that have a value of their own where none is typed."""


@pytest.mark.parametrize("command", EVERY)
def test_an_option_without_its_value_is_refused(reader, command):
    for option in options(command):
        if (command, option) not in BARE:
            told = refused(reader, *command.split(), *needed(command), option)
            assert f"{option} needs a value" in told


@pytest.mark.parametrize("command", EVERY)
def test_an_option_that_does_not_exist_is_refused(reader, command):
    told = refused(reader, *command.split(), *needed(command), "--nonsense")
    assert f"ladder {shown(command)} has no option --nonsense" in told


@pytest.mark.parametrize("command", EVERY)
def test_an_argument_that_is_nonsense_is_refused(reader, command):
    for argument in arguments()[command]:
        words = [*argument.before, NO_PLACE if argument.name in PLACES else NONSENSE, *argument.after]
        codes = (2, 3) if argument.name in THINGS else (2,)
        refused(reader, *command.split(), *words, codes=codes)


@pytest.mark.usefixtures("threads")  # serve looks for a sandbox before it knows whether it may listen there
@pytest.mark.parametrize("command", EVERY)
def test_a_value_that_is_nonsense_is_refused(reader, command):
    for option, kind in options(command).items():
        if f"{command} {option}" not in FREE:
            words = [*command.split(), *needed(command), option, NO_PLACE if kind in PLACES else NONSENSE]
            refused(reader, *words, codes=(2, 3) if kind in THINGS or option == "--season" else (2,))
