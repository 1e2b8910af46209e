"""The last line on stderr, commands in messages, and lines that fit the terminal."""

import json
import os
import re
import shlex
import subprocess
import sys

import pytest
from support import ladders
from support.command_line import ENVIRONMENT, on_a_terminal, run_here, without_colour
from support.programs import write_program
from support.sources import paths, read

from engines.contract.texts import wide_lines
from ladder.cli.commands import ALIASES
from ladder.cli.last_line import keep_commands, wants_json
from ladder.cli.streams import GLUE, fit_lines
from ladder.run.shard import MAKE_SECRET

SYSTEM = {**ENVIRONMENT, "PATH": os.defpath}
"""An environment in which a shell finds no `ladder`."""


@pytest.fixture
def script(tmp_path):
    """Return an installed program, in a folder with a blank."""
    return write_program(tmp_path / "my tools/ladder", "from ladder.__main__ import main\nmain()\n")


def last_lines(*command, cwd, path=os.defpath, words=("bots",), code=2):
    """Return what a command says is next, and the lines behind it; or its only line."""
    env = {**SYSTEM, "PATH": str(path)}
    done = subprocess.run([*map(str, command), *words], cwd=cwd, env=env, capture_output=True, text=True)
    assert code == done.returncode, done.stderr
    return done.stderr.splitlines()[-1:] if code == 3 else done.stderr.splitlines()[1:]


NEXT = "  next: ladder run --games 1000, which makes one; or say where it is, with --home"


@pytest.mark.process
def test_a_program_on_the_path_is_named_by_its_name_also_where_it_is_a_link(script, tmp_path):
    assert [NEXT] == last_lines(script, cwd=tmp_path, path=script.parent)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "ladder").symlink_to(script)
    assert [NEXT] == last_lines(script, cwd=tmp_path, path=tmp_path / "bin")


@pytest.mark.process
def test_of_a_program_elsewhere_the_last_line_says_how_it_was_called(script, tmp_path):
    assert [NEXT, f"ladder is '{script}' here"] == last_lines(script, cwd=tmp_path)
    assert [NEXT, "ladder is 'my tools/ladder' here"] == last_lines("my tools/ladder", cwd=tmp_path)
    other = write_program(tmp_path / "bin/ladder", "print('climbing')")
    assert [NEXT, f"ladder is '{script}' here"] == last_lines(script, cwd=tmp_path, path=other.parent)
    called = f"{shlex.quote(sys.executable)} -m ladder"
    assert [NEXT, f"ladder is {called} here"] == last_lines(sys.executable, "-m", "ladder", cwd=tmp_path)


@pytest.mark.process
def test_the_last_line_is_also_that_of_a_help_with_an_example_and_of_no_other_answer(script, tmp_path):
    def err(*words):
        done = subprocess.run([script, *words], cwd=tmp_path, env=SYSTEM, capture_output=True, text=True)
        assert 0 == done.returncode, done.stderr
        return done.stderr

    assert f"ladder is '{script}' here\n" == err("matches", "--help")
    assert "" == err("games")


@pytest.mark.process
def test_what_ladder_is_can_be_typed(script, tmp_path):
    """Also with the home, before any command; where JSON was asked for, its line is the last."""
    home = ["--home", "my home"]
    path = f"{script.parent}:{os.defpath}"
    first, last = last_lines(script, *home, "home", "init", *home, cwd=tmp_path, path=path, words=[], code=0)[
        -2:
    ]
    assert "        ladder bots house remove --home 'my home', which keeps them out" == first
    assert "ladder is ladder --home 'my home' here" == last
    typed = last.removeprefix("ladder is ").removesuffix(" here")
    for command in ("bots house add random", "bots random", "games stellar", "leaderboard"):
        line = f"{typed} {command}"
        done = subprocess.run(
            line, shell=True, cwd=tmp_path, env={**SYSTEM, "PATH": path}, capture_output=True
        )
        assert 0 == done.returncode, done.stderr
    (said,) = last_lines(script, *home, "bots", "nobody", "--json", cwd=tmp_path, words=[], code=3)
    assert "there is no bot 'nobody'" == json.loads(said)["error"]


# -- errors for programs


