"""Workers of this machine: what becomes of blocks when workers die, and which block is to blame."""

import logging
import os
import re
import signal
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec.structs import replace
from support import ladders
from support.seating import alive

from ladder.contest.blocks import PlannedBlock
from ladder.errors import LadderError
from ladder.machine.cores import usable_cores
from ladder.referee.lapses import LENIENCE, Count
from ladder.registry.seat_caps import SeatCap
from ladder.run.executors import local
from ladder.run.executors.base import QUEUED, Waiting
from ladder.run.executors.local import LocalExecutor, _LocalWorker, should_pin
from ladder.run.executors.warm import WarmBots
from ladder.worker.worker_messages import (
    BlockDone,
    Chunk,
    ChunkDone,
    Hurry,
    LaneDone,
    Load,
    OneTable,
    TableReady,
    Unplayed,
)
from results.record import decode_block

BOTS = {"a": {"parallel": 4}, "b": {"style": "first"}, "killer": {"sin": "kill"}}
A_B, A_KILLER = (0, 1), (0, 2)


@pytest.fixture
def home(tmp_path):
    return ladders.a_home(tmp_path / "home", BOTS)


def block(number, bots=A_B):
    return PlannedBlock(number, 2 * number, 0, bots)


def finished(executor, count, seconds=90.0):
    """Return *count* blocks of an executor, as they come."""
    found, deadline = [], time.monotonic() + seconds
    while len(found) < count:
        found += executor.results(0.1)
        assert time.monotonic() < deadline, f"got {found}"
    return found


def hold_its_block(worker, monkeypatch):
    """Wait until *worker* has sent a block, which the executor finds in its pipe when it looks there next."""
    reports, read, wait = [], worker.read, local.wait
    while not any(isinstance(report, BlockDone) for report in reports):
        assert worker.pipe.poll(60)
        reports += read()
    worker.read = lambda: [*(reports.pop(0) for _ in list(reports)), *read()]
    held = [worker.pipe]
    monkeypatch.setattr(local, "wait", lambda objects, timeout: wait(objects, timeout) + held)


def until_it_fails(executor):
    """Return the blocks that an executor has done before it gave up, and why it did."""
    played = []
    try:
        while True:
            played += executor.results(0.1)
    except LadderError as error:
        return played, error


class Scripted(_LocalWorker):
    """A worker without a process, which a test lets report."""

    def __init__(self):
        super().__init__(SimpleNamespace(exitcode=-signal.SIGKILL), None, None, (), WarmBots(64))
        self.sent, self.reports = [], []

    def send(self, message):
        self.sent.append(message)

    def read(self):
        reports, self.reports = self.reports, []
        return reports


@pytest.fixture
def scripted():
    """Return an executor of two workers without processes, and these."""
    workers = [Scripted(), Scripted()]
    setup = SimpleNamespace(caps=(), bots=[SimpleNamespace(id="a@1"), SimpleNamespace(id="b@1")])
    return LocalExecutor(setup, workers, lambda cores: Scripted(), may_unpin=True), *workers


def test_every_worker_may_have_one_chunk_in_hand_and_one_that_waits(scripted):
    executor, one, other = scripted
    room = [executor.room()]
    for number in range(4):
        executor.submit([block(number)])
        room.append(executor.room())
    assert [2 * QUEUED, 3, 2, 1, 0] == room
    assert [[0, 2], [1, 3]] == [[*one.chunks], [*other.chunks]]
    one.reports = [BlockDone(0, b""), ChunkDone(0, 1)]
    assert [(0, b"")] == executor._read(one)
    assert 1 == executor.room()


def test_nothing_lies_ready_with_a_worker_whose_bots_wait_at_several_tables(scripted):
    executor, one, other = scripted
    one.reports = [Load(3, 0.9)]
    executor._read(one)
    assert [3, QUEUED] == [one.room, other.room]
    assert None is executor.waiting(), "all rest"
    executor.submit([block(0)])
    assert Waiting(2, 0.9, bound="") == executor.waiting(), "a block has two matches"


def test_a_capped_block_leaves_the_tables_that_it_may_not_use_to_others(scripted):
    executor, one, other = scripted
    executor._setup.caps = (SeatCap((0,), 1),)
    for worker in (one, other):
        worker.reports = [Load(4, 0.9)]
        executor._read(worker)
    executor.submit([block(0, (0, 1))])
    executor.submit([block(1, (1, 2))])
    assert [3, 2] == [one.room, other.room]


def test_a_worker_gets_a_block_for_each_table_that_stands_empty_and_the_emptier_one_first(scripted):
    executor, one, other = scripted
    for worker in (one, other):
        worker.reports = [Load(4, 0.9)]
        executor._read(worker)
    for number in range(4):
        assert executor.room()
        executor.submit([block(number)])
    assert 0 == executor.room(), "four blocks have eight matches, for eight tables"
    assert [[0, 2], [1, 3]] == [[*one.chunks], [*other.chunks]]
    other.reports = [LaneDone(1), LaneDone(99)]
    executor._read(other)
    assert [0, 1] == [one.room, other.room], "one of its matches is over"
    assert 7 == executor.waiting().tables
    executor.submit([block(4)])
    assert [1, 3, 4] == [*other.chunks]
    other.reports = [BlockDone(1, b""), ChunkDone(1, 1)]
    executor._read(other)
    assert 0 == other.room, "the table that it frees takes a match that lies ready"


