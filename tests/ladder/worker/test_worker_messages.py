"""What a parent and its workers say to each other."""

from unittest.mock import Mock

import msgspec
import pytest

from ladder.contest.blocks import PlannedBlock
from ladder.referee.lapses import Count
from ladder.worker.main import _serve
from ladder.worker.spending import Outlay
from ladder.worker.worker_messages import (
    BlockDone,
    Chunk,
    ChunkDone,
    Hurry,
    LaneDone,
    LapsesSoFar,
    Load,
    OneTable,
    Outlays,
    StopAfterBlock,
    TableReady,
    Unpin,
    Unplayed,
    WorkerFailed,
    decode_order,
    decode_report,
    encode,
)

ORDERS = [
    Chunk((PlannedBlock(7, 0, 1, (0, 2)),)),
    Chunk((PlannedBlock(7, 0, 1, (0, 2)),), alone=True, charge="greedy@abc"),
    LapsesSoFar({"greedy@abc": Count(stray=2)}),
    Unpin(),
    OneTable(),
    Hurry(),
    StopAfterBlock(),
]
REPORTS = [
    BlockDone(7, b'! 7 {"number":7}'),
    Unplayed(7, "greedy@abc: no ready", ("greedy@abc",), in_time=True),
    LaneDone(7),
    ChunkDone(7, 3),
    TableReady(7, 3),
    Load(4, 0.5),
    Unplayed(7, "greedy@abc: no answer", ("greedy@abc",), cut_short=True),
    Outlays({"greedy@abc": Outlay(1, 20, 0, 2, 30)}),
    WorkerFailed("a line\nand another", "type this"),
]


@pytest.mark.parametrize("order", ORDERS, ids=lambda order: type(order).__name__)
def test_an_order_comes_back_as_it_was_sent(order):
    assert order == decode_order(encode(order))


@pytest.mark.parametrize("report", REPORTS, ids=lambda report: type(report).__name__)
def test_a_report_comes_back_as_it_was_sent(report):
    assert report == decode_report(encode(report))


@pytest.mark.parametrize("message", [*ORDERS, *REPORTS], ids=lambda message: type(message).__name__)
def test_a_message_names_its_class_on_the_wire(message):
    assert type(message).__name__ == msgspec.msgpack.decode(encode(message))["type"]


def test_what_one_side_sends_the_other_side_alone_reads():
    for order in ORDERS:
        with pytest.raises(msgspec.ValidationError):
            decode_report(encode(order))
    for report in REPORTS:
        with pytest.raises(msgspec.ValidationError):
            decode_order(encode(report))


def test_no_table_of_a_worker_stands_once_it_is_told_to_hurry_or_to_stop():
    told = {}
    for orders in ([Unpin()], [Hurry()]):
        coming = map(encode, [*orders, StopAfterBlock()])
        worker, heard = Mock(hurries=False), told.setdefault(type(orders[0]), [])

        def receive(coming=coming, worker=worker, heard=heard):
            heard.append(worker.hurries)
            return next(coming)

        _serve(Mock(recv_bytes=receive), worker, Mock())
        heard.append(worker.hurries)
    assert {Unpin: [False, False, True], Hurry: [False, True, True]} == told
