"""The groups of commands: what is known of a bot and of a home, and bots that no longer play."""

import json
import shutil
from pathlib import Path

import pytest
from support import ladders
from support.command_line import PlayedHome, run_here

from ladder.home.home import Home

pytestmark = pytest.mark.usefixtures("threads")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Return a home with three bots, one of which has two versions."""
    made = ladders.a_home(tmp_path / "home", {"ann": {"style": "first"}, "bob": {}, "cid": {}})
    ladders.enlist(made, "ann", {"style": "last"})
    return made


def players(home: Home, *arguments: str) -> set[str]:
    """Return the bots, each with its number, that play in a run of `ladder run` with *arguments*."""
    done = ladders.run_command(home.path, "--games", "4", "-j", "1", *arguments)
    assert 0 == done.returncode, done.stderr
    newest = run_here("matches", "-n", "4", "--format", "json", "--home", home.path).out
    seats = [seat for row in json.loads(newest) for seat in row["seats"]]
    numbers = home.roster.numbers()
    return {f"{seat['bot']}@{numbers[seat['bot'], seat['version']]}" for seat in seats}


# -- bots


@pytest.mark.slow
def test_a_retired_bot_plays_only_in_a_run_that_names_it(home: Home) -> None:
    code, out, err = run_here("bots", "retire", "bob", "--home", home.path)
    assert (0, "retired: bob@1\n") == (code, out)
    assert "submit it again to bring it back\n  next: ladder bots" in err
    listed = json.loads(run_here("bots", "--format", "json", "--home", home.path).out)
    assert ["ann", "cid"] == [row["bot"] for row in listed]
    assert {"ann@2", "cid@1"} == players(home)
    assert {"bob@1", "cid@1"} == players(home, "bob", "cid")


def test_when_one_version_retires_the_newest_of_the_others_plays_on(home: Home) -> None:
    code, out, err = run_here("bots", "retire", "ann@2", "--home", home.path)
    assert (0, "retired: ann@2\n") == (code, out)
    assert "submit it again to bring it back; ann@1 keeps playing\n" in err
    versions = json.loads(run_here("bots", "info", "ann", "--json", "--home", home.path).out)["versions"]
    assert [True, False] == [version["plays"] for version in versions]


def test_a_name_retires_all_versions_and_a_second_time_changes_nothing(home: Home) -> None:
    assert "retired: ann@1, ann@2\n" == run_here("bots", "retire", "ann", "--home", home.path).out
    code, out, err = run_here("bots", "retire", "ann", "--home", home.path)
    assert (0, "") == (code, out)
    assert "nothing has changed: ann is already retired\n  next: ladder bots" in err
    assert ["bob", "cid"] == sorted(version.bot for version in home.roster.active())


@pytest.mark.parametrize("command", ["info", "retire"])
def test_a_bot_that_is_unknown_is_refused_with_the_name_that_is_close(home: Home, command: str) -> None:
    code, out, err = run_here("bots", command, "bbo", "--home", home.path)
    assert (3, "") == (code, out)
    assert "ladder: there is no bot 'bbo' (did you mean 'bob'?)\n  next: ladder bots" in err
    code, out, err = run_here("bots", command, "ann@3", "--home", home.path)
    assert (3, "") == (code, out)
    assert "ladder: ann has no version '3'\n" in err
    assert 3 == len(home.roster.active())


# -- the home


def test_a_home_alone_is_shown_with_what_is_in_it(played: PlayedHome) -> None:
    result = run_here("home", "--home", played.home, "--format", "json")
    assert 0 == result.code, result.err
    found = {row["what"]: row["found"] for row in json.loads(result.out)}
    assert {
        "folder": str(played.home.resolve()),
        "settings": str(played.home / "ladder.toml"),
        "bots": "3",
        "versions of bots": "3",
        "runs": "1",
        "matches": "202",
        "duels, unrated runs": "0",
        "unfinished": "no run",
    } == {what: told for what, told in found.items() if what != "on disk"}
    assert found["on disk"].endswith(" MB")
    shown = run_here("home", "--home", played.home)
    assert all(told in shown.out for told in found.values())
    assert "  next: ladder home --help" in shown.err


def test_versions_that_no_longer_play_are_counted_apart(home: Home) -> None:
    run_here("bots", "retire", "bob", "--home", home.path)
    rows = json.loads(run_here("home", "--home", home.path, "--format", "json").out)
    assert ["2", "4"] == [row["found"] for row in rows if row["what"] in ("bots", "versions of bots")]


def test_a_folder_that_is_no_home_is_refused_with_the_command_that_makes_one(tmp_path: Path) -> None:
    code, out, err = run_here("home", "--home", tmp_path / "none")
    assert (2, "") == (code, out)
    assert f"ladder: {tmp_path}/none is not a ladder home: it does not exist\n" in err
    assert f"  next: make one: ladder home init {tmp_path}/none\n" in err
    assert not (tmp_path / "none").exists()


def test_verify_finds_a_season_sound_and_a_damaged_file_of_seasons_not(
    played: PlayedHome, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    shutil.copytree(played.home, home)
    assert 0 == run_here("home", "season", "spring", "--home", home).code
    assert 0 == run_here("home", "verify", "--home", home).code
    file = home / "results" / "seasons.parquet"
    file.write_bytes(file.read_bytes()[:-9])
    answer = run_here("home", "verify", "--home", home)
    assert 4 == answer.code
    assert "seasons.parquet" in answer.out
    assert "where seasons begin" in run_here("home", "verify", "--repair", "--home", home).out
    assert "greedy" in run_here("leaderboard", "--home", home).out
