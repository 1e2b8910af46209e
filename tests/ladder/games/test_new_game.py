"""A game of one's own: begun from the template, built as a wheel, installed beside the ladder, and played.

Nothing of the ladder is edited for it.
"""

import json
import os
import re
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
from support.command_line import ENVIRONMENT, Said, listing, run_here
from support.places import ROOT

from ladder.errors import UsageProblem
from ladder.games.new_game import create_game
from results.storage.store import Store

pytestmark = pytest.mark.slow

NAME = "river-race"
BOT = """\
import random
from engines import GAMES
from protocol.client import serve

RIVER_RACE = GAMES["river-race"]

def choose(act):
    world = RIVER_RACE.imagine(act.view, random.Random(act.seed))
    assert RIVER_RACE.view(world, act.view["seat"]) == act.view
    return RIVER_RACE.choices(world)[act.view["seat"]].sample(act.rng)

serve(choose)
"""
"""A bot that needs the rules of the game, and gets them from its package."""
MANIFEST = """\
name = "thinker"
run = ["{python}", "bot.py"]
games = ["river-race"]
"""


class Installed(NamedTuple):
    """A Python of its own, with the ladder and the game."""

    python: Path
    folder: Path
    environment: Mapping[str, str]

    def ladder(self, *arguments):
        """Run a command of the ladder that must get through."""
        command = [self.python, "-m", "ladder", *map(str, arguments)]
        done = subprocess.run(
            command, cwd=self.folder, env=dict(self.environment), capture_output=True, text=True
        )
        assert 0 == done.returncode, done.stderr
        return Said(done.returncode, done.stdout, done.stderr)


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """Return a new game, as `ladder games new` makes it."""
    return create_game(NAME, tmp_path_factory.mktemp("author"))


@pytest.fixture(scope="module")
def installed(project, tmp_path_factory):
    """Return a fresh virtual environment with the wheel of the game, built and installed offline."""
    folder = tmp_path_factory.mktemp("player")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", folder, project], check=True)
    (wheel,) = folder.glob("*.whl")
    assert "river_race-0.1.0-py3-none-any.whl" == wheel.name
    venv.create(folder / "env", symlinks=True)
    (site,) = (folder / "env" / "lib").glob("python*/site-packages")
    subprocess.run([*pip, "install", "--no-deps", "--no-index", "--target", site, wheel], check=True)
    (site / "ladder.pth").write_text(f"{ROOT}\n{sysconfig.get_path('purelib')}\n")  # the ladder's own
    environment = {name: value for name, value in ENVIRONMENT.items() if name != "PYTHONPATH"}
    python = folder / "env" / "bin" / "python"
    path = os.pathsep.join([str(python.parent), environment["PATH"]])
    return Installed(python, folder, environment | {"PATH": path})


@pytest.fixture(scope="module")
def home(installed):
    """Return a home in which bots have played the game."""
    home, bot = installed.folder / "home", installed.folder / "bot"
    bot.mkdir()
    (bot / "bot.py").write_text(BOT)
    (bot / "bot.toml").write_text(MANIFEST)
    for name in ("thinker", "twin", "third"):
        installed.ladder("submit", bot, "--name", name, "--home", home)
    players = ("thinker", "twin", "third", "random", "--game", NAME)
    installed.ladder("run", *players, "--games", "24", "--seed", "3", "--home", home)
    return home


def test_a_new_game_passes_its_tests_from_the_first_minute(project):
    printed = run_tests(project)
    assert " passed" in printed
    assert "skipped" not in printed


