"""What the parent of a cluster does with chunks that are alone, are charged, or come back unplayed."""

from __future__ import annotations

from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
from support.clusters import need_dask
from support.need import need

from ladder.contest.blocks import PlannedBlock
from ladder.errors import LadderError
from ladder.referee.lapses import Count
from ladder.run.executors.base import QUEUED, FinishedBlock
from ladder.worker.worker_messages import Chunk, Unplayed

pytestmark = pytest.mark.tools
LAPSED = {"b@1": Count(stray=2)}
LATE = Unplayed(1, "b@1: no ready; but it waited", ("b@1",), in_time=True)


class Task:
    """A task of a scripted scheduler."""

    status = "pending"

    def __init__(self, key, chunk, lapses):
        self.key = key
        self.chunk = chunk
        self.lapses = lapses
        self.value: Any = None

    def add_done_callback(self, landed):
        self.land = lambda: landed(self)

    def exception(self):
        return self.value

    def end(self, status, value=None):
        self.status, self.value = status, value
        self.land()


class Scheduler:
    """Stands for the client of a scheduler: a test ends its tasks."""

    def __init__(self):
        self.tasks: list[Task] = []

    def submit(self, play, name, task, chunk, lapses, **_):
        self.tasks.append(Task(task, chunk, lapses))
        return self.tasks[-1]

    def nthreads(self):
        return {"tcp://nowhere:2": 1}

    def gather(self, tasks, errors):
        return [task.value for task in tasks]


@pytest.fixture
def scheduler():
    return Scheduler()


@pytest.fixture
def executor(scheduler, monkeypatch):
    need_dask(monkeypatch)
    cluster = need("ladder.run.executors.cluster")
    bots = (SimpleNamespace(id="a@1"), SimpleNamespace(id="b@1"))
    return cluster.ClusterExecutor(bots, cluster.Cluster("tcp://nowhere:1", scheduler, ""), "run", None)


def blocks(*numbers):
    return tuple(PlannedBlock(number, 2 * number, 0, (0, 1)) for number in numbers)


def report(task, *played):
    return need("ladder.run.executors.cluster_worker").ChunkReport(task.key, "tcp://nowhere:2", list(played))


def test_a_chunk_says_whether_it_is_alone_who_is_charged_and_who_has_lapsed(executor, scheduler):
    executor.submit(blocks(0))
    executor.tell(LAPSED)
    executor.submit(blocks(1), alone=True, charge="b@1")
    assert [Chunk(blocks(0)), Chunk(blocks(1), alone=True, charge="b@1")] == [
        task.chunk for task in scheduler.tasks
    ]
    assert [{}, LAPSED] == [task.lapses for task in scheduler.tasks]


def test_a_block_that_comes_back_unplayed_is_told_and_not_sent_again(executor, scheduler):
    executor.submit(blocks(0, 1))
    (task,) = scheduler.tasks
    played = FinishedBlock(0, b"")
    task.end("finished", report(task, played, LATE))
    assert [played, LATE] == executor.results(0)
    assert [task] == scheduler.tasks


@pytest.mark.parametrize(
    ("status", "left"), [("finished", (1, 2)), ("lost", (0, 1, 2))], ids=["the worker left", "it was lost"]
)
def test_what_a_worker_leaves_is_sent_again_on_the_same_terms(executor, scheduler, status, left):
    executor.submit(blocks(0, 1, 2), alone=True, charge="b@1")
    (task,) = scheduler.tasks
    task.end(status, report(task, FinishedBlock(0, b"")))
    executor.results(0)
    assert [Chunk(blocks(*left), alone=True, charge="b@1")] == [again.chunk for again in scheduler.tasks[1:]]


def test_blocks_whose_workers_died_are_sent_one_by_one_on_the_same_terms_and_then_named(executor, scheduler):
    executor.submit(blocks(0, 1), alone=True, charge="b@1")
    scheduler.tasks[0].end("error", need("distributed").KilledWorker("task", None, 3))
    assert [] == executor.results(0)
    assert [Chunk(blocks(number), alone=True, charge="b@1") for number in (0, 1)] == [
        again.chunk for again in scheduler.tasks[1:]
    ]
    scheduler.tasks[2].end("error", need("distributed").KilledWorker("task", None, 0))
    assert [] == executor.results(0)
    with pytest.raises(LadderError, match="1 worker died while playing block 1; at its table: a@1, b@1"):
        executor.results(0)


def test_a_worker_plays_a_chunk_on_its_terms_and_hands_back_what_is_unplayed(monkeypatch):
    need_dask(monkeypatch)
    plugin = need("ladder.run.executors.cluster_worker").RunPlugin("run", "lease", "none", b"")
    plugin._stopping = plugin._over = False
    plugin.stop(hurry=True)
    plugin._worker = SimpleNamespace(address="tcp://nowhere:2", state=SimpleNamespace(nthreads=1))
    plugin._log = SimpleNamespace(take=list)
    local = Mock(**{"results.return_value": [LATE], "room.return_value": QUEUED})
    plugin._executor = lambda: nullcontext(local)
    report = plugin.play("task", Chunk(blocks(1), alone=True, charge="b@1"), LAPSED)
    local.tell.assert_called_once_with(LAPSED)
    local.submit.assert_called_once_with(blocks(1), alone=True, charge="b@1")
    local.hurry.assert_called_once_with()
    assert [LATE] == report.played