def test_blocks_that_are_played_together_need_a_table_for_each_lane(scripted):
    executor, one, _ = scripted
    one.reports = [Load(4, 0.9)]
    executor._read(one)
    executor._parallel[block(0).seating] = 8
    executor.submit([block(0), block(1), block(2)])
    assert 2 == one.room


def test_that_a_table_is_ready_may_be_told_after_its_chunk_is_done(scripted):
    executor, one, _ = scripted
    executor.submit([block(0)])
    assert 1 == executor.parallel(block(0))
    one.reports = [BlockDone(0, b""), ChunkDone(0, 4), TableReady(0, 9)]
    executor._read(one)
    assert 4 == executor.parallel(block(1))


def test_a_block_that_could_not_be_played_is_returned_and_its_chunk_goes_on(scripted):
    executor, one, other = scripted
    executor.submit([block(0), block(1)])
    executor.submit([block(2)], alone=True, charge="a@1")
    assert [Chunk((block(0), block(1)))] == one.sent
    assert [Chunk((block(2),), alone=True, charge="a@1")] == other.sent
    unplayed = Unplayed(0, "late", ("a@1",), in_time=True)
    one.reports = [unplayed, BlockDone(1, b"1")]
    assert [unplayed, (1, b"1")] == executor._read(one)
    assert not one.busy
    assert other.busy


def test_a_block_that_is_played_alone_is_so_again_when_its_worker_dies(scripted):
    executor, one, other = scripted
    executor.submit([block(2)], alone=True, charge="a@1")
    executor._workers = [other]
    executor._mourn(one)
    assert [OneTable(), Chunk((block(2),), alone=True, charge="a@1")] == other.sent


def test_all_workers_are_told_to_hurry(scripted):
    executor, one, other = scripted
    executor.hurry()
    assert [[Hurry()], [Hurry()]] == [one.sent, other.sent]


@pytest.mark.parametrize(("ended", "code"), [(1, 1), (-signal.SIGKILL, 8)])
def test_only_the_first_block_in_hand_is_to_blame_and_only_when_three_workers_have_died_of_it(
    scripted, ended, code
):
    executor, one, other = scripted
    one.process.exitcode = other.process.exitcode = ended
    executor.submit([block(2), block(3)])
    for dead, left in ((one, other), (other, one), (one, other)):
        assert executor._failure is None
        executor._workers = [left]
        executor._mourn(dead)
        dead.chunks.clear()
    with pytest.raises(
        LadderError, match="3 workers died while playing block 2; at its table: a@1, b@1"
    ) as no:
        executor.results(0)
    assert code == no.value.exit_code


@pytest.mark.process
def test_blocks_of_a_killed_worker_are_played_by_others_and_none_is_lost(home, caplog):
    with ladders.executing(home, ladders.start_run(home), jobs=2) as executor:
        executor.submit([block(number) for number in range(40)])
        executor.submit([block(number) for number in range(40, 80)])
        played = finished(executor, 5)
        before = executor.pids()
        os.kill(before[0], signal.SIGKILL)
        played += finished(executor, 75)
        assert list(range(80)) == sorted(number for number, _ in played)
        assert 2 == len(executor.pids())
        assert before[0] not in executor.pids()
    assert "a worker died (killed by signal 9 (SIGKILL))" in caplog.text


@pytest.mark.process
def test_a_worker_that_dies_at_rest_is_replaced(home):
    with ladders.executing(home, ladders.start_run(home), jobs=1) as executor:
        (before,) = executor.pids()
        os.kill(before, signal.SIGKILL)
        while executor.pids() == [before]:
            executor.results(0.1)
        executor.submit([block(0)])
        assert [0] == [number for number, _ in finished(executor, 1)]


def test_blocks_go_to_the_worker_that_has_their_bots(scripted):
    executor, one, other = scripted
    executor.submit([block(0, (0, 1))])
    executor.submit([block(1, (2, 3))])
    assert 2 == executor.choose([block(2, (2, 3)), block(3, (0, 2)), block(4, (0, 1))])
    executor.submit([block(4, (0, 1))])
    assert 0 == executor.choose([block(2, (2, 3)), block(3, (0, 2)), block(5, (0, 1))])
    executor.submit([block(2, (2, 3))])
    assert [{0, 4}, {1, 2}] == [set(one.chunks), set(other.chunks)]


