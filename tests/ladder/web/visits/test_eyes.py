"""What people would stumble over on pages is counted by a program: here a sample, one size of each game."""

import json
import shutil
import subprocess
import sys

import pytest
from support.command_line import ENVIRONMENT, run_apart
from support.need import need, need_program
from support.places import ROOT

NAMED = {"walrus": "Wandering Walrus MMM", "falcon": "صقر الصحراء السريع", "long": "Wegweiser" * 7}


@pytest.mark.tools
@pytest.mark.slow
def test_boards_names_words_heads_and_costs_are_right_in_windows_of_four_widths(home, tmp_path):
    need("playwright.sync_api")
    need_program("chromium")
    shutil.copytree(home.path, tmp_path / "home")

    def ladder(*words):
        said = run_apart(*words, "--home", tmp_path / "home", cwd=tmp_path)
        assert 0 == said.code, said.err

    for name, display in NAMED.items():
        shutil.copytree(ROOT / "bots/random", tmp_path / name)
        told = {"name": name, "run": ["{python}", "bot.py"], "display": display}
        lines = (f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in told.items())
        (tmp_path / name / "bot.toml").write_text("".join(lines), "utf-8")
        ladder("submit", tmp_path / name, "--check", "none")
    few = ("--stages", "swiss:1+knockout:2", "--blocks", "1", "--seed", "1", "--sandbox", "none")
    ladder("tournament", "new", "cup", *NAMED, "--game", "stellar", *few)
    ladder("tournament", "run", "cup")
    program = [sys.executable, ROOT / "tests/programs/eyes.py", "--home", tmp_path / "home", "--quick"]
    done = subprocess.run(program, capture_output=True, text=True, env={**ENVIRONMENT}, timeout=300)
    assert 0 == done.returncode, done.stdout + done.stderr
    assert 5 == done.stdout.count(": 0\n"), done.stdout
