"""What may befall a run and its disk: nothing that was committed is lost, nothing is there twice."""

import contextlib
import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections import Counter
from random import Random

import pytest
from support import killed_runs, ladders, store_life
from support.command_line import ENVIRONMENT
from support.commands import kill_group, process_group
from support.disks import NoSyncDisk
from support.full import FULL, every, gate_or_full
from support.ladders import journalled, wait_until
from support.need import need_program
from support.places import with_support
from support.store_victim import LAST

from ladder.process.tiers import choose
from results.storage.store import Store

pytestmark = pytest.mark.slow

MATCHES = 60
RUN = ("--games", str(MATCHES), "--seed", "1", "-j", "2")


# -- by strace: at each call of the system

MANY = ("fsync", "write")
"""The calls that a store makes often.  The gate strikes at every third, and test_power.py and test_store.py
at all, without processes; LADDER_FULL=1 lets this strike at all, too."""


def traced(folder, *blows):
    """Let the victim live under strace, which strikes as *blows* (call, how) say; return how each ended."""
    calls = {
        "fsync": "fsync",
        "write": "write",
        "rename": "?rename,?renameat,?renameat2",
        "link": "?link,?linkat",
        "unlink": "?unlink,?unlinkat",
    }
    names = ",".join(calls[call] for call, _ in blows)
    inject = [f"-einject={calls[call]}:{how}:when={LAST}" for call, how in blows]
    strace = [need_program("strace"), "-f", "-qq", "-o", os.devnull, f"-etrace={names}", *inject]
    try:
        subprocess.run([*strace, "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"strace cannot be used here: {error}")
    program = [sys.executable, "-m", "support.store_victim", str(folder)]
    program += [f"{call}/{every(3) if call in MANY else 1}" for call, _ in blows]
    subprocess.run([*strace, *program], check=True, env=with_support())
    return {path.stem: int(path.read_text()) for path in folder.glob("*.status")}


def check_store(folder, name, undisturbed):
    """Assert that what a process was told is there, and that another one comes to the same end."""
    store = Store(folder / name / "results", NoSyncDisk())
    told = {tuple(json.loads(line)) for line in (folder / f"{name}.told").read_text().splitlines()}
    with store.lock():
        assert told <= store_life.facts(store)
    store_life.play(store, set())
    assert undisturbed.matches().equals(store.matches())
    assert undisturbed.contents().faults().equals(store.contents().faults())


@pytest.fixture
def undisturbed_store(tmp_path):
    store = Store(tmp_path / "undisturbed", NoSyncDisk())
    store_life.play(store, set())
    return store


@pytest.mark.tools
def test_a_process_killed_at_any_call_that_changes_the_disk_loses_nothing(tmp_path, undisturbed_store):
    calls = ("fsync", "write", "rename", "link", "unlink")
    ends = traced(tmp_path, *((call, "signal=KILL") for call in calls))
    assert Counter({-signal.SIGKILL: len(ends) - 5, 0: 5}) == Counter(ends.values())
    assert len(ends) > (60 if FULL else 30)
    for name in ends:
        check_store(tmp_path, name, undisturbed_store)


@pytest.mark.tools
def test_an_fsync_that_fails_and_a_write_without_room_end_the_run_with_a_hint(tmp_path, undisturbed_store):
    ends = traced(tmp_path, ("fsync", "error=EIO"), ("write", "error=ENOSPC"))
    assert Counter({1: len(ends) - 2, 0: 2}) == Counter(ends.values())
    assert len(ends) > (50 if FULL else 16)
    for name, code in ends.items():
        check_store(tmp_path, name, undisturbed_store)
        if code:
            said = (tmp_path / f"{name}.err").read_text()
            assert f"could not write to {tmp_path / name / 'results'}: " in said
            assert ("Input/output error" if name.startswith("fsync") else "No space left on device") in said
            assert "next: check the disk, then run the same command again" in said


# -- whole runs


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """Return rows and ratings of the run that all tests disturb."""
    home = ladders.a_home(tmp_path_factory.mktemp("undisturbed") / "home")
    ladders.play(home, matches=MATCHES)
    return ladders.rows(home.path), ladders.ratings(home.path)


def check_run(home, undisturbed, *arguments):
    """Assert that the same command, or *arguments*, comes to the same end."""
    done = ladders.run_command(home.path, *(arguments or RUN))
    assert 0 == done.returncode, done.stderr
    assert undisturbed == (ladders.rows(home.path), ladders.ratings(home.path))


@pytest.mark.parametrize(
    "arguments", [("-j", "1", "--in-progress", "1"), ("-j", "2", "--in-progress", "8")], ids=" ".join
)
def test_whatever_is_killed_however_often_the_run_ends_as_an_undisturbed_one(
    home, tmp_path, begun, arguments
):
    undisturbed = ladders.a_home(tmp_path / "undisturbed")
    ladders.play(undisturbed, matches=300, seed=7)
    command, rng = ("--games", "300", "--seed", "7", *arguments), Random(time.time_ns())
    for crash in range(gate_or_full(3, 5)):
        process = begun(home, *command)
        enough = journalled(home) + rng.randint(0, 100_000)
        wait_until(lambda enough=enough: journalled(home) >= enough, process)
        time.sleep(rng.uniform(0, 0.02))
        workers = ladders.workers(process.pid)
        victims = ([process.pid, *ladders.descendants(process.pid)], [process.pid], workers)[crash % 3]
        ladders.signal_all(victims, signal.SIGKILL)
        if victims == workers:  # the run goes on with others
            time.sleep(0.2)
            process.kill()
        process.communicate(timeout=300)
    assert Store(home.results).unfinished_run()
    check_run(home, (ladders.rows(undisturbed.path), ladders.ratings(undisturbed.path)), *command)


def test_whoever_is_killed_at_whatever_instant_no_process_is_left():
    kills = killed_runs.kills(gate_or_full(3, 100), choose("auto").tier, Random())
    assert [] == [kill for kill in kills if kill.left]


def test_a_runner_that_was_stopped_for_longer_than_a_clock_blames_nobody():
    assert [] == killed_runs.faults_after_stops(choose("auto").tier)


def test_of_four_runners_at_once_one_plays_and_the_others_are_told_who(home, undisturbed, begun):
    runners = [begun(home, *RUN) for _ in range(4)]
    said = {runner.pid: runner.communicate(timeout=300)[1] for runner in runners}
    (winner,) = [runner.pid for runner in runners if runner.returncode == 0]
    for runner in runners:
        if runner.pid != winner:
            assert 7 == runner.returncode
            assert f"process {winner} is using " in said[runner.pid]
            assert f"kill {winner}" in said[runner.pid]
    assert undisturbed == (ladders.rows(home.path), ladders.ratings(home.path))


@contextlib.contextmanager
def mounted(folder, options):
    """Have a small disk of its own at *folder*."""
    folder.mkdir(exist_ok=True)
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", str(folder)], capture_output=True)
    if done.returncode:
        pytest.skip(f"a disk cannot be mounted here: {done.stderr.decode().strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def remount(folder, options):
    subprocess.run(["mount", "-o", f"remount,{options}", str(folder)], check=True)


@pytest.mark.tools
def test_a_full_disk_ends_the_run_which_goes_on_when_there_is_room(home, undisturbed):
    with mounted(home.results, "size=64k"):
        done = ladders.run_command(home.path, *RUN)
        assert 1 == done.returncode
        assert "No space left on device; what was committed is safe\n  next: check the disk" in done.stderr
        assert 0 < len(Store(home.results).contents().committed_blocks(1)) < MATCHES / 2
        remount(home.results, "size=4m")
        check_run(home, undisturbed)


@pytest.mark.tools
def test_on_a_read_only_disk_no_match_is_played(home, undisturbed):
    with mounted(home.results, "size=4m"):
        ladders.start_run(home, MATCHES)
        remount(home.results, "ro")
        done = ladders.run_command(home.path, *RUN)
        assert 1 == done.returncode
        assert "Read-only file system" in done.stderr
        assert "of 60 matches" not in done.stderr
        remount(home.results, "rw")
        check_run(home, undisturbed)


CLOCK = """\
import itertools, time

real, days = time.time_ns, itertools.cycle((0, 1, -2, 3, -1))
time.time_ns = lambda: real() + next(days) * 86_400_000_000_000
time.time = lambda: time.time_ns() / 1e9
"""


def test_a_clock_that_is_set_back_and_forward_changes_no_match_and_no_order(home, undisturbed, monkeypatch):
    """A day or more at every look, in the runner and in its workers."""
    (home.path.parent / "sitecustomize.py").write_text(CLOCK)
    monkeypatch.setenv("PYTHONPATH", str(home.path.parent))
    check_run(home, undisturbed)
    store = Store(home.results)
    started = store.matches(["started"]).column("started").to_pylist()
    assert sorted(started) != started  # the clock did jump
    assert not len(store.contents().faults())
    (run,) = store.runs()
    assert run.started <= run.finished


@pytest.mark.parametrize("megabytes", [80, 200])
def test_a_runner_without_memory_is_as_good_as_killed(home, undisturbed, megabytes):
    """Wherever it ends, by abort() or at the end of the run; but not by calling the results damaged."""
    ladders.start_run(home, MATCHES)
    size = megabytes << 20
    program = ladders.command(home.path, *RUN)
    limited = ["/bin/sh", "-c", f"ulimit -d {size >> 10}; exec " + " ".join(program)]
    done = subprocess.run(limited, capture_output=True, text=True)
    assert 4 != done.returncode, done.stderr
    (run,) = Store(home.results).runs()
    if not run.finished:
        check_run(home, undisturbed)
    assert undisturbed[0] == ladders.rows(home.path)


# -- signals


def test_a_run_that_was_told_to_ignore_hangups_goes_on(home, undisturbed, begun):
    """As nohup starts it."""
    process = begun(home, *RUN, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    wait_until(lambda: journalled(home) > 20_000, process)
    process.send_signal(signal.SIGHUP)
    _, said = process.communicate(timeout=300)
    assert 0 == process.returncode, said
    assert undisturbed == (ladders.rows(home.path), ladders.ratings(home.path))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_first_run_that_is_ended_before_it_plays_leaves_nothing_half_made(tmp_path, number):
    command = [sys.executable, "-m", "ladder", "run", "--games", "4"]
    with process_group(command, cwd=tmp_path, env=ENVIRONMENT, stderr=subprocess.PIPE, text=True) as process:
        wait_until(lambda: list(tmp_path.glob("ladder-home/bots/.staging-*")), process)
        process.send_signal(number)
        said = process.stderr.read()
    assert 143 == process.returncode
    assert "ladder: stopped\n  next: run the same command again" in said
    assert [] == list(tmp_path.iterdir())


# -- nobody reads


@pytest.mark.tools
@pytest.mark.parametrize(
    "line",
    [
        "RUN | head -1; exit ${PIPESTATUS[0]}",
        "RUN 2>&1 >/dev/null | head -1; exit ${PIPESTATUS[0]}",
        "RUN >&-",
        "RUN 2>&-",
        "RUN <&- >&- 2>&-",
    ],
)
def test_a_run_goes_on_though_nobody_reads_what_it_says(home, undisturbed, line):
    shell = [need_program("bash"), "-c", line.replace("RUN", " ".join(ladders.command(home.path, *RUN)))]
    done = subprocess.run(shell, capture_output=True, text=True)
    assert 0 == done.returncode, done.stderr
    assert undisturbed == (ladders.rows(home.path), ladders.ratings(home.path))
    assert "Traceback" not in done.stderr


def test_a_terminal_that_is_closed_stops_the_run_which_can_be_continued(home):
    """SIGHUP, and every word from then on an error."""
    pid, terminal = pty.fork()
    if not pid:
        os.execv(sys.executable, [sys.executable, *ladders.command(home.path, "--games", "90000", "-j", "2")])
    try:
        deadline = time.monotonic() + 60
        while journalled(home) < 20_000:
            assert time.monotonic() < deadline
            if select.select([terminal], [], [], 0.01)[0]:
                os.read(terminal, 65_536)
        os.close(terminal)
        assert 143 == os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    finally:
        kill_group(pid)
    store = Store(home.results)
    assert store.unfinished_run()
    assert len(store.contents().committed_blocks(1)) > 2
