"""Rating again: all at once, which writes, and match after match, which compares."""

import json
import re

import pyarrow as pa
import pytest
from support.command_line import run_here
from support.records import a_block
from support.stores import keep_run

from ladder.home.home import create_home
from ladder.registry.roster import Roster
from results.rating import cache, trueskill_package
from results.storage.store import Store

NAMES = ("alpha", "beta", "gamma")


@pytest.fixture
def home(tmp_path):
    """Return a home with a finished run and one under way, both rated: the cache is good."""
    create_home(tmp_path / "home")
    store = Store(tmp_path / "home/results")
    with store.lock():
        for run in (1, 2):
            keep_run(store, (a_block(n, NAMES[n % 2 :], run=run) for n in range(12)), run, ends=run == 1)
        cache.save(store)
    return tmp_path / "home"


def rated(home, *arguments):
    result = run_here("rate", "--home", home, "--format", "json", *arguments)
    assert 0 == result.code, result.err
    return json.loads(result.out), result.err


def spoil(store):
    """Keep ratings that nobody has earned, but that look as if they were made from these matches."""
    with store.lock():
        table, origin = store.ratings()
        nobodys = pa.array([99.0] * len(table))
        store.save_ratings(table.set_column(table.column_names.index("mu"), "mu", nobodys), origin)


def test_the_stored_ratings_are_those_of_all_matches_again(home):
    store = Store(home / "results")
    good = store.folder.ratings.read_bytes()
    spoil(store)
    assert good != store.folder.ratings.read_bytes()
    rows, _ = rated(home)
    assert good == store.folder.ratings.read_bytes()
    assert rows == json.loads(run_here("leaderboard", "--home", home, "--format", "json").out)
    assert set(NAMES) == {row["bot"] for row in rows}


def test_versions_that_do_not_play_are_not_shown(home, monkeypatch):
    monkeypatch.setattr(Roster, "resting", lambda roster: frozenset({("gamma", "gamma-1")}))
    assert {"alpha", "beta"} == {row["bot"] for row in rated(home)[0]}


def test_ratings_that_are_missing_are_stored(home):
    store = Store(home / "results")
    good = store.folder.ratings.read_bytes()
    store.folder.ratings.unlink()
    rated(home, "--engine", "joint")
    assert good == store.folder.ratings.read_bytes()


def test_the_package_rates_everything_and_writes_nothing(home, monkeypatch):
    store = Store(home / "results")
    spoil(store)
    before = store.folder.ratings.read_bytes()
    calls = []
    real = trueskill_package.update_skills
    monkeypatch.setattr(trueskill_package, "update_skills", lambda *a: calls.append(a) or real(*a))
    with store.lock():  # a run may be under way
        rows, err = rated(home, "--engine", "package")
        fold, _ = rated(home, "--engine", "fold")
    assert 2 * 30 == len(calls)
    assert before == store.folder.ratings.read_bytes()
    assert [row["bot"] for row in fold] == [row["bot"] for row in rows]
    for one, other in zip(fold, rows, strict=True):
        assert one["mu"] == pytest.approx(other["mu"], rel=0, abs=1e-9)
    assert re.search(r"between joint and package: \d\.\de[+-]\d\d in mu, \d\.\de[+-]\d\d in sigma\n", err)


def test_the_largest_difference_is_said(home, monkeypatch):
    shifted = [0.0]

    def engine(skills, ties, beta, draws):
        shifted[0] += 0.001
        return [(25.0 + shifted[0], 3.5) for _ in skills]

    monkeypatch.setattr(trueskill_package, "update_skills", engine)
    rows, err = rated(home, "--engine", "package")
    jointly, _ = rated(home)
    of = {row["bot"]: row for row in jointly}
    mu, sigma = (max(abs(row[key] - of[row["bot"]][key]) for row in rows) for key in ("mu", "sigma"))
    assert f"{mu:.1e} in mu, {sigma:.1e} in sigma" in err


def test_rating_needs_the_lock_where_it_writes(home):
    with Store(home / "results").lock():
        assert 7 == run_here("rate", "--home", home).code


def test_one_game_can_be_shown(home):
    assert [] == rated(home, "--game", "stella")[0]
    assert 3 == len(rated(home, "--game", "stellar")[0])


def test_where_nothing_was_played_nothing_is_made(tmp_path):
    create_home(tmp_path / "home")
    result = run_here("rate", "--home", tmp_path / "home")
    assert 0 == result.code
    assert "no matches yet" in result.err
    assert [] == list((tmp_path / "home/results").iterdir())