@pytest.mark.slow
def test_after_a_death_workers_hold_one_table_so_that_a_deadly_block_is_named(tmp_path):
    slow = {"a": {"sleep": 0.02}, "b": {"sleep": 0.02}, "killer": {"sin": "kill", "sleep": 0.02}}
    home = ladders.a_home(tmp_path / "home", slow)
    with ladders.executing(home, ladders.start_run(home), jobs=1) as executor:
        for number in range(4):
            executor.submit([block(number)])
        while executor.waiting().tables < 3:
            executor.results(0.1)
        executor.submit([block(9, A_KILLER)])
        _, error = until_it_fails(executor)
    assert str(error).startswith("3 workers died while playing block 9")
    assert not executor._workers


@pytest.mark.process
def test_what_others_have_done_is_returned_before_a_deadly_block_is_named(home, monkeypatch):
    monkeypatch.setattr(local, "DEATHS", 1)
    with ladders.executing(home, ladders.start_run(home), jobs=2) as executor:
        executor.submit([block(0)])
        executor.submit([block(1, A_KILLER)])
        hold_its_block(executor._workers[0], monkeypatch)
        executor._workers[1].process.join(60)
        played, error = until_it_fails(executor)
    assert [0] == [number for number, _ in played]
    assert str(error).startswith("1 worker died while playing block 1")


@pytest.mark.process
def test_a_worker_that_fails_by_itself_says_why_and_leaves_no_bot(home, capfd, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    mark = f"mark-{home.path.parent.name}"
    home = ladders.a_home(home.path.parent / "other", {"a": {}, "b": {}}, mark=mark)
    run = ladders.start_run(home)
    contests = tuple(replace(each, options={"no such": "option"}) for each in run.settings.contests)
    run = replace(run, settings=replace(run.settings, contests=contests))
    with ladders.executing(home, run, jobs=1) as executor:
        executor.submit([block(0)])
        with pytest.raises(LadderError, match="3 workers died while playing block 0"):
            finished(executor, 1)
        assert [] == ladders.processes(mark)
    said = capfd.readouterr().err
    assert "Traceback" not in said
    assert 3 == said.count("a worker gives up: ValueError: ")
    details = Path(re.findall(r"the details are in (\S+)", said)[0])
    assert 0o600 == details.stat().st_mode & 0o777
    assert "Traceback" in details.read_text()
    assert "no such" in details.read_text()


@pytest.mark.process
def test_draining_lets_the_block_in_hand_finish_and_plays_no_other(home):
    with ladders.executing(home, ladders.start_run(home), jobs=1) as executor:
        executor.submit([block(number) for number in range(64)])
        played = finished(executor, 1)
        for done in executor.drain():
            played += done
        numbers = [number for number, _ in played]
        assert sorted(set(numbers)) == numbers
        assert len(numbers) < 64


@pytest.mark.process
def test_closing_ends_workers_in_the_middle_of_their_work(home):
    with ladders.executing(home, ladders.start_run(home), jobs=2) as executor:
        executor.submit([block(number) for number in range(64)])
        executor.submit([block(number) for number in range(64, 128)])
        finished(executor, 1)
        pids = executor.pids()
    assert [False, False] == [alive(pid) for pid in pids]


@pytest.mark.process
@pytest.mark.parametrize("told", [False, True])
def test_what_a_bot_has_lapsed_in_the_whole_run_counts_in_every_worker_also_in_new_ones(tmp_path, told):
    home = ladders.a_home(tmp_path / "home", {"greeter": {"sin": "greet"}, "b": {}})
    run = ladders.start_run(home)
    (greeter,) = [f"{bot['name']}@{bot['version']}" for bot in run.bots if bot["name"] == "greeter"]
    with ladders.executing(home, run, jobs=2) as executor:
        if told:
            executor.tell({greeter: Count(stray=LENIENCE)})
        before = executor.pids()
        os.kill(before[0], signal.SIGKILL)
        while before[0] in executor.pids():
            executor.results(0.1)
        for number in range(4):
            executor.submit([block(number)])
        faults = [fault for _, payload in finished(executor, 4) for fault in decode_block(payload).faults]
    found = [fault.lapse for fault in faults if not fault.charged]
    assert bool(found) == (not told), "its second match in a lane begins with a word of the first"
    assert {"stray"} >= set(found)


@pytest.mark.process
def test_the_last_words_of_workers_are_heard_before_closing_is_done(home):
    class Slow(logging.Handler):
        def emit(self, record):
            time.sleep(0.2)
            said.append(record.getMessage())

    said = []
    with ladders.executing(home, ladders.start_run(home), log=Slow(), level=logging.DEBUG) as executor:
        executor.submit([block(0)])
        finished(executor, 1)
    assert 2 == sum(line.startswith("loaded: ") for line in said)


def test_auto_pins_as_long_as_there_is_a_core_for_every_worker():
    cores = len(usable_cores())
    assert [True, False] == [should_pin("auto", cores), should_pin("auto", cores + 1)]
    assert [True, True] == [should_pin("on", cores), should_pin("on", cores + 1)]
    assert [False, False] == [should_pin("off", 1), should_pin("off", cores)]