def run_tests(project, *arguments):
    """Run the tests of a game that must pass; return what they print."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    done = subprocess.run(
        [*command, *arguments], cwd=project, env=ENVIRONMENT, capture_output=True, text=True
    )
    assert 0 == done.returncode, done.stdout
    return done.stdout


GOLDEN_AND_SCHEMA = ("tests/test_contract.py", "-k", "golden or schema or page or replay")


def test_one_run_rewrites_the_records_and_the_schema_of_a_higher_version(tmp_path):
    """The next run passes, too, and changes nothing."""
    project = create_game(NAME, tmp_path)
    package = project / "river_race"
    rules = package / "__init__.py"
    version = "version: ClassVar[int] = "
    rules.write_text(rules.read_text("utf-8").replace(f"{version}1", f"{version}2"))
    (package / "golden" / "3.jsonl").unlink()
    run_tests(project, *GOLDEN_AND_SCHEMA, "--regold")
    files = [package / "schema.json", *sorted((package / "golden").iterdir())]
    written = [path.read_bytes() for path in files]
    assert ["schema.json", "3.jsonl", "4.jsonl", "5.jsonl"] == [path.name for path in files]
    assert b"version 2" in written[0]
    assert all(b'"version":2}' in record for record in written[1:])
    run_tests(project, *GOLDEN_AND_SCHEMA)
    assert written == [path.read_bytes() for path in files]


def test_a_game_begun_before_still_passes_its_tests(tmp_path):
    """Its records call the event of a line its kind, and its tests do not know of positions."""
    project = create_game(NAME, tmp_path)
    for path in (project / "river_race" / "golden").iterdir():
        now = path.read_text("utf-8")
        path.write_text(now.replace('{"event":', '{"kind":'), "utf-8")
        assert now != path.read_text("utf-8")
    tests = project / "tests" / "test_contract.py"
    kept = [line for line in tests.read_text("utf-8").splitlines() if "positions" not in line]
    tests.write_text("\n".join(kept) + "\n", "utf-8")
    assert "position" not in run_tests(project, *GOLDEN_AND_SCHEMA, "-v")


def test_a_new_game_has_the_layout_that_the_recipe_describes(project):
    recipe = (ROOT / "engines" / "README.md").read_text("utf-8")
    files = [
        path.name for path in (project / "river_race").iterdir() if path.name not in ("golden", "__pycache__")
    ]
    assert [] == [name for name in files if f"`{name}`" not in recipe]


def test_a_new_game_says_nothing_of_the_template(project):
    for path in project.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts and ".pytest_cache" not in path.parts:
            assert "toy" not in path.read_text("utf-8").lower(), path


def test_the_ladder_lists_the_game_and_prints_its_rules(installed):
    rows = {row["game"]: row for row in json.loads(installed.ladder("games", "-f", "json").out)}
    assert [3, 4, 5] == rows[NAME]["seats"]
    assert ("river-race 0.1.0", None) == (rows[NAME]["package"], rows["stellar"]["package"])
    assert installed.ladder("games", NAME).out.startswith("RIVER RACE, for 3 to 5 seats")


def test_bots_play_it_and_are_rated(installed, home):
    rows = json.loads(installed.ladder("leaderboard", "--game", NAME, "-f", "json", "--home", home).out)
    assert {"thinker", "twin", "third", "random"} == {row["bot"] for row in rows}
    assert {NAME} == {row["game"] for row in rows}
    assert all(row["matches"] > 0 for row in rows)
    assert not any(row["faults"] for row in rows)
    again = json.loads(installed.ladder("rate", "-f", "json", "--home", home).out)
    assert [row["mu"] for row in rows] == [row["mu"] for row in again if row["game"] == NAME]


def test_its_matches_are_replayed_and_verified(installed, home):
    record = json.loads(installed.ladder("replay", "last", "--json", "--home", home).out)
    assert (NAME, 1) == (record["game"], record["version"])
    verified = installed.ladder("verify", "--home", home)
    assert ["matches", "24", "0"] in [line.split() for line in verified.out.splitlines()]


def test_its_decisions_are_reviewed(installed, home):
    told = installed.ladder("review", "last", "--home", home)
    assert "Judged by highest-1 in " in told.out
    assert re.search(r"^keep \d+ % of the loss, in \d+ decisions", told.out, re.MULTILINE)


def test_the_run_says_which_package_the_game_came_from_and_what_it_declares(home):
    (run,) = Store(home / "results").runs()
    assert ("1", "river-race 0.1.0") == (run.versions[f"game {NAME}"], run.versions[f"package of {NAME}"])
    assert {"beta": 25 / 6, "draw_probability": 0.04} == run.ratings[NAME]


def test_the_command_prints_where_the_game_is(tmp_path):
    made = run_here("games", "new", NAME, "--to", tmp_path)
    assert (0, f"{tmp_path / NAME}\n") == (made.code, made.out)
    folder = tmp_path / NAME
    assert f"made the game {NAME}; {folder}/README.md says what to do next\n  next: cd {folder}\n" == made.err
    assert (folder / "pyproject.toml").is_file()
    before = listing(folder)
    code, out, err = run_here("games", "new", NAME, "--to", tmp_path)
    assert (2, "") == (code, out)
    assert f"ladder: {folder} is there already\n  next: choose another name, or another folder" in err
    assert before == listing(folder), "what its author wrote stays"
    assert 2 == run_here("games", "new", "River", "--to", tmp_path).code


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("River", "cannot be the name of a game"),
        ("9-men", "cannot be the name of a game"),
        ("a--b", "cannot be the name of a game"),
        ("../up", "cannot be the name of a game"),
        ("x" * 25, "cannot be the name of a game"),
        ("stellar", "there is a game 'stellar' already"),
        ("random", "Python has a package 'random' already"),
        ("ladder", "Python has a package 'ladder' already"),
        ("msgspec", "Python has a package 'msgspec' already"),
    ],
)
def test_a_name_that_cannot_be_used_is_refused(name, why, tmp_path):
    with pytest.raises(UsageProblem, match=why):
        create_game(name, tmp_path)
    assert [] == [*tmp_path.iterdir()]
