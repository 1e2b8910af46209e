"""Practice matches: one after another, or side by side while bots wait."""

import threading
from types import SimpleNamespace

import pytest
from support.until import until

from ladder.worker import side_by_side
from ladder.worker.side_by_side import SideBySide


class Tables:
    """How many tables there may be: as many as a test says."""

    def __init__(self, worker):
        self.now, self.waits, self.is_due = worker.tables, 0.95 if worker.tables > 1 else 0.5, True

    def look(self, playing):
        """Leave the number as it is."""


class Played:
    """Tasks that end when a test lets them, and what was told of them."""

    def __init__(self, tables, tasks=4, fails=()):
        self.began, self.told = [], []
        self.go = {number: threading.Event() for number in range(tasks)}
        self.fails = fails
        worker = SimpleNamespace(tables=tables, watch_tables=lambda: None)
        works = {number: lambda number=number: self.play(number) for number in range(tasks)}
        self.tasks = SideBySide(worker, works, lambda *told: self.told.append(told))

    def play(self, number):
        """Be in progress until the test lets it end."""
        self.began.append(number)
        assert self.go[number].wait(300)
        if number in self.fails:
            raise ValueError(f"{number} has failed")
        return f"result {number}"

    def let(self, *numbers):
        """Let tasks end."""
        for number in numbers:
            self.go[number].set()


@pytest.fixture(autouse=True)
def _tables(monkeypatch):
    monkeypatch.setattr(side_by_side, "TableCount", Tables)
    monkeypatch.setattr(side_by_side, "LOOK_SECONDS", 0.005)


def test_tasks_of_bots_that_compute_begin_one_after_another_when_they_are_asked_for():
    played = Played(tables=1)
    played.let(0, 1, 2, 3)
    with played.tasks as tasks:
        for number in range(4):
            assert f"result {number}" == tasks.result(number)
            assert [*range(number + 1)] == played.began
    assert not any(waits for _, waits in played.told)


def test_tasks_of_bots_that_wait_are_in_progress_side_by_side_and_results_come_in_order():
    played = Played(tables=3)
    threading.Timer(0.0, lambda: (until(lambda: (3, True) in played.told), played.let(2, 1, 0, 3))).start()
    with played.tasks as tasks:
        assert [f"result {number}" for number in range(4)] == [tasks.result(number) for number in range(4)]
    assert [0, 1, 2, 3] == sorted(played.began)
    assert 3 not in played.began[:3], "there were three tables"
    assert (3, True) in played.told
    assert (0, False) == played.told[-1]


def test_a_task_that_is_dropped_does_not_begin():
    played = Played(tables=2)
    played.let(0, 1, 2, 3)
    with played.tasks as tasks:
        tasks.drop([1, 2])
        assert "result 0" == tasks.result(0)
        assert "result 3" == tasks.result(3)
    assert [0, 3] == sorted(played.began)


def test_what_a_task_raises_is_raised_by_its_result_and_what_is_in_progress_ends_first():
    played = Played(tables=2, fails=[0])
    played.let(0)
    threading.Timer(0.02, played.let, [1, 2]).start()

    def play():
        with played.tasks as tasks:
            tasks.result(0)

    with pytest.raises(ValueError, match="0 has failed"):
        play()
    assert not played.tasks._threads
    assert sorted(played.began) == sorted(played.tasks._done)
    assert "result 1" == played.tasks.result(1)


def test_a_process_that_is_to_end_does_not_wait_for_what_is_in_progress():
    played = Played(tables=1)

    def play():
        with played.tasks as tasks:
            tasks._begin_next(0)
            raise SystemExit(143)

    with pytest.raises(SystemExit):
        play()
    assert [0] == played.began
    assert {} == played.tasks._done
    played.let(0)
