"""A run over a Dask cluster ends as it does on one machine, whatever happens to workers, parent or scheduler.

The cluster is real: a scheduler and two `ladder worker` on the loopback device, shared by the tests, and a
new pair of workers where a test has killed one.
"""

import contextlib
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from msgspec.structs import replace
from support import ladders
from support.clusters import ASKED, MARK, Cluster, a_home, family, need_dask, result
from support.command_line import run_apart, run_here
from support.commands import process_group
from support.documents import commands
from support.need import need
from support.seating import alive
from support.until import until

from ladder.contest.blocks import PlannedBlock
from ladder.errors import LadderError, RunStopped
from ladder.registry.transfer import pack
from ladder.run.coordinator import Coordinator
from ladder.run.setup import setup_of
from ladder.run.status import Stop
from results.storage.store import Store

pytestmark = [pytest.mark.slow, pytest.mark.tools]


@pytest.fixture(autouse=True)
def distributed(monkeypatch):
    return need_dask(monkeypatch)


def on_cluster(where, setup):
    return need("ladder.run.executors.cluster").on_cluster(where, setup)


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    yield cluster
    cluster.stop()
    assert "Traceback" not in (cluster.folder / "log").read_text()
    assert [] == list(cluster.folder.glob("dask-scratch-space/worker-*/ladder-*"))


@pytest.fixture
def cluster(shared):
    """Return a cluster of two workers."""
    shared.start()
    return shared


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """Return a home in which a run was played on one machine."""
    home = a_home(tmp_path_factory.mktemp("alone"))
    ladders.play(home, **ASKED)
    return home


@pytest.fixture
def home(tmp_path):
    """Return a home with the same bots."""
    return a_home(tmp_path)


def play(cluster, home, report=lambda status: None, stop=None, **asked):
    """Play the run of *home* on *cluster*, as `ladder run --on` does."""
    run = ladders.start_run(home, **(asked or ASKED))
    setup = setup_of(home, run, 32)
    with Store(home.results).lock() as store, on_cluster(cluster.address, setup) as executor:
        running = Coordinator.resume(store, run, setup, report)
        running.play(executor, stop or Stop())


def at(done, what):
    """Return a report that does *what* once *done* matches are rated."""
    waiting = [what]

    def report(status):
        if waiting and status.done >= done:
            waiting.pop()()

    return report


# -- the same result


def test_a_worker_killed_in_mid_run_takes_no_match_along_and_no_bot_stays(cluster, home, alone):
    lost = []
    play(cluster, home, at(10, lambda: (lost.extend(cluster.kill(0)), cluster.start())))
    assert result(alone) == result(home)
    assert len(lost) > 3
    until(lambda: not any(map(alive, lost)))
    assert [] == ladders.processes(MARK)


def test_a_result_that_dies_with_its_worker_is_played_again(cluster, home, alone, monkeypatch, distributed):
    lost, gather_now = [], distributed.Client.gather

    def gather(client, futures, **options):
        if not lost:  # the result is there, and still with the worker
            lost.extend([*cluster.kill(1), *cluster.kill(0)])
            cluster.start()
            until(lambda: client.nthreads())
        return gather_now(client, futures, **options)

    monkeypatch.setattr(distributed.Client, "gather", gather)
    play(cluster, home)
    assert result(alone) == result(home)
    assert lost


def test_a_worker_that_is_told_to_leave_hands_back_what_it_has_not_played(cluster, home, alone):
    play(cluster, home, at(10, lambda: (cluster.dismiss(), cluster.start())))
    assert result(alone) == result(home)


def test_a_run_that_is_stopped_commits_what_is_in_hand_and_goes_on_anywhere(cluster, home, alone):
    stop = Stop()
    with pytest.raises(RunStopped, match=r"stopped: [0-9]+ matches of run 1 are kept"):
        play(cluster, home, at(10, lambda: setattr(stop, "asked", 1)), stop)
    kept = len(Store(home.results).matches(run=1))
    assert 10 <= kept < ASKED["matches"]
    ladders.play(home, **ASKED)
    assert result(alone) == result(home)


def test_a_worker_of_another_machine_type_builds_for_itself(cluster, home, alone, monkeypatch):
    (folder,) = (home.path / "bots/built").glob("*/files")
    (folder / "go").write_text("#!/bin/sh\nexit 1\n")  # of no use on that machine
    for module in ("ladder.run.who_plays", "ladder.run.setup"):
        monkeypatch.setattr(f"{module}.check_files", lambda *_: [])
    monkeypatch.setattr("ladder.run.executors.cluster.machine_type", lambda: "Plan 9")
    play(cluster, home)
    assert result(alone) == result(home)


