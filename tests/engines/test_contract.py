"""The tests that all games run: which games, and how another author runs them."""

import subprocess
import sys

import pytest
from support.places import ROOT

from engines import GAMES
from engines.contract.subject import subject_at
from engines.games import BUILT_IN


def contract(*arguments, cwd):
    command = [sys.executable, "-m", "pytest", "--pyargs", "-q", "-p", "engines.contract.plugin"]
    return subprocess.run(
        [*command, "-p", "no:cacheprovider", *arguments], cwd=cwd, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_built_in_game_runs_them(name):
    module = type(GAMES[name]).__module__
    text = (ROOT / f"tests/{module.replace('.', '/')}/test_contract.py").read_text("utf-8")
    assert "from support.contract import *\n" in text


@pytest.mark.parametrize(
    "path", ["tests/support/contract.py", "engines/template/project/tests/test_contract.py.template"]
)
def test_our_games_and_a_new_one_run_all_of_them(path):
    text = (ROOT / path).read_text("utf-8")
    tests = {path.stem for path in (ROOT / "engines/contract").glob("test_*.py")}
    assert [] == [test for test in tests if f"from engines.contract.{test} import *\n" not in text]


@pytest.mark.process
def test_the_tests_ask_which_game_is_meant(tmp_path):
    done = contract("engines.contract", cwd=tmp_path)
    assert 0 != done.returncode
    assert "--game my_package:MyGame" in done.stdout + done.stderr


@pytest.mark.process
def test_the_tests_run_over_a_game_that_is_named(tmp_path):
    done = contract("engines.contract.test_page", "--game", "engines.template:Toy", cwd=tmp_path)
    assert 0 == done.returncode, done.stdout
    assert "5 passed" in done.stdout


def test_a_game_without_what_its_tests_must_know_is_told_what_to_write():
    with pytest.raises(LookupError, match=r"expected support\.short_game\.testing with KNOWN"):
        subject_at("support.short_game:Showdown")
