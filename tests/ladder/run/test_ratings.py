"""The ratings while a run is played: fits for its schedule, and what is stored before its end."""

from __future__ import annotations

import time
from typing import ClassVar

import pytest
from msgspec.structs import replace
from support.records import a_block, a_run

from ladder.errors import LadderError
from ladder.run import ratings
from ladder.run.ratings import RunRatings
from results.rating import cache
from results.record import RunSettings, encode_block
from results.storage.store import Store

ADAPTIVE = RunSettings(schedule="adaptive")


@pytest.fixture
def store(tmp_path):
    """Return a locked store with a finished run of 10 matches, and an unfinished one without any."""
    store = Store(tmp_path / "results")
    with store.lock():
        store.begin(a_run(settings=ADAPTIVE))
        for number in range(5):
            store.append(number, encode_block(a_block(number)))
        store.finish(1, 5)
        cache.save(store)
        store.begin(a_run(2, settings=ADAPTIVE))
        yield store


def test_the_schedule_starts_from_what_earlier_runs_say(store):
    first = cache.ratings_current(store)["stellar"].fit
    found = RunRatings(store, store.runs()[1])
    assert {"stellar": first.quadratic()} == found.before
    assert {"stellar"} == store.contents().read_cached("before", dict)["games"].keys()
    assert {} == found.tally.totals.counts


def test_a_run_that_is_not_steered_needs_nothing_of_earlier_ones(store):
    run = replace(store.runs()[1], settings=RunSettings(schedule="round-robin"))
    assert {} == RunRatings(store, run).before
    assert not store.folder.cache("before").exists()


class Aside:
    """A process that makes ratings when it is asked for them."""

    works: ClassVar[list[Aside]] = []

    def __init__(self, work, task):
        self.is_done = self.is_ended = False
        self._make = lambda: work(task)
        self.works.append(self)

    def answer(self):
        return self._make() if self.is_done else None

    def end(self):
        self.is_ended = True


@pytest.fixture
def works(monkeypatch):
    """Return the processes that rate, which are none."""
    monkeypatch.setattr(ratings, "Aside", Aside)
    Aside.works = []
    return Aside.works


def play(store, found, number):
    """Rate and store block *number* of run 2, and ask for ratings."""
    found.add(a_block(number, run=2))
    store.append(number, encode_block(a_block(number, run=2)))
    store.commit()
    found.rate_if_grown()
    found.store_rated()


def rated_to(store):
    """Return the run and the block up to which the stored ratings go."""
    origin = store.ratings()[1]  # type: ignore[index]
    return origin["run"], origin["block"]


def test_a_run_that_has_grown_by_a_tenth_is_rated_while_it_goes_on(store, works):
    found = RunRatings(store, store.runs()[1])
    found.rate_if_grown()
    assert [] == works
    play(store, found, 0)
    play(store, found, 1)
    assert 1 == len(works)
    assert (2, 0) == rated_to(store)
    works[0].is_done = True
    play(store, found, 2)
    assert (2, 3) == rated_to(store)
    assert works[0].is_ended
    assert 16 == cache.ratings_current(store)["stellar"].standings["alpha", "alpha-1"].matches


def test_ratings_are_made_before_the_end_only_in_a_fifth_of_the_time(store, works, monkeypatch):
    clock = 100.0
    monkeypatch.setattr(ratings.time, "monotonic", lambda: clock)
    found = RunRatings(store, store.runs()[1])
    begun = []
    for number in range(12):
        play(store, found, number)
        works[-1].is_done = True
        begun.append(len(works))
        clock += 1.0
    assert [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3] == begun


def test_the_end_of_a_run_does_not_wait_for_ratings_that_are_being_made(store, works):
    found = RunRatings(store, store.runs()[1])
    play(store, found, 0)
    store.finish(2, 1)
    assert 12 == found.finish()["stellar"].standings["alpha", "alpha-1"].matches
    assert works[0].is_ended
    assert (3, 0) == rated_to(store)


def test_a_run_goes_on_if_the_process_that_rates_dies(store, works, caplog):
    found = RunRatings(store, store.runs()[1])
    play(store, found, 0)

    def die():
        raise LadderError("a process died", "more memory")

    works[0].answer = die  # type: ignore[method-assign, assignment]
    for number in range(1, 9):
        play(store, found, number)
    assert 1 == len(works)
    assert "stored at the end of the run, and not before: a process died" in caplog.text


@pytest.mark.process
def test_a_process_of_its_own_makes_the_ratings(store):
    found = RunRatings(store, store.runs()[1])
    play(store, found, 0)
    deadline = time.monotonic() + 120
    while rated_to(store) == (2, 0) and time.monotonic() < deadline:
        time.sleep(0.05)
        found.store_rated()
    found.close()
    assert (2, 1) == rated_to(store)
    known = cache.ratings_current(store)["stellar"]
    store.folder.ratings.unlink()
    assert known == cache.ratings_current(store)["stellar"]
