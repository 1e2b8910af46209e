"""What a command loads before it answers: little, since a user waits for it each time."""

import subprocess
import sys

import pytest
from support.command_line import ENVIRONMENT
from support.rated_homes import a_rated_home
from support.taken_in import take_in

from ladder.home.home import open_home

pytestmark = pytest.mark.process

PARSERS = {"typer", "pydantic"}
TABLES = {"pyarrow", "pandas", "numpy", "rich", "tabulate", "wcwidth", "jinja2"}
GAMES = {"engines", "importlib.metadata"}


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Return a home with the matches of two bots, and with a bot."""
    folder = tmp_path_factory.mktemp("quick")
    home = open_home(a_rated_home(folder / "home", ["alpha", "beta"]))
    (folder / "mine.py").write_text("")
    take_in(home.roster, folder / "mine.py")
    return home.path


def loaded_by(words):
    """Return the modules that are loaded once the program has run the command *words*."""
    code = (
        "import sys; from ladder.__main__ import main\n"
        f"sys.argv = ['ladder', *{words!r}]\n"
        "try: main()\n"
        "except SystemExit as end: assert not end.code, end\n"
        "print('loaded:', *sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=ENVIRONMENT, capture_output=True, text=True, check=True
    )
    answer, _, names = done.stdout.rpartition("loaded:")
    assert answer, "the command answers"
    return set(names.split())


def test_the_version_is_told_without_a_parser():
    loaded = loaded_by(["--version"])
    assert "ladder.cli" in loaded
    assert set() == loaded & {*PARSERS, *TABLES, *GAMES, "logging", "msgspec", "ladder.cli.options"}


@pytest.mark.parametrize("words", [["--help"], ["bots", "--help"], ["run", "--help"], ["leaderboard", "-h"]])
def test_help_loads_no_settings_no_results_and_no_games(words):
    loaded = loaded_by(words)
    assert "typer" in loaded
    assert set() == loaded & {
        "pydantic",
        *TABLES,
        *GAMES,
        "msgspec",
        "ladder.home.home",
        "results.storage.store",
    }


@pytest.mark.parametrize("command", ["bots", "leaderboard"])
def test_a_list_loads_neither_games_nor_what_reads_tables_or_starts_bots(home, command):
    loaded = loaded_by([command, "--home", str(home)])
    assert "ladder.home.home" in loaded
    starting = {"ladder.process.bot", "ladder.sandbox.bwrap", "ladder.spawner", "multiprocessing"}
    assert set() == loaded & {"pydantic", *TABLES, *starting, *GAMES, "trueskill"}
    others = {"ladder.cli.run", "ladder.cli.bots", "ladder.cli.leaderboard", "ladder.cli.duel"}
    assert {f"ladder.cli.{command}"} == loaded & others
    assert "ladder.run.session" not in loaded


def test_only_a_bot_for_one_game_needs_templates(tmp_path):
    assert "jinja2" not in loaded_by(["new"])
    assert "jinja2" not in loaded_by(["new", "go", "general", "--to", str(tmp_path)])
    assert "jinja2" in loaded_by(["new", "go", "stellar-bot", "--game", "stellar", "--to", str(tmp_path)])
