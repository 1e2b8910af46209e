"""Each season is rated as if it were alone, by the caches and without them."""

import shutil

import pytest
from msgspec.structs import replace
from support.random_blocks import random_blocks
from support.records import a_run
from support.stores import keep_run

from results.rating import cache
from results.rating.calibration import read_calibrations
from results.rating.fold import fold_all
from results.rating.rated import standings_of
from results.record import Block, Contest, RunCommand, RunSettings
from results.reports.digest import digest
from results.reports.guessable import guessable_runs
from results.reports.history import histories, history
from results.storage.store import Store


def play(store, seed, blocks, **fields):
    """Play and finish a run of random *blocks* that follow from *seed*."""
    number = len(store.runs()) + 1
    with store.lock():
        drawn = random_blocks(blocks, run=seed)
        mine = [
            Block(each.number, [replace(match, run=number) for match in each.matches], []) for each in drawn
        ]
        keep_run(store, mine, number, **fields)
        cache.save(store)


def begin_season(store, name):
    with store.lock():
        store.begin_season(name)
        cache.save(store)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a store that has two seasons, and one that has played only the second of them."""
    folder = tmp_path_factory.mktemp("seasons")
    both, alone = Store(folder / "both"), Store(folder / "alone")
    play(both, 1, 20)
    begin_season(both, "spring")
    for store in (both, alone):
        play(store, 2, 16)
        play(store, 3, 8)
    return folder


@pytest.fixture
def store(folder, tmp_path):
    """A store with two seasons: one run in the first, two in the second."""
    return Store(shutil.copytree(folder / "both", tmp_path / "results"))


@pytest.fixture
def alone(folder, tmp_path):
    """A store that has played only the second season."""
    return Store(shutil.copytree(folder / "alone", tmp_path / "alone"))


def of_season(store, name, seats=0):
    return ratings(cache.ratings_of(store.contents().of_season(name), seats))


def ratings(rated):
    return {
        key: (of.mu.hex(), of.sigma.hex(), of.matches, of.wins, of.rank_sum)
        for key, of in standings_of(rated).items()
    }


def test_a_season_has_the_ratings_of_a_store_that_played_nothing_else(store, alone):
    assert ratings(cache.ratings_current(alone)) == ratings(cache.ratings_current(store))
    assert ratings(cache.ratings_current(alone, 3)) == ratings(cache.ratings_current(store, 3))
    assert cache.measured_draws(alone) == cache.measured_draws(store) != {}


def test_the_ratings_of_a_season_stay_when_the_next_begins(tmp_path):
    store = Store(tmp_path / "results")
    play(store, 1, 20)
    before, of_three = (of_season(store, None, seats) for seats in (0, 3))
    begin_season(store, "spring")
    assert {} == cache.ratings_current(store)
    play(store, 2, 16)
    assert before == of_season(store, "first")
    assert of_three == of_season(store, "first", 3)
    assert before != of_season(store, "spring") == ratings(cache.ratings_current(store))


def test_caches_of_an_earlier_season_are_not_used(tmp_path):
    """As if the process had died between the season's beginning and the storing of its ratings."""
    store = Store(tmp_path / "results")
    play(store, 1, 20)
    with store.lock():
        store.begin_season("spring")
    assert {} == cache.ratings_current(store)
    play(store, 2, 16)
    alone = Store(tmp_path / "alone")
    play(alone, 2, 16)
    assert ratings(cache.ratings_current(alone)) == ratings(cache.ratings_current(store))


def test_a_run_rests_on_the_earlier_runs_of_its_season_only(store, alone):
    """By this the adaptive schedule and --until see no other season."""
    known = []
    for each in (store, alone):
        with each.lock():
            each.begin(a_run(len(each.runs()) + 1, bots=[{"name": "ann", "version": "ann-1"}]))
            run = each.unfinished_run()
            known.append(cache.quadratics_before(each, run))
    assert known[0] == known[1]
    assert 1 == len(known[0])


def test_a_run_continues_with_the_counts_of_its_season_after_the_caches_are_lost(store, alone):
    for each in (store, alone):
        for name in ("counts", "ratings"):
            each.folder.cache(name).unlink()
    assert ratings(cache.ratings_current(alone)) == ratings(cache.ratings_current(store))


def test_histories_calibration_and_the_fold_are_those_of_the_season(store, alone):
    of_both = [(each.contents(), cache.ratings_current(each)) for each in (store, alone)]
    rows = [
        [{**row, "run": None} for row in history(contents, rated["stellar"], ("ann", "ann-1"))]
        for contents, rated in of_both
    ]
    assert rows[0] == rows[1] != []
    folds = [fold_all(contents).ratings for contents, _ in of_both]
    assert folds[0] == folds[1]
    drawn = [{key: [row["mu"] for row in rows] for key, rows in histories(*each).items()} for each in of_both]
    assert drawn[0] == drawn[1]
    held = [read_calibrations(store.contents().of_season(name))["stellar"] for name in ("first", "spring")]
    assert [True, True] == [each.fitted + each.predicted > 0 for each in held]
    first, spring = (store.contents().of_season(name).matches().num_rows for name in ("first", "spring"))
    assert [first, spring] == [each.fitted + each.predicted for each in held]


def test_only_guessable_runs_of_the_season_are_named(tmp_path):
    store = Store(tmp_path / "results")
    asked = RunSettings(asked=RunCommand(seed=7), contests=(Contest("stellar", 2, {}, (0, 1)),))
    play(store, 1, 4, settings=asked)
    begin_season(store, "spring")
    play(store, 2, 4)
    contents = store.contents()
    assert {} == guessable_runs(contents)
    assert {"stellar": [1]} == guessable_runs(contents.of_season("first"))


def test_the_digest_depends_on_where_a_season_begins_and_on_its_name(tmp_path):
    found = []
    for number, season in enumerate(("", "spring", "summer", "spring")):
        store = Store(tmp_path / str(number))
        play(store, 1, 2)
        if season:
            begin_season(store, season)
        play(store, 2, 2)
        contents = store.contents()
        found.append((digest(contents).hex, [digest(contents, run).hex for run in (1, 2)]))
    together, spring, summer, again = found
    assert spring == again
    assert 3 == len({together[0], spring[0], summer[0]})
    assert together[1] == spring[1] == summer[1]  # a run by itself
