"""The tables of a worker: what each plays, what the parent hears, how they end."""

import threading
import time
from collections import Counter
from types import SimpleNamespace

import pytest
from support.records import a_match
from support.until import until

from ladder.contest.blocks import PlannedBlock
from ladder.referee.table_events import MatchOver
from ladder.registry.seat_caps import SeatCap
from ladder.worker import concurrency, table_count
from ladder.worker.concurrency import WorkerTables
from ladder.worker.open_blocks import OpenBlocks
from ladder.worker.table_count import Measured
from ladder.worker.worker_messages import (
    BlockDone,
    Chunk,
    ChunkDone,
    LaneDone,
    Load,
    Message,
    TableReady,
    Unplayed,
)
from results import record
from results.record import Contest


class FakeWorker:
    """A worker whose matches end when a test lets them."""

    def __init__(self):
        self.setup = SimpleNamespace(caps=())
        self.at_once = 1
        self.seats = 1
        self.began: list[tuple[int, int]] = []
        """The matches that were begun: the number of the block, and the lane."""
        self.go = threading.Semaphore(0)
        self.error: Exception | None = None
        self.late_starts = 0
        self.unplayed: set[int] = set()
        """The blocks that it gives back."""
        self.terms: list[tuple[bool, str]] = []
        """Whether each lane was played alone, and who bears its delays."""

    def watch_tables(self):
        return SimpleNamespace(failure=None)

    def most_tables(self):
        return 8

    def tables_by_processes(self):
        return 8

    def parallel(self, block):
        return self.at_once

    def open_blocks(self, blocks, first_lane):
        return OpenBlocks(blocks, Contest("stellar", self.seats, {}, tuple(range(self.seats))), first_lane)

    def play_lane(self, blocks, *, alone, charge):
        self.terms.append((alone, charge))
        taken = blocks.take_lane()
        for scheduled in taken[1] if taken else ():
            self.began.append((scheduled.block, scheduled.rotation))
            assert self.go.acquire(timeout=300)
            if self.error:
                raise self.error
            where = {"block": scheduled.block, "rotation": scheduled.rotation}
            played = MatchOver(a_match(scheduled.match, **where), [])
            lost = scheduled.block in self.unplayed
            if ended := blocks.add(Unplayed(scheduled.block, "why") if lost else played):
                yield ended

    def all_players(self):
        return []

    def list_seated(self):
        return []

    def outlays(self):
        return {}


class Room:
    """A worker, its tables, and what the parent hears of them."""

    def __init__(self):
        self.worker = FakeWorker()
        self.said: list[Message] = []
        self.tables = WorkerTables(self.worker, self.said.append)  # type: ignore[arg-type]

    def add(self, *numbers, seats=1, **terms):
        """Give the tables a chunk of blocks with these *numbers*."""
        self.worker.seats = seats
        blocks = [PlannedBlock(number, seats * number, 0, tuple(range(seats))) for number in numbers]
        self.tables.add(Chunk(tuple(blocks), **terms))

    def hold(self, count):
        """Hold *count* tables from now on."""
        self.tables._held.now = count
        self.tables._open()

    def wait_for(self, matches):
        """Wait until *matches* matches have begun."""
        until(lambda: len(self.worker.began) >= matches)

    def end(self, matches=1):
        """Let *matches* matches end."""
        self.worker.go.release(matches)

    def hear(self, messages):
        """Wait until *messages* messages have come."""
        until(lambda: len(self.said) >= messages)

    def heard(self, kind):
        """Return the messages of this *kind*."""
        return [message for message in self.said if isinstance(message, kind)]

    def numbers(self):
        """Return the numbers of the blocks that were heard to be over."""
        return [message.number for message in self.heard(BlockDone)]


@pytest.fixture
def room():
    room = Room()
    yield room
    room.end(1000)
    room.worker.error = None
    room.tables._failure = None
    room.tables.finish()


@pytest.mark.parametrize(("seats", "at_once"), [(1, 1), (2, 1), (4, 2), (6, 3)])
def test_a_cap_bounds_the_tables_of_a_block_and_leaves_others_to_the_next(room, seats, at_once):
    room.worker.setup.caps = (SeatCap((0, 1), seats),)
    room.hold(4)
    room.add(1, seats=3)
    room.wait_for(at_once)
    room.tables.add(Chunk((PlannedBlock(2, 6, 0, (2, 3, 4)),)))
    room.wait_for(4)
    begun = [block for block, _ in room.worker.began]
    assert (at_once, min(3, 4 - at_once)) == (begun.count(1), begun.count(2))
    for _ in range(6):
        room.end()
    room.hear(2)
    until(lambda: room.numbers() and {1, 2} == {*room.numbers()})


