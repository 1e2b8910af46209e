"""Commands in messages: as they can be typed, in lines that fit the terminal."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from inspect import signature
from pathlib import Path
from types import ModuleType

import pytest
from support.command_line import ENVIRONMENT, on_a_terminal, without_colour
from support.programs import write_program
from support.sources import paths, read

from engines.contract.wide_lines import wide_lines
from ladder.cli.commands import ALIASES, COMMANDS, load_command
from ladder.cli.program_name import WITHOUT_HOME, as_called, find_program_name
from ladder.cli.signature import flatten
from ladder.cli.streams import GLUE, fit_lines
from ladder.run.shard import MAKE_SECRET

SYSTEM = {**ENVIRONMENT, "PATH": os.defpath}
"""An environment in which a shell finds no `ladder`."""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """Return an installed program, in a folder with a blank."""
    return write_program(tmp_path / "my tools/ladder", "from ladder.__main__ import main\nmain()\n")


def hint(*command: str | Path, cwd: Path, path: str | Path = os.defpath) -> str:
    """Return what a command that ends in a hint says is next."""
    env = {**SYSTEM, "PATH": str(path)}
    done = subprocess.run([*map(str, command), "bots"], cwd=cwd, env=env, capture_output=True, text=True)
    assert 2 == done.returncode, done.stderr
    return done.stderr.splitlines()[-1]


AFTER = "run --games 1000, which makes one; or say where it is, with --home"


@pytest.mark.process
def test_a_program_on_the_path_is_named_by_its_name_also_where_it_is_a_link(
    script: Path, tmp_path: Path
) -> None:
    assert f"  next: ladder {AFTER}" == hint(script, cwd=tmp_path, path=script.parent)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "ladder").symlink_to(script)
    assert f"  next: ladder {AFTER}" == hint(script, cwd=tmp_path, path=tmp_path / "bin")


@pytest.mark.process
def test_a_program_elsewhere_is_named_as_it_was_called(script: Path, tmp_path: Path) -> None:
    assert f"  next: '{script}' {AFTER}" == hint(script, cwd=tmp_path)
    assert f"  next: 'my tools/ladder' {AFTER}" == hint("my tools/ladder", cwd=tmp_path)
    other = write_program(tmp_path / "bin/ladder", "print('climbing')")
    assert f"  next: '{script}' {AFTER}" == hint(script, cwd=tmp_path, path=other.parent)
    called = f"{shlex.quote(sys.executable)} -m ladder"
    assert f"  next: {called} {AFTER}" == hint(sys.executable, "-m", "ladder", cwd=tmp_path)


@pytest.mark.process
def test_help_shows_examples_that_can_be_typed(script: Path, tmp_path: Path) -> None:
    command = ["my tools/ladder", "matches", "--help"]
    done = subprocess.run(command, cwd=tmp_path, env=SYSTEM, capture_output=True, text=True)
    assert "Example: 'my tools/ladder' matches --bot greedy --lost" in done.stdout


# -- in this process


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Let this process be the program, called by a path."""
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(sys, "argv", ["venv/bin/ladder", "bots"])
    return monkeypatch


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("ladder matches", "venv/bin/ladder matches"),
        ("ladder --help", "venv/bin/ladder --help"),
        ("ladder matches, ladder replay last", "venv/bin/ladder matches, venv/bin/ladder replay last"),
        ("correct it, then: ladder submit x", "correct it, then: venv/bin/ladder submit x"),
        ("restore it; or ladder home verify", "restore it; or venv/bin/ladder home verify"),
        ("see `ladder games`", "see `venv/bin/ladder games`"),
        ("first\nladder run", "first\nvenv/bin/ladder run"),
        ("use the ladder that wrote it", "use the ladder that wrote it"),
        ("made a new ladder in x", "made a new ladder in x"),
        ("see ladder.toml", "see ladder.toml"),
        ("my/ladder run", "my/ladder run"),
        ("venv/bin/ladder run", "venv/bin/ladder run"),
        ("python -m ladder run", "python -m ladder run"),
    ],
)
def test_commands_are_named_as_called_and_prose_is_left_alone(
    program: pytest.MonkeyPatch, text: str, typed: str
) -> None:
    assert typed == as_called(text)


@pytest.mark.parametrize("given", [["--home", "my home"], ["--home=my home"]])
@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("ladder replay last, ladder games", "L replay --home 'my home' last, L games"),
        ("ladder run --resume --home x", "L run --resume --home x"),
        ("ladder run --help", "L run --help"),
        ("ladder home init x", "L home init x"),
        ("ladder home merge HOME...", "L home merge HOME..."),
        ("ladder home verify --repair", "L home verify --home 'my home' --repair"),
        ("ladder bots house add x", "L bots house --home 'my home' add x"),
        ("ladder bots --all-versions", "L bots --home 'my home' --all-versions"),
        ("ladder bots, which lists them", "L bots --home 'my home', which lists them"),
        ("ladder games rules stella", "L games rules stella"),
        ("ladder home", "L home --home 'my home'"),
    ],
)
def test_a_command_that_named_a_home_goes_on_in_it(
    program: pytest.MonkeyPatch, given: list[str], text: str, typed: str
) -> None:
    program.setattr(sys, "argv", ["venv/bin/ladder", "bots", *given])
    assert typed.replace("L", "venv/bin/ladder") == as_called(text)


