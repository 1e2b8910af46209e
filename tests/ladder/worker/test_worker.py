"""Worker processes: what they load, where they run, that nothing of them stays."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack

import pytest
from support import ladders
from support.commands import process_group
from support.places import ROOT, TESTS
from support.seating import alive, good, hall
from support.until import until

from ladder.contest.blocks import PlannedBlock
from ladder.machine.cores import usable_cores
from ladder.referee.decisions import Decisions
from results.record import decode_block

pytestmark = pytest.mark.process

MANY = "100000"
HEAVY = {"pyarrow", "rich", "typer", "trueskill"}
only_linux = pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="cores cannot be chosen here")


def gone(mark):
    until(lambda: not ladders.processes(mark))


@pytest.fixture
def mark(tmp_path):
    """Return a word by which the bots of a test are found."""
    return f"mark-{tmp_path.name}"


def two(**more):
    return {"a": {"parallel": 2, **more}, "b": {"style": "first", **more}}


# -- what is loaded


@pytest.mark.slow
def test_workers_of_the_installed_command_load_neither_store_nor_tables_nor_command_line(tmp_path):
    home = ladders.a_home(tmp_path / "home")
    done = ladders.run_command(home.path, "--games", "20", "--seed", "1", "-j", "3", "-v")
    assert 0 == done.returncode, done.stderr
    lines = [
        line for line in done.stderr.splitlines() if "ladder.worker.main[" in line and "loaded: " in line
    ]
    assert 3 == len(lines) == len({line.partition("]")[0] for line in lines})
    for line in lines:
        loaded = set(line.partition("loaded: ")[2].split())
        assert {"ladder", "engines", "protocol", "results", "msgspec"} <= loaded
        assert set() == loaded & HEAVY


COUNT_GARBAGE = """
import gc
from support.seating import good, hall

bots = [good(name, config={"ready": {"parallel": 4}}) for name in ("a", "b")]
for in_progress in (1, 4):
    with hall(*bots, in_progress=in_progress) as play:
        play.matches(0)
        gc.collect()
        gc.disable()
        print(len(play.matches(1, 2, 3, 4)), gc.collect())
        gc.enable()
