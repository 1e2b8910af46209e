"""What the program prints where its streams cannot say everything."""

import codecs
import csv
import io
import json
from contextlib import redirect_stdout

import pytest
from support import ladders
from support.bot_threads import in_threads
from support.command_line import ENVIRONMENT, run_apart, run_here
from support.taken_in import take_in

from ladder.cli import streams
from ladder.registry.bot_manifest import BotManifest

ALL = (
    *("bots", "leaderboard", "matches", "matrix", "faults", "tournament", "duel", "home season"),
    *("bots robot --history", "bots robot", "bots feedback robot", "bots --similar"),
    *("replay 1/0", "replay 1/0 --json", "replay 1/0 --html -"),
    *("tournament cup", "tournament cup --rounds", "home verify", "home digest", "home rate"),
    *("games", "games stella", "games stellar", "--help", "run --help"),
)
"""Commands that print."""
SHOWN = "机器人→"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Return a home with a bot whose name is in another script, a run, and a bracket."""
    folder = tmp_path_factory.mktemp("plain")
    home = ladders.a_home(folder / "home", {name: ladders.FOUR[name] for name in ("first", "last", "plain")})
    how = {"run": ("{python}", "-S", "player.py"), "description": "└é", "display": SHOWN}
    take_in(home.roster, folder / "player.py", BotManifest("robot", config={"style": "first"}, **how))
    with in_threads():
        for words in (
            "run --games 12 --seed 3",
            "tournament new cup --game stellar --stages knockout:4 --blocks 1 --seed 1",
            "tournament run cup",
        ):
            assert 0 == run_here(*words.split(), "--home", home.path).code, words
    return home


@pytest.fixture
def say(home, monkeypatch):
    """Return a function that runs a command whose stdout has an encoding, and returns what it printed."""
    codecs.register_error("plain", streams._say_plainly)
    monkeypatch.setenv("LADDER_HOME", str(home.path))

    def say(encoding, words):
        bare = io.TextIOWrapper(io.BytesIO(), encoding, "plain")
        with redirect_stdout(bare), monkeypatch.context() as patch:
            patch.setattr("support.command_line.redirect_stdout", lambda _: redirect_stdout(bare))
            said = run_here(*words.split())
        bare.flush()
        assert said.code in (0, 3), said.err
        assert "unexpected" not in said.err
        return bare.buffer.getvalue()

    return say


@pytest.mark.parametrize("words", ALL)
@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_every_command_prints_in_every_encoding(say, encoding, words):
    assert say(encoding, words) or words == "faults"


def test_what_an_encoding_lacks_is_told_in_ascii(say):
    assert rb"\u673a\u5668\u4eba>" in say("ascii", "bots robot")
    assert rb"\u2514" + "é".encode("latin-1") in say("latin-1", "bots --format table")
    drawn = say("ascii", "bots robot --history").decode("ascii")
    assert "-#-" in drawn
    assert SHOWN.encode() in say("utf-8", "bots robot")


@pytest.mark.parametrize(
    "words", ["bots --format", "bots robot --history --format", "tournament cup --format"]
)
def test_what_programs_read_is_always_in_utf_8(say, words):
    assert say("utf-8", f"{words} md") == say("ascii", f"{words} md")
    assert [*csv.reader(io.StringIO(say("latin-1", f"{words} csv").decode()))]
    assert json.loads(say("ascii", f"{words} json"))
    assert "└é".encode() in say("ascii", "bots --format csv")


@pytest.mark.process
def test_the_program_says_so_on_all_its_streams(home, tmp_path):
    env = ENVIRONMENT | {"PYTHONIOENCODING": "ascii"}
    said = run_apart("bots", "robot", "--history", "--home", home.path, cwd=tmp_path, env=env)
    assert (0, True) == (said.code, "-#-" in said.out)
    said = run_apart("bots", "机", "--home", home.path, cwd=tmp_path, env=env)
    assert r"there is no bot '\u673a'" in said.err


@pytest.mark.process
@pytest.mark.parametrize("variable", ["PYTHONOPTIMIZE=2", "PYTHONDEVMODE=1"])
def test_python_that_removes_docstrings_or_checks_memory_runs_the_commands(home, tmp_path, variable):
    env = ENVIRONMENT | dict([variable.split("=")])
    for words in (["--help"], ["bots", "--help"], ["bots", "--home", home.path]):
        assert run_apart(*words, cwd=tmp_path) == run_apart(*words, cwd=tmp_path, env=env)
