"""What people would stumble over on pages is counted by a program: here a sample, one size of each game."""

import subprocess
import sys

import pytest
from support.command_line import ENVIRONMENT
from support.need import need, need_program
from support.places import ROOT


@pytest.mark.tools
@pytest.mark.slow
def test_boards_are_whole_in_windows_of_four_widths_and_choosing_a_part_moves_nothing(home):
    need("playwright.sync_api")
    need_program("chromium")
    command = [sys.executable, ROOT / "tests/programs/eyes.py", "--home", home.path, "--quick"]
    done = subprocess.run(command, capture_output=True, text=True, env={**ENVIRONMENT}, timeout=120)
    assert (0, "boards not whole: 0\n") == (done.returncode, done.stdout), done.stderr
