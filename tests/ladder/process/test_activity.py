"""Whether a bot has run since it was measured: what its clocks tell, and what has to be read all the same."""

import subprocess
import sys
import time

import pytest

from ladder.process import waits
from ladder.process.waits import Activity

SLEEPER = "import sys; sys.stdin.readline(); sum(range(10**6)); print(flush=True); sys.stdin.readline()"


@pytest.fixture
def sleeper():
    with subprocess.Popen(
        [sys.executable, "-c", SLEEPER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        before = None
        while before != (before := waits.read_clocks([process.pid])):
            time.sleep(0.2)  # until it waits for its line
        yield process
        process.kill()


@pytest.mark.process
@pytest.mark.skipif(sys.platform != "linux", reason="CPU clocks of other processes are Linux's")
def test_a_process_that_sleeps_has_not_run_and_one_that_was_asked_has(sleeper):
    known = Activity()
    assert known.has_run, "nothing is known yet"
    assert [sleeper.pid] == known.note(lambda: [sleeper.pid])
    assert known.has_run, "a new process may have started others while it was listed"
    known.note(lambda: [sleeper.pid])
    assert not known.has_run
    sleeper.stdin.write("\n")
    sleeper.stdin.flush()
    sleeper.stdout.readline()
    assert known.has_run


@pytest.mark.process
@pytest.mark.skipif(sys.platform != "linux", reason="CPU clocks of other processes are Linux's")
def test_a_process_that_has_ended_counts_as_having_run(sleeper):
    known = Activity()
    for _ in range(2):
        known.note(lambda: [sleeper.pid])
    sleeper.kill()
    sleeper.wait()
    assert known.has_run
    known.note(lambda: [sleeper.pid])
    assert known.has_run


@pytest.mark.parametrize("pids", [[1], [1, 2, 3]])
def test_processes_that_came_or_went_are_measured_twice(monkeypatch, pids):
    monkeypatch.setattr("time.clock_gettime_ns", lambda clock: 5)
    known = Activity()
    for _ in range(2):
        known.note(lambda: [1, 2])
    assert not known.has_run
    known.note(lambda: pids)
    assert known.has_run
    known.note(lambda: pids)
    assert not known.has_run


def test_where_no_clock_can_be_read_everything_counts_as_having_run(monkeypatch):
    def fail(clock):
        raise OSError

    monkeypatch.setattr("time.clock_gettime_ns", fail)
    known = Activity()
    for _ in range(3):
        known.note(lambda: [1])
        assert known.has_run
