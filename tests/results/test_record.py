"""The values kept of a match, and the line of JSON that carries them."""

import subprocess
import sys

import msgspec
import pytest
from support.records import a_block, a_match, a_seat

from results.record import Block, decode_block, encode_block


def test_a_block_comes_back_from_its_line_as_it_was():
    block = a_block(1)
    assert block == decode_block(encode_block(block))


def test_the_line_of_a_block_holds_no_line_feed():
    match = a_match(seats=[a_seat(fault="crash\nhard"), a_seat("beta", 2)])
    assert b"\n" not in encode_block(Block(0, [match], []))


def test_a_line_that_is_no_block_is_refused():
    with pytest.raises(msgspec.MsgspecError):
        decode_block(b'{"number":0,"matches":[{}],"faults":[]}')


def test_the_decisions_of_a_seat_are_its_answered_ones():
    assert 2 == a_seat(think_us=[5, 6]).decisions


@pytest.mark.process
def test_the_store_loads_no_heavy_library_before_it_reads_or_writes():
    heavy = "{'pyarrow', 'trueskill'}"
    modules = "sys, results.storage.store, results.reports.row_sets"
    code = f"import {modules}; print(sorted({heavy} & set(sys.modules)))"
    assert (
        "[]\n"
        == subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    )