def test_one_table_plays_one_chunk_after_another(room):
    room.add(1, 2)
    room.add(3)
    room.end(3)
    room.hear(5)
    assert [1, 2, 3] == room.numbers()
    assert [ChunkDone(1, 1), ChunkDone(3, 1)] == [room.said[2], room.said[4]]
    assert [(1, 0), (2, 0), (3, 0)] == room.worker.began


def test_several_tables_play_a_chunk_each(room):
    room.hold(3)
    for number in range(4):
        room.add(number)
    room.wait_for(3)
    assert [0, 1, 2] == sorted(number for number, _ in room.worker.began)


def test_one_table_plays_the_matches_of_a_block_one_after_another(room):
    room.add(4, 5, seats=3)
    for played in range(6):
        room.wait_for(played + 1)
        room.end()
    room.hear(3)
    assert [(4, 0), (4, 1), (4, 2), (5, 0), (5, 1), (5, 2)] == room.worker.began
    assert [4, 5] == room.numbers()


def test_tables_that_are_free_play_the_matches_of_a_block_side_by_side(room):
    room.hold(5)
    for number in (7, 8, 9):
        room.add(number, seats=2)
    room.wait_for(5)
    assert {7: 2, 8: 2, 9: 1} == Counter(number for number, _ in room.worker.began), "earlier blocks first"
    room.end(1)
    room.wait_for(6)
    room.end(5)
    until(lambda: 3 == len(room.heard(ChunkDone)))
    assert [7, 8, 9] == sorted(room.numbers())
    for message in room.heard(BlockDone):
        matches = record.decode_block(message.payload).matches
        assert [2 * message.number, 2 * message.number + 1] == [match.number for match in matches]
    assert {ChunkDone(number, 1) for number in (7, 8, 9)} == {*room.heard(ChunkDone)}
    assert room.tables.resting


def test_a_block_that_is_played_alone_has_one_table(room):
    room.hold(4)
    room.add(7, seats=2, alone=True)
    room.wait_for(1)
    time.sleep(0.02)
    assert 1 == len(room.worker.began)
    room.end()
    room.wait_for(2)


def test_a_block_is_given_back_when_no_table_plays_it_any_more(room):
    room.worker.unplayed = {7}
    room.hold(2)
    room.add(7, seats=2)
    room.wait_for(2)
    room.end()
    room.hear(1)
    time.sleep(0.02)
    assert [LaneDone(7)] == room.said
    room.end()
    room.hear(3)
    assert [LaneDone(7), Unplayed(7, "why"), ChunkDone(7, 1)] == room.said


def test_a_block_that_cannot_be_played_is_given_back_before_its_other_matches(room):
    room.worker.unplayed = {7}
    room.add(7, seats=3)
    room.end()
    room.hear(2)
    assert [(7, 0)] == room.worker.began
    assert [Unplayed(7, "why"), ChunkDone(7, 1)] == room.said


def test_a_table_that_is_too_many_finishes_its_chunk_and_begins_no_other(room):
    room.hold(2)
    room.add(1)
    room.add(2)
    room.wait_for(2)
    room.tables.hold_one()
    for number in range(3, 6):
        room.add(number)
    room.end(5)
    until(lambda: len(room.numbers()) == 5)
    assert [3, 4, 5] == [number for number, _ in room.worker.began if number > 2], "one after another"


@pytest.mark.parametrize("seats", [1, 2])
def test_finishing_plays_all_matches_of_the_block_in_hand_and_begins_no_other(room, seats):
    room.add(1, 2, 3, seats=seats)
    room.wait_for(1)
    threading.Timer(0.02, room.end, [seats]).start()
    room.tables.finish()
    assert [(1, rotation) for rotation in range(seats)] == room.worker.began
    assert [1] == room.numbers()
    assert [] == room.heard(ChunkDone)


def test_what_a_table_raises_is_raised_where_the_worker_looks(room):
    room.worker.error = ValueError("broken")
    room.add(1)
    room.end()
    with pytest.raises(ValueError, match="broken"):
        until(room.tables.look)