def test_bots_keep_their_processes_from_chunk_to_chunk(cluster, home):
    with executing(cluster.address, home) as executor:
        seen = []
        for number in range(8):
            executor.submit([block(number)])
            assert [number] == [played.number for played in finished(executor, 1)]
            seen.append(set(ladders.processes(MARK)))
    assert seen[0]
    assert seen[3] <= seen[7] or seen[4] <= seen[7]  # two workers have them all by then


# -- what ends a run, and what it leaves


def test_a_parent_that_is_killed_leaves_no_bot(cluster, tmp_path):
    home = ladders.a_home(tmp_path / "home", {"a": {"sleep": 0.05}, "b": {}}, mark=MARK)
    command = ladders.command(home.path, "--games", "1000", "--on", cluster.address)
    with process_group(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as parent:
        until(lambda: ladders.processes(MARK))
        parent.kill()
    until(lambda: not ladders.processes(MARK))


@pytest.mark.parametrize(
    ("where", "what", "message"),
    [
        (
            "ladder.run.executors.cluster_worker.versions",
            lambda: {"ladder": "9.9"},
            ": the worker cannot play this run: ladder is ",
        ),
        (
            "ladder.run.executors.cluster.pack",
            lambda bot: replace(pack(bot), built_digest="0"),
            "are not those that were",
        ),
    ],
)
def test_a_worker_that_cannot_play_ends_the_run_and_says_why(
    cluster, home, monkeypatch, where, what, message
):
    monkeypatch.setattr(where, what)
    with pytest.raises(LadderError, match=message) as caught:
        play(cluster, home)
    assert str(caught.value).startswith("tcp://127.0.0.1:")
    assert caught.value.hint


def test_a_block_that_kills_those_who_play_it_is_named_with_its_bots(cluster, tmp_path, caplog):
    home = ladders.a_home(tmp_path / "home", {"a": {}, "killer": {"sin": "kill"}}, mark=MARK)
    with executing(cluster.address, home) as executor:
        executor.submit([block(5)])
        with pytest.raises(LadderError, match=r"3 workers died while playing block 5; .* a@.*, killer@"):
            finished(executor, 1)
    assert "tcp://127.0.0.1" in caplog.text
    assert "a worker died (exit status 1)" in caplog.text


# -- the command line


def test_the_commands_of_the_readme_that_name_a_scheduler_run(cluster, home):
    lend, run = sorted((line for line in commands() if "tcp://" in line), reverse=True)
    address = re.search(r"tcp://\S+", lend)[0]
    started = cluster.start_worker(*shlex.split(lend.replace(address, cluster.address))[1:])
    arguments = shlex.split(run.replace(address, cluster.address).replace("10000", "4"))[1:]
    done = run_apart(*arguments, cwd=home.path)
    assert 0 == done.code, done.err
    assert 4 == len(Store(home.results).matches())
    assert started.poll() is None


def test_a_worker_listens_only_on_the_address_from_which_it_reaches_the_scheduler(cluster):
    inodes = set()
    for worker in cluster.workers:
        for pid in [worker.pid, *family(worker.pid)]:
            with contextlib.suppress(OSError):
                inodes |= {link.readlink().name for link in Path(f"/proc/{pid}/fd").iterdir()}
    listening = []
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            cells = line.split()
            if cells[3] == "0A" and f"socket:[{cells[9]}]" in inodes:
                listening.append(cells[1].partition(":")[0])
    assert len(listening) >= 2
    assert {"0100007F"} == set(listening), "127.0.0.1"


def test_an_address_where_nothing_listens_is_refused_before_anything_is_made(tmp_path):
    code, _, err = run_here("run", "--home", tmp_path / "home", "--on", "tcp://127.0.0.1:1")
    assert 1 == code
    assert "no scheduler answers at tcp://127.0.0.1:1: " in err
    assert "dask scheduler --host 127.0.0.1 --port 1;" in " ".join(err.split())
    assert not (tmp_path / "home").exists()


def test_a_scheduler_that_goes_ends_the_run_which_goes_on_anywhere(cluster, home, alone, monkeypatch):
    monkeypatch.setattr("ladder.run.executors.scheduler.PATIENCE", 5)
    with pytest.raises(LadderError, match=r"the scheduler at tcp://.* is gone") as caught:
        play(cluster, home, at(10, lambda: cluster.scheduler.kill()))
    assert "the same command continues the run" in caught.value.hint
    cluster.stop()
    ladders.play(home, **ASKED)
    assert result(alone) == result(home)


# -- pieces


def block(number):
    return PlannedBlock(number, 2 * number, 0, (0, 1))


@contextlib.contextmanager
def executing(where, home):
    setup = setup_of(home, ladders.start_run(home), 32)
    with on_cluster(where, setup) as executor:
        yield executor


def finished(executor, count):
    found = []
    until(lambda: found.extend(executor.results(0.1)) or len(found) >= count)
    return found
