"""Extreme values that bots may send, on their way through everything that keeps and shows them."""

import json
import tempfile
from pathlib import Path
from typing import get_args, get_type_hints

import msgspec
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.records import a_run

from engines import GAMES
from ladder.contest.blocks import PlannedBlock, matches_of
from ladder.referee.attribution import FaultVerdict
from ladder.referee.match import NO_ROOM, SeatFault, TableMatch, TableSeat
from ladder.referee.player import Player
from ladder.referee.records import fault_record, match_record
from ladder.referee.rules import MatchClock
from ladder.registry.bot_manifest import BotManifest
from ladder.registry.version import Version
from protocol.answers import Malformed, read_answer, read_ready
from protocol.faults import FaultKind
from protocol.messages import LARGEST, LARGEST_COST, LONGEST_NOTES, Limits, Usage
from results import record
from results.rating import cache
from results.rating.rated import rate, standings_of
from results.rating.segment_counts import tally_afresh
from results.record import Block, Contest, RunSettings, decode_block, encode_block
from results.reports import leaderboard, render, row_sets
from results.reports.digest import digest
from results.reports.export import flatten, write
from results.reports.fault_card import render_card
from results.reviewed import ReviewedStep
from results.storage import schema
from results.storage.store import Store

ID = "0123456789abcdef"
DAY_US = 24 * 3600 * 10**6


# -- each value by itself


@pytest.mark.parametrize("usage", [{"cost_usd": LARGEST_COST}, {"input_tokens": LARGEST}])
def test_an_answer_may_say_that_it_cost_very_much(usage):
    (field,) = usage
    answer = read_answer(json.dumps({"id": ID, "move": "m", "usage": usage}).encode())
    assert usage[field] == getattr(answer.usage, field)


@pytest.mark.parametrize("cost", ["1e308", "1000000.1", "1000001", "9007199254740992", "1e6000"])
def test_an_answer_that_costs_more_than_can_be_is_refused(cost):
    with pytest.raises(Malformed, match=r"usage\.cost_usd|finite numbers"):
        read_answer(b'{"id":"%b","move":"m","usage":{"cost_usd":%b}}' % (ID.encode(), cost.encode()))


def test_what_a_match_has_cost_stops_where_an_answer_must():
    seat = a_seat_of("a")
    for _ in range(3):
        seat.add_usage(Usage(LARGEST, LARGEST - 1, LARGEST_COST - 0.25))
    assert record.Usage(LARGEST, LARGEST, LARGEST_COST) == seat.usage


def test_notes_beyond_the_room_of_a_match_are_dropped_and_that_is_said_once():
    seat = a_seat_of("a")
    for step in range(100):
        seat.add_note(step, "x" * 999)
    kept = LONGEST_NOTES // 999
    assert [record.Note(step, "x" * 999) for step in range(kept)] == seat.notes[:kept]
    assert [record.Note(kept, NO_ROOM)] == seat.notes[kept:]


