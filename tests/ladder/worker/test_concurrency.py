"""The tables of a worker: what each plays, what the parent hears, how they end."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
import pytest
from support.records import a_match

from ladder.contest.blocks import Contest, PlannedBlock
from ladder.referee.table_events import MatchOver
from ladder.worker import concurrency as module
from ladder.worker.concurrency import Tables
from ladder.worker.meter import Measured
from ladder.worker.open_blocks import OpenBlocks
from ladder.worker.worker_messages import BlockDone, Chunk, ChunkDone, Load, Message, TableReady, Unplayed
from results import record

SECONDS = 300.0


def until(true: Callable[[], object]) -> None:
    deadline = time.monotonic() + SECONDS
    while not true():
        assert time.monotonic() < deadline, "waited for too long"
        time.sleep(0.001)


class FakeWorker:
    """A worker whose matches end when a test lets them."""

    def __init__(self, at_once: int = 1) -> None:
        self.at_once = at_once
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

    def most_tables(self) -> int:
        return 8

    def parallel(self, block: PlannedBlock) -> int:
        return self.at_once

    def open_blocks(self, blocks: Sequence[PlannedBlock], first_lane: int) -> OpenBlocks:
        return OpenBlocks(blocks, Contest("stellar", self.seats, {}, tuple(range(self.seats))), first_lane)

    def play_lane(self, blocks: OpenBlocks, *, alone: bool, charge: str) -> Iterator[record.Block | Unplayed]:
        self.terms.append((alone, charge))
        taken = blocks.take_lane()
        for scheduled in taken[1] if taken else ():
            self.began.append((scheduled.block, scheduled.rotation))
            assert self.go.acquire(timeout=SECONDS)
            if self.error:
                raise self.error
            where = {"block": scheduled.block, "rotation": scheduled.rotation}
            played = MatchOver(a_match(scheduled.match, **where), [])
            lost = scheduled.block in self.unplayed
            if ended := blocks.add(Unplayed(scheduled.block, "why") if lost else played):
                yield ended

    def all_players(self) -> list[Any]:
        return []

    def list_seated(self) -> list[Any]:
        return []

    def outlays(self) -> dict[str, Any]:
        return {}


@pytest.fixture
def worker() -> Iterator[FakeWorker]:
    worker = FakeWorker()
    yield worker
    worker.go.release(1000)


@pytest.fixture
def said() -> list[Message]:
    return []


@pytest.fixture
def tables(worker: Any, said: list[Message]) -> Iterator[Tables]:
    tables = Tables(worker, said.append)
    yield tables
    worker.go.release(1000)
    worker.error = None
    tables._failure = None
    tables.finish()


def chunk(*numbers: int, seats: int = 1) -> Chunk:
    bots = tuple(range(seats))
    return Chunk(tuple(PlannedBlock(number, seats * number, 0, bots) for number in numbers))


def numbers(said: Sequence[Message]) -> list[int]:
    return [message.number for message in said if isinstance(message, BlockDone)]


def test_one_table_plays_one_chunk_after_another(
    worker: FakeWorker, tables: Tables, said: list[Message]
) -> None:
    tables.add(chunk(1, 2))
    tables.add(chunk(3))
    worker.go.release(3)
    until(lambda: len(said) == 5)
    assert [1, 2, 3] == numbers(said)
    assert [ChunkDone(1, 1), ChunkDone(3, 1)] == [said[2], said[4]]
    assert [(1, 0), (2, 0), (3, 0)] == worker.began


def test_several_tables_play_a_chunk_each(worker: FakeWorker, tables: Tables) -> None:
    tables._open(3)
    for number in range(4):
        tables.add(chunk(number))
    until(lambda: len(worker.began) == 3)
    assert [0, 1, 2] == sorted(number for number, _ in worker.began)


def test_one_table_plays_the_matches_of_a_block_one_after_another(
    worker: FakeWorker, tables: Tables, said: list[Message]
) -> None:
    worker.seats = 3
    tables.add(chunk(4, 5, seats=3))
    for played in range(6):
        until(lambda played=played: len(worker.began) == played + 1)
        worker.go.release()
    until(lambda: len(said) == 3)
    assert [(4, 0), (4, 1), (4, 2), (5, 0), (5, 1), (5, 2)] == worker.began
    assert [4, 5] == numbers(said)


def test_tables_that_are_free_play_the_matches_of_a_block_side_by_side(
    worker: FakeWorker, tables: Tables, said: list[Message]
) -> None:
    worker.seats = 2
    tables._open(5)
    for number in (7, 8, 9):
        tables.add(chunk(number, seats=2))
    until(lambda: len(worker.began) == 5)
    assert {7: 2, 8: 2, 9: 1} == Counter(number for number, _ in worker.began), "earlier blocks first"
    worker.go.release(1)
    until(lambda: len(worker.began) == 6)
    worker.go.release(5)
    until(lambda: len(said) == 6)
    assert [7, 8, 9] == sorted(numbers(said))
    for message in said:
        if isinstance(message, BlockDone):
            matches = record.decode_block(message.payload).matches
            assert [2 * message.number, 2 * message.number + 1] == [match.number for match in matches]
    assert {ChunkDone(number, 1) for number in (7, 8, 9)} == {m for m in said if isinstance(m, ChunkDone)}
    assert tables.resting


def test_a_block_that_is_played_alone_has_one_table(worker: FakeWorker, tables: Tables) -> None:
    worker.seats = 2
    tables._open(4)
    tables.add(msgspec.structs.replace(chunk(7, seats=2), alone=True))
    until(lambda: worker.began)
    time.sleep(0.02)
    assert 1 == len(worker.began)
    worker.go.release()
    until(lambda: len(worker.began) == 2)


def test_a_block_is_given_back_when_no_table_plays_it_any_more(
    worker: FakeWorker, tables: Tables, said: list[Message]
) -> None:
    worker.seats, worker.unplayed = 2, {7}
    tables._open(2)
    tables.add(chunk(7, seats=2))
    until(lambda: len(worker.began) == 2)
    worker.go.release()
    time.sleep(0.02)
    assert [] == said
    worker.go.release()
    until(lambda: len(said) == 2)
    assert [Unplayed(7, "why"), ChunkDone(7, 1)] == said


def test_a_block_that_cannot_be_played_is_given_back_before_its_other_matches(
    worker: FakeWorker, tables: Tables, said: list[Message]
) -> None:
    worker.seats, worker.unplayed = 3, {7}
    tables.add(chunk(7, seats=3))
    worker.go.release()
    until(lambda: len(said) == 2)
    assert [(7, 0)] == worker.began
    assert [Unplayed(7, "why"), ChunkDone(7, 1)] == said


def test_finishing_plays_all_matches_of_a_block_that_was_begun(
    worker: FakeWorker, tables: Tables, said: list[Message]
) -> None:
    worker.seats = 2
    tables.add(chunk(1, 2, seats=2))
    until(lambda: worker.began)
    threading.Timer(0.02, worker.go.release, [2]).start()
    tables.finish()
    assert [(1, 0), (1, 1)] == worker.began
    assert [1] == numbers(said)


def test_a_table_that_is_too_many_finishes_its_chunk_and_begins_no_other(
    worker: FakeWorker, tables: Tables, said: list[Message]
) -> None:
    tables._open(2)
    tables.add(chunk(1))
    tables.add(chunk(2))
    until(lambda: len(worker.began) == 2)
    tables.hold_one()
    for number in range(3, 6):
        tables.add(chunk(number))
    worker.go.release(5)
    until(lambda: len(numbers(said)) == 5)
    assert [3, 4, 5] == [number for number, _ in worker.began if number > 2], "one after another"


def test_finishing_lets_the_block_in_hand_end_and_begins_no_other(
    worker: FakeWorker, tables: Tables, said: list[Message]
) -> None:
    tables.add(chunk(1, 2, 3))
    until(lambda: worker.began)
    threading.Timer(0.02, worker.go.release).start()
    tables.finish()
    assert [1] == numbers(said)
    assert not any(isinstance(message, ChunkDone) for message in said)


def test_what_a_table_raises_is_raised_where_the_worker_looks(worker: FakeWorker, tables: Tables) -> None:
    worker.error = ValueError("broken")
    tables.add(chunk(1))
    worker.go.release()
    with pytest.raises(ValueError, match="broken"):
        until(tables.look)


def test_nothing_is_said_after_silence(worker: FakeWorker, tables: Tables, said: list[Message]) -> None:
    tables.add(chunk(1))
    until(lambda: worker.began)
    tables.silence()
    worker.go.release()
    until(lambda: tables.resting)
    assert [] == said


def test_the_parent_hears_once_how_many_matches_a_table_may_have(
    worker: FakeWorker, tables: Tables, said: list[Message]
) -> None:
    worker.at_once = 4
    tables.add(chunk(7))
    until(lambda: worker.began)
    for _ in range(3):
        tables.look()
    assert [TableReady(7, 4)] == [message for message in said if isinstance(message, TableReady)]


def test_tables_that_need_no_core_become_more_and_the_parent_hears_of_it(
    worker: FakeWorker, tables: Tables, said: list[Message], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LOOK_SECONDS", 0.0)
    monkeypatch.setattr(tables._meter, "_own_at", (0, 0))
    monkeypatch.setattr(tables._meter, "_own", lambda: (0, 0))  # this process does other things, too
    tables._look_at = 0.0
    for number in range(8):
        tables.add(chunk(number))
    until(lambda: worker.began)
    for expected in (1, 8):
        time.sleep(0.01)  # an answer would take longer than the least time
        tables.look()
        assert expected == tables.count, "two looks must agree"
    assert Load(8, 1.0) in said
    until(lambda: len(worker.began) == 8)


def test_a_worker_whose_bots_start_does_not_say_that_it_waits(
    tables: Tables, worker: FakeWorker, said: list[Message], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LOOK_SECONDS", 0.0)
    monkeypatch.setattr(module, "TELL_SECONDS", 0.0)
    tables.add(chunk(0))
    until(lambda: worker.began)
    for need, starting in ((0.1, True), (0.25, False), (0.1, True)):
        measured = Measured(0.25, need, 1000, starting)
        monkeypatch.setattr(tables._meter, "look", lambda *_, measured=measured: measured)
        tables._look_at = tables._tell_at = 0.0
        tables.look()
    assert [0.0, 0.75, 0.75] == [message.waits for message in said if isinstance(message, Load)]


def test_the_number_of_tables_changes_only_where_two_looks_while_no_bot_starts_agree(
    worker: FakeWorker, tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LOOK_SECONDS", 0.0)
    tables._open(4)
    tables._fit = 4
    for number in range(4):
        tables.add(chunk(number))
    until(lambda: len(worker.began) == 4)
    tables._look_at = 0.0
    counts = []
    looks = [(2, 0), (4, 0), (2, 0), (4, 1), (3, 0), (2, 0), (5, 0), (8, 0), (8, 0), (6, 1), (9, 0)]
    for fit, starting in looks:
        monkeypatch.setattr(module, "fitting", lambda *_, fit=fit: fit)
        measured = Measured(0.25, 0.1, 10, bool(starting))
        monkeypatch.setattr(tables._meter, "look", lambda *_, measured=measured: measured)
        tables.look()
        counts.append(tables.count)
    assert [4, 4, 4, 4, 3, 3, 3, 5, 5, 5, 8] == counts


def test_a_block_that_could_not_be_played_is_given_back_and_the_chunk_goes_on(worker, tables, said):
    worker.unplayed = {1}
    tables.add(msgspec.structs.replace(chunk(0, 1, 2), alone=True, charge="a@1"))
    worker.go.release(3)
    until(lambda: any(isinstance(message, ChunkDone) for message in said))
    assert [0, 2] == numbers(said)
    assert [Unplayed(1, "why")] == [message for message in said if isinstance(message, Unplayed)]
    assert {(True, "a@1")} == {*worker.terms}


def test_late_starts_halve_the_tables_and_time_brings_them_back(worker, tables):
    now = 100.0
    tables.count = 8
    assert 8 == tables._allow(now)
    worker.late_starts = 3
    assert 4 == tables._allow(now)
    tables.count = 4
    assert 4 == tables._allow(now + 0.25), "no start was late since"
    worker.late_starts = 4
    assert 2 == tables._allow(now + 0.5)
    assert 2 == tables._allow(now + module.CALM_SECONDS)
    assert 4 == tables._allow(now + module.CALM_SECONDS + 1)
    assert 4 == tables._allow(now + module.CALM_SECONDS + 2)
    assert 8 == tables._allow(now + 3 * module.CALM_SECONDS)
    assert 8 == tables._allow(now + 9 * module.CALM_SECONDS), "no more than ever"