def test_nothing_is_said_after_silence(room):
    room.add(1)
    room.wait_for(1)
    room.tables.silence()
    room.end()
    until(lambda: room.tables.resting)
    assert [] == room.said


def test_the_parent_hears_once_how_many_matches_a_table_may_have(room):
    room.worker.at_once = 4
    room.add(7)
    room.wait_for(1)
    for _ in range(3):
        room.tables.look()
    assert [TableReady(7, 4)] == room.heard(TableReady)


def test_tables_that_need_no_core_become_more_and_the_parent_hears_of_it(room, monkeypatch):
    monkeypatch.setattr(table_count, "LOOK_SECONDS", 0.0)
    monkeypatch.setattr(room.tables._held._meter, "_own_at", (0, 0))
    monkeypatch.setattr(
        room.tables._held._meter, "_own", lambda: (0, 0)
    )  # this process does other things, too
    room.tables._held._look_at = 0.0
    for number in range(8):
        room.add(number)
    room.wait_for(1)
    for expected in (1, 8):
        time.sleep(0.01)  # an answer would take longer than the least time
        room.tables.look()
        assert expected == room.tables._held.now, "two looks must agree"
    assert Load(8, 1.0, bound="processes") in room.said
    room.wait_for(8)


def test_a_worker_whose_bots_start_does_not_say_that_it_waits(room, monkeypatch):
    monkeypatch.setattr(table_count, "LOOK_SECONDS", 0.0)
    monkeypatch.setattr(concurrency, "TELL_SECONDS", 0.0)
    room.add(0)
    room.wait_for(1)
    for need, starting in ((0.1, True), (0.25, False), (0.1, True)):
        measured = Measured(0.25, need, 1000, starting)
        monkeypatch.setattr(room.tables._held._meter, "look", lambda *_, measured=measured: measured)
        room.tables._held._look_at = room.tables._tell_at = 0.0
        room.tables.look()
    assert [0.0, 0.75, 0.75] == [message.waits for message in room.heard(Load)]


def test_the_number_of_tables_changes_only_where_two_looks_while_no_bot_starts_agree(room, monkeypatch):
    monkeypatch.setattr(table_count, "LOOK_SECONDS", 0.0)
    room.hold(4)
    room.tables._held._fit = 4
    for number in range(4):
        room.add(number)
    room.wait_for(4)
    room.tables._held._look_at = 0.0
    counts = []
    looks = [(2, 0), (4, 0), (2, 0), (4, 1), (3, 0), (2, 0), (5, 0), (8, 0), (8, 0), (6, 1), (9, 0)]
    for fit, starting in looks:
        monkeypatch.setattr(table_count, "fitting", lambda *_, fit=fit: fit)
        measured = Measured(0.25, 0.1, 10, bool(starting))
        monkeypatch.setattr(room.tables._held._meter, "look", lambda *_, measured=measured: measured)
        room.tables.look()
        counts.append(room.tables._held.now)
    assert [4, 4, 4, 4, 3, 3, 3, 5, 5, 5, 8] == counts


def test_a_block_that_could_not_be_played_is_given_back_and_the_chunk_goes_on(room):
    room.worker.unplayed = {1}
    room.add(0, 1, 2, alone=True, charge="a@1")
    room.end(3)
    until(lambda: room.heard(ChunkDone))
    assert [0, 2] == room.numbers()
    assert [Unplayed(1, "why")] == room.heard(Unplayed)
    assert {(True, "a@1")} == {*room.worker.terms}


def test_late_starts_halve_the_tables_and_time_brings_them_back(room):
    now = 100.0
    room.tables._held.now = 8
    assert 8 == room.tables._held._allow(now)
    room.worker.late_starts = 3
    assert 4 == room.tables._held._allow(now)
    room.tables._held.now = 4
    assert 4 == room.tables._held._allow(now + 0.25), "no start was late since"
    room.worker.late_starts = 4
    assert 2 == room.tables._held._allow(now + 0.5)
    assert 2 == room.tables._held._allow(now + table_count.CALM_SECONDS)
    assert 4 == room.tables._held._allow(now + table_count.CALM_SECONDS + 1)
    assert 4 == room.tables._held._allow(now + table_count.CALM_SECONDS + 2)
    assert 8 == room.tables._held._allow(now + 3 * table_count.CALM_SECONDS)
    assert 8 == room.tables._held._allow(now + 9 * table_count.CALM_SECONDS), "no more than ever"
