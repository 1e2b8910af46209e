"""`ladder try`: an author's command after each change."""

import json
import re

import pytest
from support import ladders
from support.command_line import check_refused, run_here

from ladder.home.experiments import TRIES
from ladder.home.home import open_home

pytestmark = pytest.mark.usefixtures("threads")

MENDED = ladders.PLAYER + "# a change\n"
CRASHING = "import sys\nfor number, line in enumerate(sys.stdin):\n    if number > 2: sys.exit(3)\n"


@pytest.fixture
def home(tmp_path):
    made = tmp_path / "home"
    assert 0 == run_here("home", "init", made).code
    return made


@pytest.fixture
def bot(tmp_path):
    file = tmp_path / "ann.py"
    file.write_text(ladders.PLAYER)
    return file


def check_ended(said, code, text):
    """Assert that a command that had printed the checks ended with *code*, and said *text* on stderr."""
    assert code == said.code, said.err
    assert f"ladder: {text}" in said.err


def tries(home):
    listed = run_here("try", "--format", "json", "--home", home)
    assert 0 == listed.code, listed.err
    found: list[dict[str, object]] = json.loads(listed.out)
    return found


@pytest.mark.process
def test_a_change_is_tried_against_the_version_that_plays(home, bot):
    arguments = ("--game", "stellar", "--games", "8", "--home", home)  # too few for any verdict
    assert 0 == run_here("submit", bot, "--home", home).code
    check_ended(run_here("try", bot, *arguments), 2, "nothing has changed since ann@1")
    bot.write_text(MENDED)
    done = run_here("try", bot, "-m", "a change", *arguments)
    assert 6 == done.code, done.err
    assert "undecided at stellar" in done.out
    assert "ok       against itself" in done.out
    (row,) = tries(home)
    assert ("ann@2", "ann@1", "undecided", "d1", "a change") == tuple(
        row[key] for key in ("version", "against", "verdict", "duel", "note")
    )
    playing = {version.bot: version.number for version in open_home(home).roster.active()}
    assert 1 == playing["ann"], "the version that played goes on"
    assert 0 == run_here("matches", "--in", "d1", "--home", home).code


def test_a_bot_without_versions_is_tried_against_greedy(home, bot):
    done = run_here("try", bot, "--game", "stellar", "--home", home)
    assert 5 == done.code, done.err
    assert "ann is worse than greedy" in done.out
    bot.write_text(MENDED)
    run_here("try", bot, "--game", "stellar", "--games", "40", "--home", home)
    assert ["ann@1", "greedy@1"] == [row["against"] for row in tries(home)]


def test_a_bot_is_tried_at_no_size_that_one_of_the_two_does_not_play(home, bot):
    for name, sizes in (("old", [2]), ("new", [4])):
        text = f'name = "{name}"\nrun = ["{{python}}", "ann.py"]\nseats = {{ stella-quest = {sizes} }}\n'
        bot.with_name(f"{name}.toml").write_text(text)
    assert 0 == run_here("submit", bot.with_name("old.toml"), "--check", "none", "--home", home).code
    arguments = ("--against", "old", "--game", "stella-quest", "--home", home)
    done = run_here("try", bot.with_name("new.toml"), *arguments)
    assert 2 == done.code
    assert re.search(r"old@\w+ plays stella-quest at tables of 2, not of 4\n", done.err)


def test_a_bot_that_crashes_plays_no_duel(home, bot):
    bot.write_text(CRASHING)
    tried = run_here("try", bot, "--game", "stellar", "-m", "oh", "--home", home)
    check_ended(tried, 1, "the check failed: ")
    assert 1 == tried.out.count("failure  ")
    (row,) = tries(home)
    assert (None, "oh") == (row["duel"], row["note"])
    assert str(row["verdict"]).startswith("failed: ")
    assert "d1" not in run_here("duel", "--home", home).out


def test_a_fault_in_the_duel_ends_it_at_once(home, bot):
    """The bot fails only after many decisions, where no check gets."""
    bot.write_text(
        ladders.PLAYER.replace("config = {}\n", "config, acts = {}, 0\n").replace(
            '"act":\n', '"act":\n        acts += 1\n        if acts > 300: sys.exit(4)\n'
        )
    )
    other = bot.with_name("bob.py")
    other.write_text(ladders.PLAYER)
    assert 0 == run_here("submit", other, "--home", home).code
    done = run_here("try", bot, "--game", "stellar", "--against", "bob", "--home", home)
    check_ended(done, 1, "ann@1 made a fault, crash: stopped at once")
    assert "ladder faults --in d1" in done.err
    (row,) = tries(home)
    assert ("fault: crash", "d1") == (row["verdict"], row["duel"])
    (unrated,) = json.loads(run_here("duel", "--format", "json", "--home", home).out)
    assert unrated["matches"] < 400


def test_nothing_tried_and_nothing_there(home, tmp_path):
    listed = run_here("try", "--home", home)
    assert 0 == listed.code
    assert "nothing was tried yet" in listed.err
    check_refused(run_here("try", "-m", "a note", "--home", home), 2, "--message: name the bot")
    check_refused(run_here("try", tmp_path / "none.py", "--home", home), 2, "there is no file or folder")
    check_refused(run_here("try", tmp_path, "--game", "chess", "--home", home), 3, "there is no game 'chess'")


def test_a_line_that_was_cut_short_is_left_out(home):
    (home / TRIES).write_text(
        '{"when":"2026-11-27T03:00:00Z","bot":"ann","version":null,"against":null,"verdict":"failed"}\n'
        '{"when":"2026-'
    )
    assert ["failed"] == [row["verdict"] for row in tries(home)]
