"""`ladder home archive` and `ladder home restore`: what they print, and what they refuse."""

import json
from pathlib import Path

import pytest
from support import ladders
from support.command_line import on_a_terminal, run_here, without_colour
from support.rated_homes import a_rated_home, rate
from support.records import a_run
from support.reviewed import a_review

from engines.contract.texts import wide_lines
from ladder.home.home import create_home, open_home
from results.storage.store import Store


@pytest.fixture
def home(tmp_path):
    return a_rated_home(tmp_path / "home", ["careful", "greedy", "bold"], 4)


def facts(*arguments):
    answer = run_here(*arguments, "--format", "json")
    assert 0 == answer.code, answer.err
    return {row["what"]: row["found"] for row in json.loads(answer.out)}


def test_a_home_goes_through_a_file_with_its_digest(home, tmp_path):
    file, copy = tmp_path / "term.tar.gz", tmp_path / "copy"
    archived = facts("home", "archive", file, "--home", home)
    restored = facts("home", "restore", file, copy)
    digest = run_here("home", "digest", "--home", home).out.strip()
    assert (digest, digest) == (archived["digest"], restored["digest"])
    assert ("24", "1") == (restored["matches"], restored["runs"])


def test_what_is_left_out_is_told(home, tmp_path):
    (home / "ladder.toml").write_text('[allow]\nenv = ["KEY"]\nnetwork = ["greedy"]\n')
    store = Store(home / "results")
    with store.lock():
        store.begin(a_run(2))
    archived = run_here("home", "archive", tmp_path / "a.tgz", "--home", home)
    assert "run 2 is unfinished: the archive ends it as it is, without its secret" in archived.err
    assert "left out: env below [allow] in ladder.toml" in archived.err
    restored = run_here("home", "restore", tmp_path / "a.tgz", tmp_path / "copy")
    assert "allows bots the network for greedy" in restored.err
    assert f"ladder home verify --home {tmp_path / 'copy'}" in restored.err


def test_reviews_go_into_the_file_on_request(home, tmp_path):
    Store(home / "results").reviews.add(a_review(0))
    for name, options, found in (("a", [], 0), ("b", ["--reviews"], 6)):
        assert 0 == run_here("home", "archive", tmp_path / name, *options, "--home", home).code
        assert 0 == run_here("home", "restore", tmp_path / name, tmp_path / f"home-{name}").code
        assert found == len(open_home(tmp_path / f"home-{name}").reviews())


def test_bots_that_were_changed_are_told(tmp_path):
    home = create_home(tmp_path / "home")
    ladders.enlist(home, "honest", {})
    (version,) = home.roster.versions()
    Path(version.folder, "player.py").write_text("")
    archived = run_here("home", "archive", tmp_path / "a.tgz", "--home", home.path)
    restored = run_here("home", "restore", tmp_path / "a.tgz", tmp_path / "copy")
    assert (0, 0) == (archived.code, restored.code)
    told = "warning: honest@1 is not what was submitted: player.py has changed"
    assert f"{told}; the archive holds it as it is" in archived.err
    assert f"{told}; no run can begin with it" in restored.err


def test_a_restored_home_says_which_deals_can_be_checked(home, tmp_path):
    rate(home, [("careful", "careful-1"), ("bold", "bold-1")], 2)
    assert 0 == run_here("home", "archive", tmp_path / "a.tgz", "--home", home).code
    whole = run_here("home", "restore", tmp_path / "a.tgz", tmp_path / "whole").err
    assert "every deal can be checked: the archive holds the secrets of all runs\n" in whole
    assert 0 == run_here("home", "archive", tmp_path / "b.tgz", "--without-secrets", "--home", home).code
    lacking = run_here("home", "restore", tmp_path / "b.tgz", tmp_path / "lacking").err
    assert "the deals of run 1, 2 cannot be checked: the archive does not hold the secrets" in lacking
    assert "every deal" not in lacking
    assert f"ladder home verify --home {tmp_path / 'lacking'}" in lacking


@pytest.mark.slow
def test_both_fit_a_terminal(home, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for command in (("archive", "a.tgz"), ("restore", "a.tgz", "b")):
        told = on_a_terminal("home", *command, NO_COLOR="1", LADDER_HOME=str(home))
        assert [] == wide_lines(without_colour(told), 80)
