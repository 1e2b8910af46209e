"""`ladder home season`, and what commands show of seasons."""

import json
import re

import pytest
from support.command_line import check_refused, on_a_terminal, run_here, without_colour
from support.rated_homes import a_rated_home

from engines.contract.texts import wide_lines
from ladder.registry.roster import Roster


@pytest.fixture
def home(tmp_path):
    """Return a home that has played a run, and no season."""
    return a_rated_home(tmp_path / "home", ["careful", "greedy", "bold"])


def told(home, *arguments):
    answer = run_here(*arguments, "--home", home)
    assert 0 == answer.code, answer.err
    return answer.out + answer.err


def test_a_season_is_begun_and_listed(home):
    assert "season spring begins with run 2; ratings start afresh" in told(home, "home", "season", "spring")
    listed = json.loads(run_here("home", "season", "--format", "json", "--home", home).out)
    shown = [(row["season"], row["runs"], row["matches"]) for row in listed]
    assert [("first", "1", 60), ("spring", None, 0)] == shown
    assert "spring, which began with run 2" in told(home, "home")


def test_leaderboards_matrix_and_history_show_the_season_that_is_asked_for(home):
    history = ("bots", "greedy", "--history")
    commands = [("leaderboard",), ("leaderboard", "--show", "pairs"), ("matrix",), history]
    before = [run_here(*command, "--format", "csv", "--home", home).out for command in commands]
    told(home, "home", "season", "spring")
    after = [
        run_here(*command, "--season", "first", "--format", "csv", "--home", home).out for command in commands
    ]
    now = [run_here(*command, "--format", "csv", "--home", home).out for command in commands]
    assert before == after
    assert [1, 1, 1, 0] == [len(text.splitlines()) for text in now]  # headings; greedy has not played yet


def test_a_leaderboard_says_of_which_season_it_is(home):
    assert "season" not in told(home, "leaderboard")
    told(home, "home", "season", "spring")
    assert "season spring, since run 2" in told(home, "leaderboard")
    assert "season first, which is over" in told(home, "leaderboard", "--season", "first")


def test_hints_below_the_leaderboard_of_a_season_that_is_over_stay_in_it(tmp_path, monkeypatch):
    home = a_rated_home(tmp_path / "home", names := [f"bot-{i}" for i in range(8)], 40)
    here = {(name, f"{name}-1"): 1 for name in names}
    monkeypatch.setattr(Roster, "numbers", lambda roster: here)
    then = told(home, "leaderboard")
    assert re.search(r"places .* are not separated yet\n  next: ladder duel bot-", then)
    told(home, "home", "season", "spring")
    over = " ".join(told(home, "leaderboard", "--season", "first").split())
    assert "are not separated yet" in over
    assert "ladder duel" not in over


@pytest.mark.parametrize(
    "command", ["leaderboard", "leaderboard --show calibration", "matrix", "bots greedy --history"]
)
def test_a_season_that_does_not_exist_is_refused(home, command):
    told(home, "home", "season", "spring")
    check_refused(run_here(*command.split(), "--season", "sprin", "--home", home), 3, "'sprin'")


@pytest.mark.slow
def test_the_list_of_seasons_fits_a_terminal(home):
    told(home, "home", "season", "a-name-of-thirty-two-characters.")
    lines = without_colour(on_a_terminal("home", "season", NO_COLOR="1", LADDER_HOME=str(home)))
    assert [] == wide_lines(lines, 80)
