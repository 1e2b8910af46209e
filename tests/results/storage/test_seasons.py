"""Seasons: stored beside the runs, read with them, and mended if their file is damaged."""

import pytest
from support.records import a_block, a_run
from support.stores import keep_run, numbers, put

from results.errors import DamagedResults, NoSuchSeason
from results.storage.seasons import FIRST, Season, find_season, write_seasons
from results.storage.store import Store


@pytest.fixture
def store(tmp_path):
    """A store with a run of two blocks, a season, and another run of one block."""
    found = Store(tmp_path / "results")
    with found.lock():
        keep_run(found, map(a_block, range(2)))
        found.begin_season("spring")
        keep_run(found, [a_block(run=2)], 2)
    return found


def names(store):
    return [season.name for season in store.contents().seasons]


def test_without_a_season_all_runs_are_the_first_one(tmp_path):
    store = Store(tmp_path / "results")
    assert (FIRST,) == store.seasons() == store.contents().seasons
    with store.lock():
        store.begin(a_run())
    assert [1] == [run.run for run in store.contents().rated_runs]
    assert not store.folder.seasons.exists()


def test_a_season_has_the_runs_from_its_first_to_that_of_the_next(store):
    contents = store.contents()
    assert ["first", "spring"] == names(store)
    assert [2] == [run.run for run in contents.rated_runs]
    assert [1] == [run.run for run in contents.of_season("first").rated_runs]
    assert (1, 2) == tuple(run.run for run in contents.of_season("spring").runs)
    assert 1 == contents.of_season("spring").match(1, 3).run


def test_contents_of_a_season_read_no_match_and_no_fault_of_another(store):
    contents = store.contents()
    assert {1: 4, 2: 2} == {run: contents.matches(run=run).num_rows for run in (1, 2)}
    assert 6 == contents.matches().num_rows
    assert {1} == set(contents.of_season("first").matches(["run"]).column("run").to_pylist())
    assert {2} == set(contents.of_season().matches(["run"]).column("run").to_pylist())
    assert [1, 0] == [contents.of_season(name).faults().num_rows for name in ("first", "spring")]


def test_blocks_in_the_journal_belong_to_the_season_of_their_run(store):
    with store.lock():
        store.begin(a_run(3))
        put(store, 0, run=3)
    contents = store.contents()
    assert [0] == numbers(store, 3)
    assert {2, 3} == set(contents.of_season("spring").matches(["run"]).column("run").to_pylist())
    assert {1} == set(contents.of_season("first").matches(["run"]).column("run").to_pylist())


def test_a_season_without_runs_is_replaced_by_the_next(store):
    with store.lock():
        store.begin_season("summr")
        store.begin_season("summer")
    assert ["first", "spring", "summer"] == names(store)
    assert () == store.contents().rated_runs


def test_a_season_without_runs_goes_if_the_one_before_it_is_begun_again(store):
    before = store.seasons()
    with store.lock():
        store.begin_season("summer")
        assert before[-1] == store.begin_season("spring")
    assert before == store.seasons()


def test_a_season_that_begins_before_the_first_run_is_the_only_one(tmp_path):
    store = Store(tmp_path / "results")
    with store.lock():
        store.begin_season("autumn")
        store.begin(a_run())
    assert ["autumn"] == names(store)
    assert [1] == [run.run for run in store.contents().rated_runs]


@pytest.mark.parametrize("name", ["first", "spring"])
def test_a_season_with_runs_cannot_be_begun_again(store, name):
    with store.lock():
        keep_run(store, [], 3)
        store.begin_season("summer")
        keep_run(store, [], 4)
        with pytest.raises(ValueError, match="expected a new name"):
            store.begin_season(name)
    assert ["first", "spring", "summer"] == names(store)


def test_no_season_begins_within_a_run(store):
    with store.lock():
        store.begin(a_run(3))
        with pytest.raises(ValueError, match="no unfinished run"):
            store.begin_season("summer")
    assert ["first", "spring"] == names(store)


def test_a_run_of_an_earlier_season_does_not_go_on(store):
    """Its matches would count in ratings that are history."""
    with store.lock():
        store.begin_season("summer")
        with pytest.raises(ValueError, match="earlier season"):
            store.reopen(store.runs()[-1].settings)
    assert None is store.unfinished_run()


def test_a_season_that_does_not_exist_is_refused_with_those_that_do(store):
    with pytest.raises(NoSuchSeason, match="there is no season 'sprin'") as caught:
        find_season(store.seasons(), "sprin")
    assert "there are: first, spring" == caught.value.hint
    assert 3 == caught.value.exit_code


@pytest.mark.parametrize(
    "seasons",
    [[Season("a", 2, 1), Season("b", 2, 2)], [Season("a", 3, 1), Season("b", 2, 2)], [Season("first", 2, 1)]],
)
def test_seasons_that_cannot_be_are_damage(store, seasons):
    with store.lock():
        write_seasons(store._disk, store.folder, seasons)
    with pytest.raises(DamagedResults, match="season"):
        store.contents()


@pytest.mark.parametrize("damage", [b"", b"PAR1 and more", None])
def test_a_repair_moves_a_damaged_file_of_seasons_aside_and_says_what_is_lost(store, damage):
    if damage is None:
        with store.lock():
            write_seasons(store._disk, store.folder, [Season("spring", 9, 1)])
    else:
        store.folder.seasons.write_bytes(damage)
    found, moved = store.repair()
    assert ["where seasons begin: all runs are rated together"] == [each.lost for each in found.damage]
    assert [store.folder.damaged / "seasons.parquet"] == moved
    assert ["first"] == names(store)
    assert [1, 2] == [run.run for run in store.contents().rated_runs]
    assert [] == store.repair()[0].damage


def test_the_audit_reads_the_file_of_seasons(store):
    assert [] == store.audit().damage
    assert store.seasons() == store.audit().contents.seasons
