"""Processes that have heard bye: beside what they leave, and who has to be made to go."""

import signal
from pathlib import Path

import pytest
from support.processes import lines, starting
from support.seating import bot, good, hall, has_ended
from support.until import until

from ladder.process.bot import BYE_SECONDS
from ladder.worker import goodbyes
from ladder.worker.goodbyes import Goodbyes
from protocol.encode import BYE

pytestmark = pytest.mark.process

DEAF = "import time; time.sleep(600)"
POLITE = "input()"
LINUX = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="what a bot uses is told by /proc alone"
)


@pytest.fixture
def start(tmp_path):
    with starting(tmp_path) as start:
        yield start


@pytest.fixture
def farewell():
    return Goodbyes()


@pytest.mark.parametrize(
    ("program", "status"),
    [
        (f"assert input() == {BYE.decode().strip()!r}; raise SystemExit(9)", 9),
        ("import sys; raise SystemExit(len(sys.stdin.read()))", len(BYE)),
        ("import sys; input(); sys.stderr.write('x' * 300_000)", 0),
    ],
    ids=["after bye", "as its stdin ends", "with last words"],
)
def test_who_hears_bye_may_exit_by_himself(program, status, start, farewell):
    process = start(program)
    farewell.add("polite", process)
    farewell.wait()
    assert status == process.exit_status()
    assert {} == farewell.overstayed


def test_who_outstays_his_welcome_is_killed_and_counted(start, farewell):
    assert 2.0 == BYE_SECONDS, "which is time enough to leave"
    ignores = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
    processes = {name: start(text) for name, text in {"a": ignores, "polite": POLITE, "b": ignores}.items()}
    for name, process in processes.items():
        farewell.add(name, process)
    farewell.wait()
    assert [-signal.SIGKILL, 0, -signal.SIGKILL] == [p.exit_status() for p in processes.values()]
    assert {"a": 1, "b": 1} == farewell.overstayed


def test_nobody_waits_for_who_is_leaving(start, farewell, monkeypatch):
    monkeypatch.setattr(goodbyes, "BYE_SECONDS", 600.0)
    process = start(DEAF)
    farewell.add("deaf", process)
    farewell.look()
    assert [process.pid] == farewell.pids()
    farewell.kill()
    assert has_ended(process.pid)
    assert not farewell


def test_children_do_not_outlive_a_process_that_left_politely(start, farewell):
    process = start("""
        import os, time
        child = os.fork()
        if not child: time.sleep(600)
        print(child, flush=True)
        input()
    """)
    child = int(lines(process, 1)[0])
    farewell.add("parent", process)
    farewell.wait()
    assert 0 == process.exit_status()
    assert has_ended(child)


def test_a_flood_of_leaving_processes_is_bounded(start, farewell, monkeypatch):
    monkeypatch.setattr(goodbyes, "BYE_SECONDS", 600.0)
    monkeypatch.setattr(goodbyes, "MOST", 2)
    processes = [start(DEAF) for _ in range(4)]
    for process in processes:
        farewell.add("deaf", process)
        farewell.look()
    assert [process.pid for process in processes[2:]] == farewell.pids()
    assert {} == farewell.overstayed, "they had no time to leave"
    assert all(has_ended(process.pid) for process in processes[:2])
    farewell.kill()


@LINUX
@pytest.mark.parametrize("who", ["itself", "its child"])
def test_who_computes_after_bye_is_killed_before_its_time_is_over(who, start, farewell, monkeypatch):
    monkeypatch.setattr(goodbyes, "BYE_SECONDS", 600.0)
    forks = "import os; child = os.fork(); child and os.wait()\n" if who == "its child" else ""
    process = start(forks + "while True: pass")
    farewell.add("spinner", process)
    until(lambda: farewell.look() or not farewell)
    assert -signal.SIGKILL == process.exit_status()
    assert {"spinner": 1} == farewell.overstayed


# --- whole matches


def test_matches_go_on_beside_processes_that_do_not_leave(monkeypatch):
    """With ten minutes for each goodbye, a match that waited for one would never be over."""
    monkeypatch.setattr(goodbyes, "BYE_SECONDS", 600.0)
    deaf = bot("ignores_sigterm_and_bye", restart="match")
    with hall(deaf, good(), in_progress=4) as play:
        matches = play.matches(0, 1, 2)
        assert {None} == {seat.fault for match in matches for seat in match.seats}
        left = [p for p in play.players if p.bot is deaf and p.process and p.process.exit_status() is None]
        assert 6 == len(left)
        play.lanes.kill()


@pytest.mark.parametrize(
    "other",
    [bot("thinks", config={"ms": 400, "steps": [1, 2]}), bot("starts_slowly", restart="match")],
    ids=["a match lasts", "others start"],
)
def test_who_is_leaving_is_seen_to_while(other, monkeypatch):
    monkeypatch.setattr(goodbyes, "BYE_SECONDS", 0.1)
    deaf = bot("ignores_sigterm_and_bye", restart="match")
    with hall(deaf, other) as play:
        play.matches(0)
        assert {deaf.id: 1} == play.lanes.leaving.overstayed, "the first during the second match"