def test_the_commands_without_a_home_are_those_that_have_no_such_option() -> None:
    without = {name for name in COMMANDS if "home" not in signature(flatten(load_command(name))).parameters}
    assert {*without, "--help"} == WITHOUT_HOME


def test_within_another_program_commands_have_their_plain_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["/opt/tests/runner", "--home", "x"])
    assert "ladder" == find_program_name()
    assert "ladder run" == as_called("ladder run")


@pytest.mark.parametrize(
    ("module", "typed"),
    [("ladder.__main__", "python -m ladder run --home x"), ("pytest.__main__", "ladder run")],
)
def test_the_module_that_runs_says_whether_it_is_the_ladder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, module: str, typed: str
) -> None:
    main = ModuleType("__main__")
    main.__spec__ = ModuleSpec(module, None)
    monkeypatch.setitem(sys.modules, "__main__", main)
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "__main__.py"), "--home", "x"])
    monkeypatch.setattr(sys, "orig_argv", ["python"])
    monkeypatch.setenv("PATH", "")
    assert typed == as_called("ladder run")


def texts() -> Iterator[tuple[str, str]]:
    """Yield every text in the program that names a command, docstrings aside, with its file."""
    for path in (*paths("ladder"), *paths("results")):
        yield from ((path.name, text) for text in read(path).texts)


def test_every_command_that_the_program_names_can_be_typed(program: pytest.MonkeyPatch) -> None:
    """Where one stands in a text behind other words, the words that may stand there are listed."""
    command = re.compile(rf"(?<![\w/.])ladder (?:{'|'.join(COMMANDS)})\b")
    named = [(file, text) for file, text in texts() if command.search(text)]
    assert len(named) > 30
    prose = re.compile("ladder home(: it|,)? ?$|a ladder home: |^<!-- ")
    named = [each for each in named if not prose.search(each[1])]
    assert [] == [each for each in named if command.search(as_called(each[1]))]


def test_messages_name_commands_as_they_are_typed_now() -> None:
    old = re.compile(
        rf"(?:^|[^\w/.])ladder (?:{'|'.join(ALIASES)})\b(?! (?:\d|$))"
    )  # a number: the form of a digest
    assert [] == [(file, text) for file, text in texts() if old.search(text)]


# -- lines


def in_lines(monkeypatch: pytest.MonkeyPatch, text: str, columns: int = 40) -> list[str]:
    monkeypatch.setattr("ladder.cli.streams._columns", lambda: columns)
    return fit_lines(text).split("\n")


def test_lines_are_broken_between_words(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "no clear order yet: random-c above random is 59 % likely, random above\n\n  next: see to it"
    lines = in_lines(monkeypatch, text)
    assert [] == wide_lines(lines, 40)
    assert text.split() == " ".join(lines).split()
    assert ["no clear order yet: random-c above", ""] != lines[:2]
    assert "  next: see to it" == lines[-1]


def test_a_number_and_its_percent_sign_stay_together(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ["x" * 38, "  79 %"] == in_lines(monkeypatch, f"{'x' * 38} 79 %", 42)


def test_a_path_is_never_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    path = "/a-rather-long/folder-with-dashes/of-somebody/results/matches/*.parquet"
    assert [f"  {path}," if i else "results:" for i in range(2)] == in_lines(monkeypatch, f"results: {path},")


def test_what_is_glued_stays_on_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    command = "ladder run --resume --home x".replace(" ", GLUE)
    lines = in_lines(monkeypatch, f"  next: look first at it; {command}, then")
    assert ["  next: look first at it;", "    ladder run --resume --home x, then"] == lines


def test_a_line_for_the_shell_stays_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    command = MAKE_SECRET.format(file="FILE")
    assert f"    {command}" in in_lines(monkeypatch, as_called(f"  next: make one: {command}", GLUE))


def test_without_a_terminal_lines_are_as_long_as_they_are() -> None:
    assert " ".join(["word"] * 99) == fit_lines(" ".join(["word"] * 99))


def test_a_refusal_fits_a_terminal(tmp_path: Path) -> None:
    lines = without_colour(on_a_terminal("run", "--seed", "too short", "--home", tmp_path, code=2))
    assert len(lines) > 2
    assert [] == wide_lines(lines, 80)
    assert "ladder: --seed: expected a non-negative whole number of at most 18 digits" in " ".join(lines)
