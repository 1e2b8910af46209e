"""Waits of the ladder's own: what came, what had its time, and what the machine has kept from it."""

import os
import time

import pytest

from ladder.process import patience
from ladder.process.patience import MOST_TIMES, Patience
from ladder.process.waits import Waits

LIMIT_S = 0.02


@pytest.fixture
def pipe():
    ends = os.pipe()
    yield ends
    for fd in ends:
        os.close(fd)


def nobody():
    return []


def wait_without_core(monkeypatch, began):
    """Let all processes seem to have waited for a core from *began* on."""
    monkeypatch.setattr(Waits, "read_us", lambda *_: (time.monotonic_ns() - began) // 1000)


def test_what_can_be_read_came_whatever_the_time(pipe, monkeypatch):
    wait_without_core(monkeypatch, time.monotonic_ns())
    os.write(pipe[1], b"x")
    assert "came" == Patience(0.0, nobody).wait(pipe[0])


def test_who_sleeps_has_had_the_time(pipe):
    waiting = Patience(LIMIT_S, nobody)
    assert "over" == waiting.wait(pipe[0])
    assert LIMIT_S <= waiting.elapsed_s


def test_who_waits_for_a_core_is_waited_for_ten_times_as_long(pipe, monkeypatch):
    wait_without_core(monkeypatch, time.monotonic_ns())
    waiting = Patience(LIMIT_S, nobody)
    assert "too late" == waiting.wait(pipe[0])
    assert MOST_TIMES * LIMIT_S <= waiting.elapsed_s


def test_cpu_time_counts_however_long_others_of_the_tree_have_waited(pipe, monkeypatch):
    began = time.monotonic_ns()
    wait_without_core(monkeypatch, began)
    monkeypatch.setattr(patience, "usable_cores", lambda: [0])
    monkeypatch.setattr(patience, "cpu_us", lambda pids: (time.monotonic_ns() - began) // 1000)
    waiting = Patience(LIMIT_S, nobody)
    assert "over" == waiting.wait(pipe[0])
    assert waiting.elapsed_s < MOST_TIMES * LIMIT_S


def test_a_machine_that_stood_still_has_taken_the_time(monkeypatch):
    class Stopped:
        """Wakes a second late, and has not waited for a core: as after a machine has slept."""

        def poll(self, timeout):
            self.times = getattr(self, "times", 0) + 1
            clock[0] += round(1e6 * timeout) + (10**9 if self.times == 1 else 0)

    clock, stopped = [0], Stopped()
    monkeypatch.setattr(time, "monotonic_ns", lambda: clock[0])
    monkeypatch.setattr(patience.select, "poll", lambda: stopped)
    monkeypatch.setattr(Waits, "read_us", lambda *_: 0)
    assert "over" == Patience(0.5, nobody).wait()
    assert 1.5 == pytest.approx(clock[0] / 1e9)


def test_a_wait_may_be_looked_after_now_and_then():
    waiting = Patience(60.0, nobody)
    assert "runs" == waiting.wait(most_s=0.001) == waiting.look()


def test_without_time_nobody_had_it(pipe):
    assert "too late" == Patience(0.0, nobody).wait(pipe[0])
