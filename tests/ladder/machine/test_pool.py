"""A pool: what it is given comes back in order, however many share it, and whoever dies is missed."""

import os
import re
import signal
import sys
import time
import weakref
from multiprocessing import Pipe

import pytest
from support.main_module import ladder_as_main

from ladder.errors import LadderError
from ladder.machine import pool as pool_module
from ladder.machine.pool import Pool, _tell

pytestmark = pytest.mark.process


@pytest.fixture(autouse=True)
def program():
    """Let processes import the ladder's main module again, not pytest's."""
    with ladder_as_main():
        yield


def test_news_for_a_program_that_has_ended_are_no_error():
    here, there = Pipe()
    there.close()
    _tell(here, "half done", False)
    here.close()


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


class Unmade:
    """Is pickled, and cannot be made again: what a compiled class is whose __init__ needs something."""

    def __init__(self, needed=None):
        if needed is None:
            raise TypeError("missing required argument 'needed'")

    def __reduce__(self):
        return Unmade, ()


def no_answer(number):
    return lambda: number


def left(number):
    sys.exit(3)


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


def end_in_a_callback(_):
    os.kill(os.getpid(), signal.SIGTERM)


class Loaded:
    """Sends SIGTERM to the process that loads it, inside a callback whose exceptions Python ignores."""

    def __reduce__(self):
        return Loaded._load, ()

    @staticmethod
    def _load():
        kept = weakref.ref(Loaded(), end_in_a_callback)  # the object is gone at once
        assert kept() is None
        return Loaded()


def test_a_process_that_is_ended_while_it_loads_a_task_says_nothing(capfd):
    with pytest.raises(LadderError, match=r"SIGTERM"), Pool(2) as pool:
        list(pool.each(str, [Loaded()] * 3))
    assert "" == capfd.readouterr().err


DETAILS = r"; the details are in \S+"


@pytest.mark.parametrize(
    ("work", "tasks", "said", "hint"),
    [
        (killed, range(9), r"died: killed by signal 9 \(SIGKILL\)$", "`dmesg` shows if memory ran out; "),
        (left, range(9), "died: exit status 3$", "run the same command again"),
        (exploded, range(9), "failed: RuntimeError: boom" + DETAILS, "send that file"),
        (refused, range(9), "not so", "but so"),
        (
            much,
            [Unmade(1)] * 3,
            "failed: TypeError: missing required argument 'needed'" + DETAILS,
            "send that file",
        ),
        (no_answer, [1, 2, 3], "failed: .*(pickle|local object).*" + DETAILS, "send that file"),
    ],
    ids=["is killed", "exits", "raises", "is refused", "cannot be loaded", "has no answer"],
)
def test_a_task_that_fails_says_why_in_one_line(work, tasks, said, hint, monkeypatch, tmp_path, capfd):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with pytest.raises(LadderError, match=said) as error, Pool(2) as pool:
        list(pool.each(work, tasks))
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


# -- tasks that are yielded as they are done


def square(number, tell):
    return number * number


def square_once_released(task, tell):
    """Return the square of a number; the first one waits for a file."""
    number, release = task
    tell(f"{number} begins", False)
    while number == 0 and not release.exists():
        time.sleep(0.01)
    return number * number


def dies_at_two(number, tell):
    return killed(number)


def refused_at_two(number, tell):
    return refused(number) if number == 2 else number


def from_list(numbers):
    """Return what gives one of *numbers* after the other, and then None."""
    left = iter(numbers)
    return lambda: next(left, None)


def test_a_task_comes_when_it_is_done_and_what_it_tells_is_heard(tmp_path):
    heard, done, release = [], [], tmp_path / "release"
    tasks = from_list([(number, release) for number in range(4)])
    with Pool(2) as pool:
        for (number, _), result in pool.as_done(
            square_once_released, tasks, lambda task, text: heard.append((task[0], text))
        ):
            done.append((number, result))
            if len(done) == 3:
                release.touch()
    assert [(1, 1), (2, 4), (3, 9), (0, 0)] == done
    assert {(number, f"{number} begins") for number in range(4)} == set(heard)


def waits_for_all(task, tell):
    """Say that it waits, until as many tasks as asked for are in progress; return how many there were."""
    folder, number, wanted = task
    (folder / f"{number}").touch()
    tell("waits", wanted > 1)
    deadline = time.monotonic() + 300
    while len(list(folder.iterdir())) < wanted and time.monotonic() < deadline:
        time.sleep(0.01)
    return len(list(folder.iterdir()))


def test_beside_tasks_that_wait_others_begin_up_to_the_most(tmp_path):
    left = [(tmp_path, number, 4) for number in range(4)]
    with Pool(1, 4) as pool:
        found = [most for _, most in pool.as_done(waits_for_all, from_list(left), lambda *news: None)]
    assert [4, 4, 4, 4] == found


@pytest.mark.parametrize(("waits", "free"), [(1, 1 << 40), (4, 1 << 20)])
def test_beside_tasks_that_compute_or_where_memory_is_scarce_no_other_begins(
    tmp_path, waits, free, monkeypatch
):
    monkeypatch.setattr(pool_module, "available_bytes", lambda: free)
    room = Pool(1, 4)
    pipe = object()
    assert room._has_room({}, ())
    assert (waits > 1 and free > 1 << 30) == room._has_room({pipe: None}, [pipe] if waits > 1 else [])


def test_no_more_tasks_are_begun_than_there_are_processes_and_may_begin_now():
    running, most = set(), []
    left = list(range(6))

    def next_task():
        if len(running) == 2 or not left:
            return None
        running.add(left[0])
        most.append(len(running))
        return left.pop(0)

    with Pool(4) as pool:
        for number, _ in pool.as_done(square, next_task, lambda *news: None):
            running.remove(number)
    assert ([], 2) == (left, max(most))


@pytest.mark.parametrize(
    ("work", "said"), [(dies_at_two, r"died: killed by signal 9 \(SIGKILL\)"), (refused_at_two, "not so")]
)
def test_a_task_that_fails_is_yielded_with_its_error_and_the_others_are_done(work, said):
    with Pool(2) as pool:
        done = dict(pool.as_done(work, from_list(range(6)), lambda *news: None))
    assert isinstance(error := done.pop(2), LadderError)
    assert re.search(said, str(error))
    assert {number: number for number in (0, 1, 3, 4, 5)} == done
