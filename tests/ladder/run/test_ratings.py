"""The ratings while a run is played: fits for its schedule, and what is stored before its end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from support.records import a_block, a_run

from ladder.run import ratings
from ladder.run.ratings import RunRatings
from results.rating import cache
from results.rating.cached_counts import tally_current
from results.record import RunSettings, encode_block
from results.storage.store import Store

ADAPTIVE = RunSettings(schedule="adaptive")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Return a locked store with a finished run of 10 matches, and an unfinished one without any."""
    store = Store(tmp_path / "results")
    with store.lock():
        store.begin(a_run(settings=ADAPTIVE))
        for number in range(5):
            store.append(number, encode_block(a_block(number)))
        store.finish(1, 5)
        cache.save(store, tally_current(store))
        store.begin(a_run(2, settings=ADAPTIVE))
        yield store


def test_the_schedule_starts_from_what_earlier_runs_say(store: Store) -> None:
    first = cache.ratings_current(store)["stellar"].fit
    found = RunRatings(store, store.runs()[1])
    assert {"stellar": first.quadratic()} == found.before
    assert 10 == found.tally.before.matches
    assert 0 == found.tally.now.matches


def test_a_run_that_is_not_steered_needs_nothing_of_earlier_ones(store: Store) -> None:
    run = replace(store.runs()[1], settings=RunSettings(schedule="round-robin"))
    assert {} == RunRatings(store, run).before
    assert not store.folder.cache("before").exists()


def test_ratings_are_stored_before_the_end_only_where_that_takes_little_of_the_time(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = RunRatings(store, store.runs()[1])
    found.save_if_grown()
    clock = iter([100.0, 101.0, 110.0, 121.5, 122.0])
    monkeypatch.setattr(ratings.time, "monotonic", lambda: next(clock))
    stored = []
    for number in range(3):
        found.add(a_block(number, run=2))
        store.append(number, encode_block(a_block(number, run=2)))
        found.save_if_grown()
        stored.append(store.ratings()[1]["block"])  # type: ignore[index]
    assert [1, 1, 3] == stored