"""


def test_matches_that_are_over_leave_nothing_to_the_garbage_collector():
    environment = os.environ | {"PYTHONPATH": f"{TESTS}{os.pathsep}{ROOT}"}
    command = [sys.executable, "-c", COUNT_GARBAGE]  # threads of other tests leave garbage, too
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300, check=True)
    assert "8 0\n8 0\n" == done.stdout


# -- where they run


@only_linux
@pytest.mark.parametrize("pin", ["on", "off"])
def test_a_pinned_worker_shares_its_core_with_its_bots(tmp_path, mark, pin):
    home = ladders.a_home(tmp_path / "home", two(), mark=mark)
    run = ladders.start_run(home, matches=20)
    cores = usable_cores()
    with ladders.executing(home, run, jobs=2, pin=pin) as executor:
        for number in range(2):
            executor.submit([PlannedBlock(number, 2 * number, 0, (0, 1))])
        assert 2 == len(finished(executor, 2))
        expected = [{core} for core in cores[:2]] if pin == "on" else [set(cores)] * 2
        for i, pid in enumerate(executor.pids()):
            wanted = expected[i % len(expected)]
            bots = [bot for bot in ladders.descendants(pid) if bot in ladders.processes(mark)]
            assert 4 == len(bots)
            assert [wanted] * 5 == [os.sched_getaffinity(process) for process in (pid, *bots)]


@only_linux
def test_an_unpinned_worker_lets_its_bots_go_too(tmp_path, mark):
    home = ladders.a_home(tmp_path / "home", two(), mark=mark)
    run = ladders.start_run(home, matches=20)
    with ladders.executing(home, run, jobs=1, pin="auto") as executor:
        executor.submit([PlannedBlock(0, 0, 0, (0, 1))])
        finished(executor, 1)
        executor.unpin()
        executor.submit([PlannedBlock(1, 2, 0, (0, 1))])
        finished(executor, 1)

        def runs_anywhere():
            """Say whether all run on any core; a process that is leaving may stay where it was."""
            processes = (*executor.pids(), *ladders.processes(mark))
            with contextlib.suppress(ProcessLookupError):
                return all(set(usable_cores()) == os.sched_getaffinity(process) for process in processes)

        until(runs_anywhere)


@only_linux
def test_a_worker_with_cores_enough_spreads_its_bots_where_several_are_asked_at_once(tmp_path, monkeypatch):
    """On a machine with fewer cores the share is made up: each core may be named twice."""
    cores = usable_cores()
    share = [cores[0], cores[-1]]
    seen = []
    with hall(good("a"), good("b"), cores=2) as play:
        play._cores = share
        contest = play.contest
        asked = Decisions._ask

        def looking(decisions, match):
            asked(decisions, match)
            places = {frozenset(os.sched_getaffinity(seat.player.process.pid)) for seat in match.seats}
            seen.append((len(decisions._clocks.queued), places))

        monkeypatch.setattr(Decisions, "_ask", looking)
        play.matches(0)
        assert "stellar" == contest.game
        together = [places for asked_at_once, places in seen if asked_at_once == 2]
        assert together
        assert {frozenset(share)} == set.union(*together)
        for player in play.players:
            assert {cores[0]} == os.sched_getaffinity(player.process.pid), "and comes back to its core"


def finished(executor, count):
    """Return *count* blocks of an executor."""
    found = []
    until(lambda: found.extend(executor.results(0.1)) or len(found) >= count)
    return [decode_block(payload) for _, payload in found]


# -- what stays


def test_after_a_run_no_bot_is_left_even_one_that_ignores_bye(tmp_path, mark):
    home = ladders.a_home(tmp_path / "home", {"leaves": {}, "stays": {"stays": True}}, mark=mark)
    seen = []
    ladders.play(home, jobs=2, matches=20, report=lambda status: seen.extend(ladders.processes(mark)))
    assert len(set(seen)) >= 4
    assert [] == ladders.processes(mark)


@pytest.fixture
def running():
    """Start the command; wait until bots play."""

    def start(home):
        command = ladders.command(home.path, "--games", MANY, "--seed", "1", "-j", "2")
        streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
        process = stack.enter_context(process_group(command, **streams))
        journal = home.results / "journal"
        until(lambda: len(list(journal.glob("*.log"))) and len(ladders.workers(process.pid)) == 2)
        return process

    with ExitStack() as stack:
        yield start


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_stopped_twice_takes_its_bots_along_whatever_they_do(tmp_path, mark, number, running):
    home = ladders.a_home(tmp_path / "home", two(stays=True, sleep=0.05), mark=mark)
    process = running(home)
    until(lambda: len(ladders.processes(mark)) >= 4)
    for _ in range(2):
        process.send_signal(number)
        time.sleep(0.3)
    process.communicate(timeout=300)
    assert 128 + number == process.returncode
    gone(mark)


def test_when_all_is_killed_at_once_bots_end_with_their_stdin(tmp_path, mark, running):
    home = ladders.a_home(tmp_path / "home", two(), mark=mark)
    process = running(home)
    until(lambda: ladders.processes(mark))
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate(timeout=300)
    gone(mark)


def test_when_the_parent_is_killed_workers_and_bots_end_though_they_think_for_long(tmp_path, mark, running):
    home = ladders.a_home(tmp_path / "home", two(stays=True, sleep=600), mark=mark)
    process = running(home)
    until(lambda: len(ladders.processes(mark)) >= 4)
    workers = ladders.workers(process.pid)
    process.kill()
    process.communicate(timeout=300)
    until(lambda: not any(alive(worker) for worker in workers))
    gone(mark)


@pytest.mark.slow
def test_a_worker_that_is_asked_to_leave_takes_its_bots_along(tmp_path, mark):
    home = ladders.a_home(tmp_path / "home", two(stays=True, sleep=0.01), mark=mark)
    run = ladders.start_run(home, matches=20)
    with ladders.executing(home, run, jobs=1) as executor:
        executor.submit([PlannedBlock(0, 0, 0, (0, 1))])
        until(lambda: len(ladders.processes(mark)) >= 2)
        (worker,) = executor.pids()
        bots = [bot for bot in ladders.processes(mark) if bot in ladders.descendants(worker)]
        os.kill(worker, signal.SIGTERM)
        until(lambda: not any(alive(process) for process in (worker, *bots)))
        assert [0] == [block.number for block in finished(executor, 1)]  # by the worker after it
    gone(mark)


def test_signals_of_the_terminal_do_not_end_a_worker(tmp_path):
    home = ladders.a_home(tmp_path / "home", two())
    run = ladders.start_run(home, matches=20)
    with ladders.executing(home, run, jobs=1) as executor:
        executor.submit([PlannedBlock(0, 0, 0, (0, 1))])
        finished(executor, 1)
        before = executor.pids()
        for number in (signal.SIGINT, signal.SIGHUP):
            os.kill(before[0], number)
        executor.submit([PlannedBlock(1, 2, 0, (0, 1))])
        assert [1] == [block.number for block in finished(executor, 1)]
        assert before == executor.pids()
