"""The tutorials: a newcomer types them line by line, and ends with bots that beat greedy."""

import json
import re
import shlex
import subprocess
import sys

import pytest
from support.command_line import ENVIRONMENT, run_apart
from support.documents import PAGES
from support.need import need

TUTORIAL = PAGES["bots/TUTORIAL.md"]
LEARNING = PAGES["bots/LEARNING.md"]
SMALLER = {r"--games \d+$": "--games 4"}
"""Only plain runs are shortened: duels go on until they are sure, and the page has figures of one run."""
SEEDED = "ladder run comet greedy random --game stellar --games 200 --seed 1"


def figures(text):
    """Return the rows of a leaderboard in *text*, without the times: place, bot, rating and so on."""
    return [line.split()[:-1] for line in re.findall(r"^ *[\d-]+  \w+ .*", text, re.MULTILINE)]


def steps(page=TUTORIAL):
    """Return the blocks of a page in their order, each with its language: a program or commands."""
    return re.findall(r"^```(python|sh)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


@pytest.mark.slow
@pytest.mark.timeout(1_800)  # the duels take 3 minutes of CPU time
def test_a_reader_who_types_the_tutorial_has_a_bot_that_beats_greedy(tmp_path):
    said: dict[str, str] = {}
    for language, block in steps():
        if language == "python":
            (tmp_path / "comet" / "bot.py").write_text(block)
            continue
        for command in block.splitlines():
            for pattern, smaller in SMALLER.items():
                command = re.sub(pattern, smaller, command)
            done = run_apart(*shlex.split(command)[1:], cwd=tmp_path, env=ENVIRONMENT)
            assert 0 == done.code, f"{command}\n{done.err}"  # that of a duel: the first bot is better
            said[command] = done.out
    duels = [command for command in said if command.startswith("ladder duel")]
    assert ["ladder duel comet@2 comet@1 --game stellar", "ladder duel comet greedy --game stellar"] == duels
    assert 3 == len(figures(TUTORIAL))
    assert figures(TUTORIAL) == figures(said[SEEDED])
    listed = run_apart("bots", "--all", "--format", "json", cwd=tmp_path, env=ENVIRONMENT).out
    notes = [version["note"] for version in json.loads(listed) if version["bot"] == "comet"]
    assert ["plays at random", "counts points", "plays on to the end"] == notes


def test_the_tutorial_says_what_its_programs_do():
    programs = [block for language, block in steps() if language == "python"]
    assert len(programs) == 2
    assert all(len(program.splitlines()) <= 60 for program in programs)


@pytest.mark.slow
@pytest.mark.tools
@pytest.mark.timeout(1_800)  # a minute of CPU time
def test_a_reader_who_types_the_page_on_learning_has_a_bot_that_has_learnt_to_beat_greedy(tmp_path):
    need("gymnasium")
    # the last one is written down and not run: PPO takes minutes, and a library of gigabytes
    programs = iter(["train.py", "scholar/bot.py", "curve.py", "ppo.py"])
    said = ""
    for language, block in steps(LEARNING):
        if language == "python":
            (tmp_path / next(programs)).write_text(block)
            continue
        for command in block.splitlines():
            python = [sys.executable, "-m"] if command.startswith("ladder") else [sys.executable]
            words = [*python, *shlex.split(command.removeprefix("python "))]
            done = subprocess.run(words, cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True)
            assert 0 == done.returncode, f"{command}\n{done.stderr}"
            said += done.stdout
    brier, written = (float(re.findall(r"Brier score: ([\d.]+)", text)[0]) for text in (said, LEARNING))
    assert abs(brier - written) < 0.005
    (beaten,) = re.findall(r"\bscholar .* ([\d.]+) \(\d+-\d+\)", said)
    assert float(beaten) >= 60
    assert 12 == len(re.findall(r"^learner@[123]000 ", said, re.MULTILINE))


def test_the_programs_of_the_page_on_learning_have_at_most_60_lines():
    programs = [block for language, block in steps(LEARNING) if language == "python"]
    assert all(len(program.splitlines()) <= 60 for program in programs)
