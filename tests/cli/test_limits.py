"""Limits of a bot, a game and a run: who is held to what, and what is said of it."""

import json

import pytest
from support.command_line import run_here
from support.here import PLAYER

pytestmark = pytest.mark.usefixtures("threads")

SETTINGS = """\
[run]
games = ["stellar"]
[limits.bots.greedy]
move_ms = 5_000
memory_mb = 700
[limits.bots.gredy]
move_ms = 1
[limits.games.stellar]
bank_ms = 77
"""


@pytest.fixture
def home(tmp_path):
    home = tmp_path / "home"
    assert 0 == run_here("home", "init", home).code
    (home / "ladder.toml").write_text(SETTINGS)
    return home


def test_a_run_is_played_under_them_and_says_which_are_for_nobody(home):
    answer = run_here("run", "greedy", "random", "--games", "2", "--home", home, "-j", "1")
    assert 0 == answer.code, answer.err
    assert "names gredy, and there is no such bot (did you mean 'greedy'?)" in answer.err
    assert "more than one set of limits" not in answer.err
    record = json.loads(run_here("replay", "last", "--json", "--home", home).out)
    assert (1_000, 77) == (record["limits"]["move_ms"], record["limits"]["bank_ms"])
    own = {seat["bot"]: seat.get("limits") for seat in record["seats"]}
    assert {"greedy": {"move_ms": 5_000, "memory_mb": 700}, "random": None} == own

    again = ("run", "greedy", "random", "--games", "2", "--home", home, "-j", "1")
    assert 0 == run_here(*again, "--limit", "move_ms=9000").code
    notes = run_here("leaderboard", "--show", "notes", "--home", home).out
    assert "all bots here played under more than one set of limits (move_ms), and all matches count" in (
        " ".join(notes.split())
    )
    answer = run_here("leaderboard", "--limits", "current", "--home", home)
    assert "under the limits of now; 2 matches under others left out" in answer.err
    assert "stellar  2 seats, 2 matches" in answer.out


def test_what_a_bot_is_held_to_is_shown(home):
    assert 0 == run_here("bots", "house", "add", "greedy", "random", "--home", home).code
    found = {
        name: json.loads(run_here("bots", name, "--json", "--home", home).out)["limits"]
        for name in ("greedy", "random")
    }
    assert (5_000, 10_000, 700, 0) == tuple(
        found["greedy"][key] for key in ("move_ms", "bank_ms", "memory_mb", "retries")
    )
    assert {"stellar": {"bank_ms": 77}} == found["greedy"]["games"] == found["random"]["games"]
    assert 1_000 == found["random"]["move_ms"]
    shown = " ".join(run_here("bots", "greedy", "--home", home).out.split())
    assert "move_ms 5,000, bank_ms 10,000" in shown
    assert "; at stellar: bank_ms 77" in shown


def test_check_names_the_limit_that_would_help(home, tmp_path):
    bot = tmp_path / "sleepy.py"
    sleeps = 'time.sleep(0.2 * (message["step"] < 2))'
    bot.write_text(PLAYER.replace('time.sleep(config.get("sleep", 0))', sleeps))
    (home / "ladder.toml").write_text('[run]\ngames = ["stellar"]\n[limits]\nmove_ms = 100\n')
    answer = run_here("check", bot, "--home", home)
    advice = (
        "think less: on a busier machine this is a timeout; who runs the ladder can give it more: move_ms"
    )
    assert f"{advice} = 200, below [limits.bots.sleepy] in ladder.toml" in answer.out


PATTERNS = """\
[run]
games = ["stellar"]
[sandbox]
tier = "none"
[limits.bots."gr?edy"]
move_ms = 5_000
tables = 6
[limits.bots."rnd*"]
[allow]
network = ["gre*", "mus*"]
[quota.key]
bots = ["greedy", "random", "sage"]
tables = 4
[quota.nobody]
bots = []
tables = 1
"""


def test_patterns_and_quotas_hold_and_a_run_says_which_are_for_nobody(home):
    (home / "ladder.toml").write_text(PATTERNS)
    answer = run_here("run", "greedy", "random", "--games", "2", "--home", home, "-j", "1")
    assert 0 == answer.code, answer.err
    assert "seats in progress at once: at most 6 of greedy, 4 of greedy and random" in answer.err
    for place, name in (("[limits.bots]", "rnd*"), ("[allow] network", "mus*"), ("[quota.key]", "sage")):
        assert 1 == answer.err.count(
            f"warning: {place} in ladder.toml names {name}, and there is no such bot"
        )
    assert "warning: [quota.nobody] in ladder.toml names no bot\n" in answer.err
    assert 4 == answer.err.count("in ladder.toml names")
    limits = json.loads(run_here("bots", "greedy", "--json", "--home", home).out)["limits"]
    assert (5_000, 4) == (limits["move_ms"], limits["tables"])
    assert "tables 4" in run_here("bots", "random", "--home", home).out
    record = json.loads(run_here("replay", "last", "--json", "--home", home).out)
    assert {"greedy": {"move_ms": 5_000}, "random": None} == {
        seat["bot"]: seat.get("limits") for seat in record["seats"]
    }
