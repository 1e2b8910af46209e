"""The figures of start-up: CPU time counts with that of all descendants, and a failure is told."""

import sys

import pytest

from ladder.dev.benchmark import starts
from ladder.dev.benchmark.starts import spend, start_figures
from ladder.errors import LadderError

pytestmark = pytest.mark.process

BURN = "import time\nwhile time.process_time() < 0.2: pass"


def test_the_time_of_descendants_counts():
    started = f"import os; os.waitpid(os.spawnl(os.P_NOWAIT, {sys.executable!r}, 'x', '-c', {BURN!r}), 0)"
    assert spend(("-c", started)).cpu > 0.2


def test_a_command_that_fails_is_named():
    with pytest.raises(LadderError, match=r"^ladder of mine failed: exit code 3$"):
        spend(("-c", "raise SystemExit(3)", "of", "mine"))


def test_the_first_match_is_the_first_block_in_the_journal(tmp_path):
    journal = tmp_path / "results" / "journal" / "000001.log"
    journal.parent.mkdir(parents=True)
    write = f"import time; file = open({str(journal)!r}, 'w', 1); print('head', file=file); time.sleep(0.3); "
    assert None is spend(("-c", f"{write}"), tmp_path).first
    spent = spend(("-c", f"{write}print('x' * 200, file=file); time.sleep(0.1)"), tmp_path)
    assert spent.first is not None
    assert spent.first > 0.3


@pytest.mark.slow
def test_all_commands_are_measured_in_the_home_of_the_first_run(monkeypatch):
    monkeypatch.setattr(starts, "COMMANDS", {("--version",): 6, ("leaderboard",): 21})
    shown = {figure.what: figure for figure in start_figures(1)}
    assert [
        "first run: from the command to the first match",
        "first run of 2 matches: CPU of all processes",
        "first run of 2 matches: CPU / empty Python",
        "page of a match of stellar, as it lies",
        "start-up: ladder --version: CPU",
        "start-up: ladder --version / empty Python",
        "start-up: ladder leaderboard: CPU",
        "start-up: ladder leaderboard / empty Python",
    ] == [*shown]
    assert all(figure.value > 0 for figure in shown.values())
    assert "at most 21" == shown["start-up: ladder leaderboard / empty Python"].aim