@pytest.mark.parametrize(
    ("line", "code", "error", "following"),
    [
        ("bots nobody --format json", 3, "there is no bot 'nobody'", "ladder bots"),
        ("bots nobody --json", 3, "there is no bot 'nobody'", "ladder bots"),
        (
            "matches -f json --gmae x",
            2,
            "ladder matches has no option --gmae (did you mean '--game'?)",
            "--help",
        ),
        ("nothing --json", 2, "there is no command 'nothing'", "ladder --help"),
        (
            "matrix --format=json --top no",
            2,
            "--top: expected a whole number of at least 2, got: 'no'",
            "--help",
        ),
        (
            "bots --format json --home nowhere",
            2,
            "nowhere is not a ladder home: it does not exist",
            "ladder home init nowhere",
        ),
    ],
)
def test_where_json_was_asked_for_an_error_is_one_line_of_it(
    tmp_path, monkeypatch, line, code, error, following
):
    """Also one of the parser; what the line quotes stays on it."""
    monkeypatch.setenv("LADDER_HOME", str(ladders.a_home(tmp_path / "home").path))
    monkeypatch.chdir(tmp_path)
    said = run_here(*line.split())
    told = json.loads(said.err.splitlines()[-1])
    assert ["error", "next", "exit"] == list(told)
    assert (code, code, "") == (said.code, told["exit"], said.out)
    assert told["error"].startswith(error), told
    assert following in told["next"]
    assert "ladder: " not in said.err
    assert (
        "ladder: "
        in run_here(
            *[word for word in line.split() if "json" not in word and word not in ("--format", "-f")]
        ).err
    )


def test_an_error_in_json_escapes_what_cannot_be_printed(tmp_path):
    ladders.a_home(tmp_path / "home")
    said = run_here("bots", "a\n\x1b[2J\u202e", "--json", "--home", tmp_path / "home")
    (line,) = said.err.splitlines()
    assert line.isprintable()
    assert "\x1b" in json.loads(line)["error"] or r"\x1b" in json.loads(line)["error"]


def test_json_is_asked_for_by_words_of_the_command_alone():
    assert wants_json(["bots", "-f", "json"])
    assert not wants_json(["bots", "--format", "csv"])
    assert not wants_json(["bots", "--", "--json"])


def texts():
    """Yield every text in the program that names a command, docstrings aside, with its file."""
    for path in (*paths("ladder"), *paths("results")):
        yield from ((path.name, text) for text in read(path).texts)


def test_messages_name_commands_as_they_are_typed_now():
    old = re.compile(
        rf"(?:^|[^\w/.])ladder (?:{'|'.join(ALIASES)})\b(?! (?:\d|$))"
    )  # a number: the form of a digest
    assert [] == [(file, text) for file, text in texts() if old.search(text)]


# -- lines


def in_lines(monkeypatch, text, columns=40):
    monkeypatch.setattr("ladder.cli.streams._columns", lambda: columns)
    return fit_lines(text).split("\n")


def test_lines_are_broken_between_words(monkeypatch):
    text = "no clear order yet: random-c above random is 59 % likely, random above\n\n  next: see to it"
    lines = in_lines(monkeypatch, text)
    assert [] == wide_lines(lines, 40)
    assert text.split() == " ".join(lines).split()
    assert ["no clear order yet: random-c above", ""] != lines[:2]
    assert "  next: see to it" == lines[-1]


def test_a_number_and_its_percent_sign_stay_together(monkeypatch):
    assert ["x" * 38, "  79 %"] == in_lines(monkeypatch, f"{'x' * 38} 79 %", 42)


def test_a_path_is_never_broken(monkeypatch):
    path = "/a-rather-long/folder-with-dashes/of-somebody/results/matches/*.parquet"
    assert [f"  {path}," if i else "results:" for i in range(2)] == in_lines(monkeypatch, f"results: {path},")


def test_what_is_glued_stays_on_one_line(monkeypatch):
    command = "ladder run --resume --home x".replace(" ", GLUE)
    lines = in_lines(monkeypatch, f"  next: look first at it; {command}, then")
    assert command == keep_commands(command.replace(GLUE, " "))
    assert f"look first at it; {command}, then" == keep_commands(
        "look first at it; ladder run --resume --home x, then"
    )
    assert ["  next: look first at it;", "    ladder run --resume --home x, then"] == lines


def test_a_line_for_the_shell_stays_whole(monkeypatch):
    command = MAKE_SECRET.format(file="FILE")
    assert f"    {command}" in in_lines(monkeypatch, f"  next: {keep_commands(f'make one: {command}')}")


def test_without_a_terminal_lines_are_as_long_as_they_are():
    assert " ".join(["word"] * 99) == fit_lines(" ".join(["word"] * 99))


def test_a_refusal_fits_a_terminal(tmp_path):
    lines = without_colour(on_a_terminal("run", "--seed", "too short", "--home", tmp_path, code=2))
    assert len(lines) > 2
    assert [] == wide_lines(lines, 80)
    assert "ladder: --seed: expected a non-negative whole number of at most 18 digits" in " ".join(lines)
