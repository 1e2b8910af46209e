"""Seasons of a home: they begin between runs, and a run of a new one is as in a new home."""

import pytest
from support.ladders import a_home, play, ratings, rows, start_run

from ladder.errors import RunStopped, UsageProblem
from ladder.home.season import begin_season, runs_by_season
from ladder.run.status import Stop
from results.errors import HomeLocked
from results.storage.store import Store

ADAPTIVE = {"matches": 80, "seed": 2, "schedule": "adaptive", "until": "order"}


def seasons(home):
    return [
        (season.name, [run.run for run in runs]) for season, runs in runs_by_season(store(home).contents())
    ]


def store(home):
    return Store(home.results)


@pytest.mark.slow
def test_an_adaptive_run_of_a_new_season_is_that_of_a_new_home_also_when_it_is_resumed(tmp_path):
    """The pairing and --until see no match of another season."""
    (tmp_path / "old").mkdir()
    (tmp_path / "new").mkdir()
    old, new = a_home(tmp_path / "old/home"), a_home(tmp_path / "new/home")
    play(old, matches=60, seed=1, schedule="adaptive")
    before = ratings(old.path)
    begin_season(old, "spring")
    assert {} == ratings(old.path)
    stop = Stop()

    def stop_later(status):
        stop.asked = int(status.done > 30)

    with pytest.raises(RunStopped):
        play(old, **ADAPTIVE, stop=stop, report=stop_later)
    play(old, **ADAPTIVE)
    play(new, **ADAPTIVE)
    assert [{**row, "run": 2} for row in rows(new.path)] == rows(old.path, run=2)
    assert ratings(new.path) == ratings(old.path) != before
    assert [("first", [1]), ("spring", [2])] == seasons(old)


def test_a_season_does_not_begin_while_a_run_is_unfinished(tmp_path):
    home = a_home(tmp_path / "home")
    start_run(home)
    with pytest.raises(UsageProblem, match="run 1 is not finished, and counts in season first") as caught:
        begin_season(home, "spring")
    assert "ladder run --resume, which finishes it; ladder home season spring, again" == caught.value.hint
    assert [("first", [1])] == seasons(home)


def test_a_season_does_not_begin_while_another_process_writes(tmp_path):
    home = a_home(tmp_path / "home")
    with store(home).lock(), pytest.raises(HomeLocked):
        begin_season(home, "spring")
    assert [("first", [])] == seasons(home)


@pytest.mark.parametrize("name", ["", "a b", "../x", "-x", "é", "x" * 33, "a\nb"])
def test_a_name_that_cannot_be_is_refused_before_anything_is_written(tmp_path, name):
    home = a_home(tmp_path / "home", {})
    with pytest.raises(UsageProblem, match="cannot be the name of a season"):
        begin_season(home, name)
    assert not home.results.joinpath("seasons.parquet").exists()


def test_a_name_that_is_taken_is_refused(tmp_path):
    home = a_home(tmp_path / "home", {})
    begin_season(home, "spring")
    with pytest.raises(UsageProblem, match="there is a season spring already"):
        begin_season(home, "spring")
    season, before = begin_season(home, "summer")
    assert ("summer", 1, "spring") == (season.name, season.first_run, before.name)