def test_notes_that_just_fit_are_kept():
    seat = a_seat_of("a")
    for step in range(10):
        seat.add_note(step, "x" * (LONGEST_NOTES // 10))
    assert 10 == len(seat.notes)
    assert LONGEST_NOTES == sum(len(note.text) for note in seat.notes)
    seat.add_note(10, "")
    seat.add_note(11, "!")
    assert ["", NO_ROOM] == [note.text for note in seat.notes[10:]]


WIDTHS = {pa.int32(): 31, pa.int64(): 63, pa.timestamp("us", tz="UTC"): 63}


@pytest.mark.parametrize(
    ("kind", "columns"),
    [
        (record.Match, schema.MATCHES),
        (record.Fault, schema.FAULTS),
        (record.Seat, schema.MATCHES.field("seats").type.value_type),
        (ReviewedStep, schema.REVIEWS),
    ],
)
def test_records_take_the_whole_numbers_that_their_columns_hold_and_no_others(kind, columns):
    hints = get_type_hints(kind, include_extras=True)
    numbers = [field for field in columns if field.type in WIDTHS and field.name in hints]
    assert 4 <= len(numbers)
    for field in numbers:
        largest = 2 ** WIDTHS[field.type] - 1
        for value in (largest, -largest - 1):
            assert value == msgspec.json.decode(str(value), type=hints[field.name])
            assert value == pa.scalar(value, field.type).cast(pa.int64()).as_py()
        for value in (largest + 1, -largest - 2):
            with pytest.raises(msgspec.ValidationError):
                msgspec.json.decode(str(value), type=hints[field.name])


def test_every_whole_number_of_a_record_is_bounded():
    for kind in (record.Match, record.Fault, record.Seat, record.Note, record.Usage, record.Block):
        for name, hint in get_type_hints(kind, include_extras=True).items():
            assert int not in plain_types(hint), (kind, name)


def plain_types(hint):
    """Return the types that *hint* is made of, but those with bounds."""
    if hasattr(hint, "__metadata__"):
        return []
    return [hint, *(part for inner in get_args(hint) for part in plain_types(inner))]


# -- all together

text = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=60)
notes = st.one_of(text, st.just("x" * 1000), st.just("\U0010ffff" * 1000), st.just("\x1b[31m\u202e\r\n|,\"'"))
tokens = st.one_of(st.integers(0, LARGEST), st.just(LARGEST))
costs = st.one_of(
    st.floats(0, LARGEST_COST),
    st.sampled_from([LARGEST_COST, 5e-324, 2.2e-308, -0.0, float(LARGEST_COST) - 1e-10, 0.1]),
)
usages = st.fixed_dictionaries(
    {}, optional={"input_tokens": tokens, "output_tokens": tokens, "cost_usd": costs}
)
answers = st.lists(
    st.tuples(
        st.fixed_dictionaries(
            {"id": text, "move": text | st.lists(text, max_size=3)}, optional={"note": notes, "usage": usages}
        ),
        st.integers(0, 2 * DAY_US),
    ),
    max_size=6,
)
readies = st.fixed_dictionaries(
    {"type": st.just("ready"), "protocol": st.just(1)},
    optional={
        "name": st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S")), max_size=64),
        "parallel": st.sampled_from([1, 1024]),
        "view": st.sampled_from(["full", "none"]),
        "text": st.booleans(),
    },
)
faults = st.one_of(
    st.none(),
    st.tuples(st.sampled_from(get_args(FaultKind)), st.text(max_size=200), st.binary(max_size=5000)),
)


def a_seat_of(name, index=0):
    version = Version(name, "0" * 12, "", BotManifest(name, ("./bot",)))
    return TableSeat(index, Player(version, None), ID, 1, MatchClock(Limits()))


def a_match_of(said, wrong):
    """Return what is kept of a match that nobody played, in which each seat *said* so and did *wrong* so."""
    contest = Contest("stellar", 2, {"face_down_number": "printed"}, (0, 1))
    seats = [a_seat_of(name, index) for index, name in enumerate("ab")]
    match = TableMatch(
        matches_of(PlannedBlock(0, 0, 0, (0, 1)), contest)[0], GAMES["stellar"], seats, bytes(32), 0
    )
    kept = []
    for seat, (ready, answers), fault in zip(seats, said, wrong, strict=True):
        assert read_ready(json.dumps(ready).encode()).protocol == 1
        for step, (fields, think_us) in enumerate(answers):
            answer = read_answer(json.dumps(fields).encode())
            seat.think_us.append(think_us)
            seat.add_usage(answer.usage)
            if answer.note:
                seat.add_note(step, answer.note)
        if fault:
            kind, reason, line = fault
            seat.breach = SeatFault(kind, reason.encode("utf-8", "replace").decode(), line)
            seat.fault_step = 0
            kept.append(
                fault_record(
                    1, match, seat, seat.breach, FaultVerdict("loses", seat.breach.reason), None, 0, 0
                )
            )
    return match_record(1, "none", match, [1, 2], None, 0), kept


@settings(max_examples=40)
@given(st.tuples(*[st.tuples(readies, answers)] * 2), st.tuples(faults, faults))
@pytest.mark.slow
def test_whatever_a_bot_may_say_is_kept_rated_and_shown(said, wrong):
    match, kept = a_match_of(said, wrong)
    block = Block(0, [match, msgspec.structs.replace(match, number=1, rotation=1)], kept)
    line = encode_block(block)
    assert block == decode_block(line)
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "results")
        with store.lock():
            store.begin(a_run(settings=RunSettings()))
            assert store.append(0, line)
            store.commit()
            before = digest(store.contents())
            assert [block] == list(store.contents().blocks(1))
            store.finish(1, 1)
            cache.save(store)
        assert before == digest(store.contents())
        assert [block] == list(store.contents().blocks(1))
        check_tables(store, match)
        check_exports(store, Path(folder), match)


def check_tables(store, match):
    rated = cache.ratings_current(store)
    standings = standings_of(rated).values()
    assert {2} == {standing.matches for standing in standings}
    assert rated == rate(tally_afresh(store.contents()))
    of_people = dict.fromkeys(("table", "md"), leaderboard.SHOWN)
    of_programs = dict.fromkeys(("json", "csv"), leaderboard.LEADERBOARD)
    for form, columns in (of_people | of_programs).items():
        board = leaderboard.leaderboard(leaderboard.GameBoard(rated["stellar"]))
        assert "a" in render.render(board, columns, form)
        rows = row_sets.matches(store.matches(row_sets.MATCHES_NEED))
        assert "1/1" in render.render(rows, row_sets.MATCHES, form)
        found = render.render(store.contents().faults().to_pylist(), row_sets.FAULTS, form)
        if form != "json":
            assert all(char.isprintable() or char == "\n" for char in found)
    assert [match.seats[0].notes] * 2 == [
        m.seats[0].notes for b in store.contents().blocks(1) for m in b.matches
    ]
    assert all(line for fault in store.contents().faults().to_pylist() for line in render_card(fault))


def check_exports(store, folder, match):
    table = flatten(store.matches(), "seat")
    for path in (folder / "seats.csv", folder / "seats.parquet"):
        write(table, path)
    assert table.equals(pq.read_table(folder / "seats.parquet"))
    assert 4 == pyarrow.csv.read_csv(folder / "seats.csv").num_rows
    assert [sum(seat.think_us) / 1000 for seat in match.seats] * 2 == table.column("think_ms").to_pylist()
