"""Copies of small Parquet files: quick to read, and good for the file of that moment only."""

import shutil
import subprocess
import sys
from typing import Any

import pytest
from support.places import ROOT
from support.records import a_run
from support.stores import keep_run

from results.errors import DamagedResults
from results.record import Run, Season
from results.storage import parquet, schema
from results.storage.cached import read_copy
from results.storage.layout import Folder
from results.storage.runs import read_runs
from results.storage.stored_ratings import read_origin


@pytest.fixture
def store(store):
    """Return a store with a run and two seasons."""
    with store.lock():
        keep_run(store, [], ratings={"stellar": {"draw_probability": {"2": 0.25}}})
        store.begin_season("spring")
    return store


def test_a_copy_says_what_its_file_says(store):
    with_copies = [*store.runs(), *store.seasons()[1:]]
    assert 2 == len(with_copies)
    runs, _ = parquet.read_with_tag(store.folder.runs, schema.RUNS)
    seasons, _ = parquet.read_with_tag(store.folder.seasons, schema.SEASONS)
    assert with_copies == [*schema.records_from(runs, Run), *schema.records_from(seasons, Season)]
    for name in ("runs", "seasons"):
        store.folder.cache(name).unlink()
    assert with_copies == [*store.runs(), *store.seasons()[1:]]


def test_the_origin_of_ratings_has_a_copy(store):
    with store.lock():
        store.save_ratings(schema.RATINGS.empty_table(), {"method": "a", "run": 1})
    copied = read_copy(store.folder.ratings, store.folder.cache("origin"), dict[str, Any])
    assert {"method": "a", "run": 1} == copied == read_origin(store.folder)


@pytest.mark.process
def test_a_store_without_new_matches_is_read_without_a_heavy_library(store):
    code = (
        "import sys; from pathlib import Path; from results.rating.cache import ratings_current\n"
        "from results.reports import row_sets; from results.storage.store import Store\n"
        f"store = Store(Path({str(store.folder.root)!r}))\n"
        "print(ratings_current(store), len(store.runs()), {'pyarrow', 'trueskill'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "{} 1 set()\n" == done.stdout


def test_a_copy_of_another_file_is_not_used(store, tmp_path):
    shutil.copytree(store.folder.root, tmp_path / "old")
    with store.lock():
        store.begin(a_run(run=2))
    assert 2 == len(store.runs())
    store.folder.runs.write_bytes((tmp_path / "old/runs.parquet").read_bytes())
    assert 1 == len(store.runs())


@pytest.mark.parametrize("damage", [b"", b"not a copy", b"x" * 40])
def test_a_damaged_copy_is_not_used(store, damage):
    before = store.runs(), store.seasons()
    for name in ("runs", "seasons"):
        store.folder.cache(name).write_bytes(damage)
    assert before == (store.runs(), store.seasons())


def test_a_copy_hides_no_damage_and_no_loss_of_its_file(store):
    store.folder.runs.write_bytes(store.folder.runs.read_bytes()[:-1])
    with pytest.raises(DamagedResults):
        store.runs()
    store.folder.runs.unlink()
    assert () == read_runs(Folder(store.folder.root))
