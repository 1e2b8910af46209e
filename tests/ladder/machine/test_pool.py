"""A pool: what it is given comes back in order, however many share it, and whoever dies is missed."""

from __future__ import annotations

import os
import signal
import sys
import time
from unittest import mock

import pytest

import ladder.__main__
from ladder.errors import LadderError
from ladder.machine.pool import Pool


@pytest.fixture(autouse=True)
def program():
    """Let processes import the ladder's main module again, not pytest's."""
    with mock.patch.dict(sys.modules, {"__main__": ladder.__main__}):
        yield


def squared(number):
    time.sleep(0.02 * (number % 3))
    return number * number, os.getpid()


def killed(number):
    if number == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def exploded(number):
    raise RuntimeError("boom")


def refused(number):
    raise LadderError("not so", "but so")


def much(number):
    return bytes(number)


@pytest.mark.parametrize(("jobs", "others"), [(1, 0), (2, 2), (3, 3)])
def test_what_is_shared_comes_back_in_order_and_one_job_is_this_process(jobs, others):
    with Pool(jobs) as pool:
        for _ in range(2):
            done = list(pool.each(squared, range(10)))
            assert [(number, number * number) for number in range(10)] == [(n, s) for n, (s, _) in done]
            assert others == len({pid for _, (_, pid) in done} - {os.getpid()})


def test_fewer_tasks_than_processes_and_none_are_done_too():
    with Pool(3) as pool:
        assert [(5, b"\0" * 5)] == list(pool.each(much, [5]))
        assert [] == list(pool.each(much, []))


@pytest.mark.parametrize(("jobs", "ahead"), [(1, 1), (2, 3)])
def test_no_more_is_taken_than_is_in_hand_and_one(jobs, ahead):
    taken = []
    with Pool(jobs) as pool:
        for number, _ in pool.each(much, (taken.append(n) or n for n in range(9))):
            assert len(taken) <= number + ahead


def test_tasks_and_answers_may_be_larger_than_a_pipe():
    size = 3_000_000
    with Pool(2) as pool:
        assert [size] * 4 == [len(answer) for _, answer in pool.each(bytes, [bytes(size)] * 4)]


def test_a_process_that_dies_ends_the_work():
    done = []
    with pytest.raises(LadderError, match=r"\(exit status -9\)") as error, Pool(2) as pool:  # noqa: PT012
        for number, _ in pool.each(killed, range(9)):
            done.append(number)
    assert [0, 1][: len(done)] == done
    assert "--jobs" in error.value.hint


@pytest.mark.parametrize(
    ("work", "said", "hint"),
    [
        (exploded, r"failed: RuntimeError: boom; the details are in \S+", "report"),
        (refused, "not so", "but so"),
    ],
)
def test_a_task_that_fails_says_why_in_one_line(work, said, hint, monkeypatch, tmp_path, capfd):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with pytest.raises(LadderError, match=said) as error, Pool(2) as pool:
        list(pool.each(work, range(9)))
    assert error.value.hint.startswith(hint)
    assert "" == capfd.readouterr().err


def test_nobody_is_left_when_it_ends():
    with Pool(2) as pool:
        next(pool.each(squared, range(9)))
        processes = [member.process for member in pool._members]
        pids = [process.pid for process in processes]
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
