"""The tutorial: a newcomer types it line by line, and ends with a bot that beats greedy."""

import json
import re
import shlex

import pytest
from support.command_line import ENVIRONMENT, run_apart
from support.documents import PAGES

TUTORIAL = PAGES["bots/TUTORIAL.md"]
SMALLER = {r"--games \d+$": "--games 4"}
"""Only plain runs are shortened: duels go on until they are sure, and the page has figures of one run."""
SEEDED = "ladder run comet greedy random --game stellar --games 200 --seed 1"


def figures(text):
    """Return the rows of a leaderboard in *text*, without the times: place, bot, rating and so on."""
    return [line.split()[:-1] for line in re.findall(r"^ *[\d-]+  \w+ .*", text, re.MULTILINE)]


def steps():
    """Return the blocks of the page in their order, each with its language: a program or commands."""
    return re.findall(r"^```(python|sh)\n(.*?)^```$", TUTORIAL, re.MULTILINE | re.DOTALL)


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
