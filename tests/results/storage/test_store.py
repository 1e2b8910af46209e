"""The store: nothing lost, nothing twice, whatever ends the writing and whenever."""

import os
from collections import Counter
from contextlib import suppress
from hashlib import sha256
from itertools import count
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support import store_life
from support.disks import FailingDisk, NoSyncDisk, WatchedDisk
from support.full import every
from support.records import MEMORY, a_block, a_fault, a_lone_match, a_match, a_run, a_seat
from support.stores import begin_run, each_match_once, filled, flips, numbers, put, put_blocks

from results.errors import DamagedResults, DiskFailed, HomeLocked, NewerFormat, NoSuchMatch, ResultsError
from results.record import (
    Block,
    Contest,
    Fault,
    JoinedShard,
    Match,
    Run,
    RunCommand,
    RunSettings,
    ShardBlocks,
    Usage,
    WithoutBot,
    decode_block,
    encode_block,
)
from results.storage import parquet, schema, writer
from results.storage.disk import Disk
from results.storage.store import Store


def names(path):
    return sorted(file.name for file in path.iterdir())


@pytest.fixture
def halfway(store):
    """Return a store of a run that goes on: two segments, of blocks 0 to 2 and 3 to 4; 5 and 7 journalled."""
    return filled(store, fill_halfway)


def fill_halfway(store):
    with begin_run(store, 0, 1, 2):
        store.seal()
        put(store, 3, 4)
        store.seal()
        put(store, 5, 7)
        store.commit()


# --- one after the other


def test_results_that_are_not_there_are_empty(store, root):
    assert () == store.runs()
    assert None is store.unfinished_run()
    assert 0 == len(store.matches())
    assert 0 == len(store.contents().faults())
    with pytest.raises(NoSuchMatch):
        store.contents().last_match()
    assert not root.exists()


def test_nothing_is_written_without_the_lock(store):
    with pytest.raises(RuntimeError, match="lock"):
        store.begin(a_run())


def test_a_run_is_kept_with_all_that_it_follows_from(store, root):
    settings = RunSettings(
        asked=RunCommand(seats=(2, 3), seconds=2.5, seed="0f1e2d3c...", secret_file=None, shard="1/2"),
        contests=(Contest("stellar", 2, {"deck": {"sha256": "ab"}, "rounds": 3}, (1, 0)),),
        tables={"ab": {"cards": [1, None]}},
        blocks=(4,),
        for_s=2.5,
        shard=ShardBlocks(1, 2, 0, 2),
        shards=(JoinedShard("höst", 1, None),),
        without=(WithoutBot("alpha", "alpha-1"), WithoutBot("beta", "beta-1", 7)),
        limits={"move_ms": 5},
        retries=1,
        threads=2,
        freeze="on",
    )
    run = a_run(settings=settings, host="höst")
    with store.lock():
        store.begin(run)
    assert (run,) == Store(root).runs()
    assert run == Store(root).unfinished_run()


def with_settings_as(root, text):
    """Store a run whose settings are the JSON *text*, as another version of the ladder wrote them."""
    with Store(root).lock() as store:
        store.begin(a_run())
    table, tag = parquet.read_with_tag(root / "runs.parquet", schema.RUNS)
    column = table.column_names.index("settings")
    table = table.set_column(column, table.schema.field(column), [[text]])
    (root / "runs.parquet").write_bytes(parquet.encode_with_tag(table, tag))


def test_no_bit_of_the_list_of_runs_flips_unnoticed(root):
    with Store(root).lock() as store:
        store.begin(a_run())
    file = root / "runs.parquet"
    for _ in flips(file, 300):
        with pytest.raises((DamagedResults, NewerFormat)):
            parquet.read_with_tag(file, schema.RUNS)


def test_a_list_of_an_older_ladder_has_no_seal_and_is_read(root):
    table = schema.to_table([a_run()], Run)
    extra = {b"ladder.tag": b"null", b"ladder.digest": parquet._digest(table, b"null")}
    old = parquet.encode(table.replace_schema_metadata({**table.schema.metadata, **extra}))
    root.mkdir()
    (root / "runs.parquet").write_bytes(old)
    assert (table, None) == parquet.read_with_tag(root / "runs.parquet", schema.RUNS)


OLD_SETTINGS = (
    '{"asked":{"bots":[],"for":null,"game":["stellar"],"games":20,"option":[],"schedule":null,"seats":[],'
    '"secret-file":null,"seed":1,"shard":null},"blocks":[10],"contests":[{"bots":[0,1],"game":"stellar",'
    '"options":{"face_down_number":"printed"},"seats":2}],"epochs":[16],"for_s":null,"freeze":"auto",'
    '"left_out":[],"limits":{"bank_ms":10000,"line_bytes":65536,"memory_mb":512,"move_ms":1000,'
    '"processes":64,"start_ms":10000,"stderr_bytes":16777216},"retries":0,"schedule":"adaptive",'
    '"shard":{"end":10,"first":5,"number":2,"of":2},"tables":{},"threads":2,'
    '"without":[{"from":null,"name":"alpha","version":"alpha-1"}]}'
)


def test_settings_that_were_stored_as_an_untyped_table_are_read_and_stored_again_as_they_were(root):
    with_settings_as(root, OLD_SETTINGS)
    store = Store(root)
    (run,) = store.runs()
    assert RunCommand(game=("stellar",), games=20, seed=1) == run.settings.asked
    assert (Contest("stellar", 2, {"face_down_number": "printed"}, (0, 1)),) == run.settings.contests
    assert (ShardBlocks(2, 2, 5, 10), 5, True) == (run.settings.shard, run.first_block, run.guessable)
    assert (WithoutBot("alpha", "alpha-1"),) == run.settings.without
    with store.lock():
        store.amend(run.settings)
    table, _ = parquet.read_with_tag(root / "runs.parquet", schema.RUNS)
    (text,) = table.column("settings").to_pylist()
    then = msgspec.json.decode(OLD_SETTINGS)
    asked = then["asked"] | {"until": None, "max-faults": None, "forever": None, "limit": None}
    asked |= {"max-cost": None, "max-tokens": None}
    new = {"shards": [], "duel": None, "play": None, "until": None, "max_faults": None, "asked": asked}
    new |= {"link": None, "reference": None, "apart": None, "max_cost": None, "max_tokens": None}
    new |= {"tournament": None, "outage_s": None}
    assert then | new == msgspec.json.decode(text)
    assert text == schema.to_json(msgspec.json.decode(text)), "canonical"


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("{}", RunSettings()),
        ('{"asked":{"bots":[],"games":20},"sandbox":"auto"}', RunSettings(asked=RunCommand(games=20))),
        (
            '{"blocks":[10],"epoch":16,"limits":{"move_ms":9}}',
            RunSettings(blocks=(10,), limits={"move_ms": 9}),
        ),
    ],
)
def test_what_older_versions_did_not_store_has_its_default(root, text, settings):
    with_settings_as(root, text)
    (run,) = Store(root).runs()
    assert (settings, 0) == (run.settings, run.first_block)


def test_settings_that_cannot_be_read_are_damage_that_names_the_file(root):
    with_settings_as(root, '{"schedule":"by the moon"}')
    with pytest.raises(DamagedResults, match=r"runs\.parquet.*by the moon"):
        Store(root).runs()


def test_blocks_come_back_as_they_were_sent(halfway, root):
    assert [a_block(number) for number in range(6)] == list(Store(root).contents().blocks(1))


def test_blocks_of_an_unfinished_run_end_at_the_first_gap(halfway):
    assert [0, 1, 2, 3, 4, 5] == numbers(halfway)
    assert [0, 1, 2, 3, 4, 5, 7] == numbers(halfway, gaps=True)
    assert [4, 5] == numbers(halfway, start=4)
    assert 6 == halfway.contents().first_missing(1)
    assert {0, 1, 2, 3, 4, 5, 7} == halfway.contents().committed_blocks(1)


def test_a_second_result_for_a_block_is_dropped_and_logged(store, caplog):
    first, second = a_block(0), a_block(0, duration_us=1)
    with begin_run(store):
        assert store.append(0, encode_block(first))
        assert not store.append(0, encode_block(second))
        store.seal()
        assert not store.append(0, encode_block(second))
    assert [first] == list(store.contents().blocks(1))
    assert 2 == caplog.text.count("a second result for block 0 of run 1 was dropped")


BEYOND = [
    a_match(seats=[a_seat(usage=Usage(2**63, 1, 0.0)), a_seat("beta", 2)]),
    a_match(seats=[a_seat(think_us=[2**63]), a_seat("beta", 2)]),
    a_match(seats=[a_seat(rank=2**31), a_seat("beta", 2)]),
    a_match(duration_us=2**63),
]
"""Matches with a number that no column holds."""


@pytest.mark.parametrize(
    ("payload", "why"),
    [
        (b"{", "a record that cannot be kept"),
        (encode_block(a_block(1)), "of block 1"),
        (encode_block(Block(0, [], [])), "got 0"),
        (encode_block(a_block(0, run=2)), "runs 2"),
        (encode_block(Block(0, [a_match(), a_match(attempt=1)], [])), "one twice"),
        (encode_block(Block(0, [a_match(void=True), a_match()], [])), "one twice"),
        (encode_block(Block(0, [a_match(block=5)], [])), "others"),
        (encode_block(Block(0, [a_match()], [a_fault(7)])), "others"),
        (encode_block(Block(0, [a_match(ranks=(1, None))], [])), "a rank"),
        (encode_block(Block(0, [a_match(bots=("alpha", "alpha"))], [])), "different versions"),
        *((encode_block(Block(0, [match], [])), "a record that cannot be kept") for match in BEYOND),
    ],
)
def test_what_is_not_the_block_is_refused_and_the_run_goes_on(store, payload, why):
    with begin_run(store):
        with pytest.raises(ValueError, match=why):
            store.append(0, payload)
        put(store, 0)
    assert [0] == numbers(store)


def test_sealing_takes_the_unbroken_prefix_and_leaves_the_rest(store, root):
    with begin_run(store, 0, 1, 3):
        assert 4 == store.seal()
        assert 0 == store.seal()
        assert 4 == pq.ParquetFile(root / "matches" / "000001.parquet").metadata.num_rows
        put(store, 2)
        assert 4 == store.seal()
        put(store, 4, 6)
        assert 2 == store.seal()
    assert [0, 1, 2, 3, 4] == numbers(store)


def test_many_matches_are_sealed_in_several_segments(store, root, monkeypatch):
    monkeypatch.setattr(writer, "SEGMENT_MATCHES", 4)
    with begin_run(store, *range(5)):
        store.seal()
    segments = store.contents().segments(1)
    assert [(0, 1), (2, 3), (4, 4)] == [(each.first_block, each.last_block) for each in segments]
    assert [*range(5)] == numbers(store)


def test_a_segment_tells_its_format_and_bears_checksums_in_its_pages(halfway, root):
    file = pq.ParquetFile(root / "matches" / "000002.parquet", page_checksum_verification=True)
    assert b"1" == file.schema_arrow.metadata[b"ladder.format"]
    assert schema.MATCHES == file.read().schema
    assert "ZSTD" == file.metadata.row_group(0).column(0).compression


def test_a_finished_run_lies_in_parquet_files_alone(store, root):
    with begin_run(store, 0, 1):
        assert 2 == store.finish(1, 2).blocks
    assert None is store.unfinished_run()
    assert 4 == pq.read_table(root / "matches").num_rows
    assert 1 == pq.read_table(root / "faults").num_rows
    assert 1 == pq.read_table(root / "runs.parquet").num_rows


def test_a_run_with_blocks_missing_cannot_finish(store):
    with begin_run(store, 0, 2):
        with pytest.raises(ValueError, match="missing or beyond: 1"):
            store.finish(1, 3)
        with pytest.raises(ValueError, match="missing or beyond: 1, 2"):
            store.finish(1, 2)
        put(store, 1)
        assert 3 == store.finish(1, 3).blocks


def test_a_run_that_ends_early_drops_the_blocks_behind_its_end(store, root):
    with begin_run(store, 0, 1):
        store.seal()
        put(store, 2, 3, 5)
        with pytest.raises(ValueError, match="missing or beyond: 4"):
            store.finish(1, 6, drop_rest=True)
        assert 3 == store.finish(1, 3, drop_rest=True).blocks
    assert [0, 1, 2] == numbers(store)
    assert [*range(6)] == store.matches().column("number").to_pylist()
    assert 6 == sum(pq.read_table(file).num_rows for file in (root / "matches").iterdir())


def test_other_results_take_the_place_of_journalled_blocks_and_of_no_others(store, root):
    with begin_run(store, 0, 1, 3):
        other = a_block(3, moves="[]")
        store.replace({3: encode_block(other)})
        assert [a_block(0), a_block(1), other] == [*Store(root).contents().blocks(1, gaps=True)]
        assert 4 == store.seal()
        for number in (0, 2):  # it is sealed; it is not there
            with pytest.raises(ValueError, match="expected blocks in the journal, got: "):
                store.replace({3: encode_block(other), number: encode_block(a_block(number))})
        put(store, 2)
        store.finish(1, 4)
        assert other == [*Store(root).contents().blocks(1)][3]


def test_an_end_within_what_is_sealed_is_refused_and_drops_nothing(store):
    with begin_run(store, 0, 1):
        store.seal()
        put(store, 2)
        with pytest.raises(ValueError, match="missing or beyond: 1, 2"):
            store.finish(1, 1, drop_rest=True)
        assert 3 == store.finish(1, 3).blocks
    assert [0, 1, 2] == numbers(store)


def test_an_abandoned_run_keeps_what_is_journalled_in_number_order(halfway):
    with halfway.lock():
        assert 7 == halfway.abandon(1).blocks
    assert [0, 1, 2, 3, 4, 5, 7] == numbers(halfway)
    assert {0, 1, 2, 3, 4, 5, 7} == halfway.contents().committed_blocks(1)
    assert [*range(12), 14, 15] == halfway.matches().column("number").to_pylist()


def test_the_last_run_can_be_opened_again_and_goes_on_where_it_ended(store, root):
    with begin_run(store):
        with pytest.raises(ValueError, match="expected the last run to be finished"):
            store.reopen(RunSettings(for_s=1.0))
        put(store, 0, 1)
        store.finish(1, 2)
        run = store.reopen(RunSettings(for_s=1.0))
        assert (None, None, 1.0) == (run.finished, run.blocks, run.settings.for_s)
        assert store.append(1, encode_block(a_block(1))) is None  # it has that one
        put(store, 2)
    assert store.unfinished_run() == run
    with store.lock():
        assert 3 == store.finish(1, 3).blocks
    assert [0, 1, 2] == numbers(store)
    assert [*range(6)] == store.matches().column("number").to_pylist()


def test_runs_follow_one_another(store):
    with begin_run(store):
        with pytest.raises(ValueError, match="run 1 to be finished"):
            store.begin(a_run(2))
        store.finish(1, 0)
        with pytest.raises(ValueError, match="unfinished run 2"):
            store.begin(a_run(3))
        store.begin(a_run(2))
        put(store, 0, run=2)
        with pytest.raises(ValueError, match="expected run 2"):
            store.finish(1, 0)
        store.finish(2, 1)
    assert [1, 2] == [run.run for run in store.runs()]
    assert [2, 2] == store.matches().column("run").to_pylist()
    assert 0 == len(store.matches(run=1))


def test_void_attempts_are_kept_but_do_not_stand(store):
    void = a_match(0, ranks=(None, None), void=True)
    block = Block(0, [void, a_match(0, attempt=1), a_match(1)], [a_fault(0), a_fault(0, attempt=1)])
    with begin_run(store):
        store.append(0, encode_block(block))
        for _ in ("journalled", "sealed"):
            assert [block] == list(store.contents().blocks(1))
            assert [1, 0] == store.matches(["attempt"]).column("attempt").to_pylist()
            assert 1 == store.contents().match(1, 0).attempt
            assert 2 == len(store.contents().faults())
            store.seal()


def test_matches_have_the_columns_asked_for(halfway):
    table = halfway.matches(["number", "seats.rank", "seats.bot"])
    assert ["number", "seats"] == table.column_names
    row = {"number": 15, "seats": [{"bot": "beta", "rank": 1}, {"bot": "alpha", "rank": 2}]}
    assert row == table.to_pylist()[-1]


def test_matches_come_whole_and_in_number_order(halfway):
    blocks = halfway.contents().blocks(1, gaps=True)
    assert [match for block in blocks for match in block.matches] == schema.records_from(
        halfway.matches(), Match
    )


def test_a_column_that_is_none_is_refused(halfway):
    with pytest.raises(KeyError, match=r"seats\.elo"):
        halfway.matches(["number", "seats.elo"])


def test_faults_come_in_number_order(halfway):
    assert [a_fault(2), a_fault(8), a_fault(14)] == schema.records_from(halfway.contents().faults(), Fault)


def put_lapses(store, number, *lapses):
    block = a_block(number)
    faults = [a_fault(block.matches[0].number, charged=not lapse, lapse=lapse) for lapse in lapses]
    store.append(number, encode_block(Block(number, block.matches, faults)))


def test_lapses_are_read_from_segments_with_their_bots(store):
    with begin_run(store):
        put_lapses(store, 0, "stray", None)
        put_lapses(store, 1, "unrepeated")
        store.seal()
        put_lapses(store, 2, "repeated")
        store.commit()
    assert [("alpha", "alpha-1", lapse) for lapse in ("stray", "unrepeated")] == list(
        store.contents().lapses(1)
    )
    assert ["stray", None, "unrepeated", "repeated"] == store.contents().faults().column("lapse").to_pylist()


def test_faults_from_before_lapses_had_a_column_have_no_lapse(store, root):
    with pytest.MonkeyPatch.context() as patch, store.lock():
        names = [name for name in schema.FAULTS.names if name != "lapse"]
        old = pa.schema(map(schema.FAULTS.field, names), schema.FAULTS.metadata)
        patch.setitem(schema.SCHEMAS, Fault, old)
        store.begin(a_run())
        put(store, 0, 1)
        store.seal()
    assert not any("lapse" in pq.read_schema(path).names for path in (root / "faults").iterdir())
    assert [] == list(store.contents().lapses(1))
    assert [a_fault(2)] == schema.records_from(store.contents().faults(), Fault)


def without(struct, first, *rest):
    """Return the type *struct* as it was before it had the field at the path *first*, *rest*."""
    if rest:
        fields = [f.with_type(without(f.type, *rest)) if f.name == first else f for f in struct]
    else:
        fields = [field for field in struct if field.name != first]
    return pa.struct(fields)


@pytest.mark.parametrize(
    "path", [["memory_bytes"], ["usage", "requests"], ["usage", "fallbacks"]], ids=".".join
)
def test_matches_from_before_a_field_was_stored_have_none(tmp_path, path):
    match = a_match(seats=[a_seat(memory_bytes=None), a_seat("beta", 2, memory_bytes=None, usage=None)])
    seats = schema.MATCHES.field("seats")
    seats = seats.with_type(pa.list_(without(seats.type.value_type, *path)))
    old = schema.MATCHES.set(schema.MATCHES.get_field_index("seats"), seats)
    rows = schema.matches_table([match]).to_pylist()
    pq.write_table(pa.Table.from_pylist(rows, schema=old), tmp_path / "old.parquet")
    assert path[-1] not in str(pq.read_schema(tmp_path / "old.parquet"))
    for columns in (None, ["seats.bot", f"seats.{path[0]}"], [f"seats.{path[0]}"]):
        now = schema.select_columns(columns)
        (table,) = parquet.read_parts(tmp_path / "old.parquet", now)
        assert schema.matches_table([match], now).equals(table)


def test_a_journalled_block_from_before_lapses_and_memory_were_stored_has_none():
    line = encode_block(a_block(1))
    for field in (b',"lapse":null', b',"memory_bytes":%d' % MEMORY, b',"fallbacks":null'):
        assert field in line
        line = line.replace(field, b"")
    old = decode_block(line)
    assert [None] == [fault.lapse for fault in old.faults]
    assert {None} == {seat.memory_bytes for match in old.matches for seat in match.seats}


@pytest.mark.parametrize("number", [0, 9, 11, 15])
def test_one_match_is_found_sealed_or_journalled(halfway, number):
    assert a_block(number // 2).matches[number % 2] == halfway.contents().match(1, number)


def test_a_match_that_was_not_played_is_not_found(halfway):
    with pytest.raises(NoSuchMatch, match="1/13"):
        halfway.contents().match(1, 13)


def test_a_match_is_found_by_the_name_that_a_bot_was_told(store):
    sealed, journalled = (
        a_lone_match(number, seats=[a_seat(name=name * 16), a_seat("beta", 2)])
        for number, name in enumerate("fe")
    )
    with begin_run(store):
        put_blocks(store, [sealed])
        store.seal()
        put_blocks(store, [journalled])
    assert sealed.matches == [store.contents().find_named("f" * 16)]
    assert journalled.matches == [store.contents().find_named("e" * 16)]
    with pytest.raises(NoSuchMatch):
        store.contents().find_named("d" * 16)


def test_the_last_match_has_the_highest_number(halfway):
    assert 15 == halfway.contents().last_match().number


def test_a_picture_stays_true_while_the_writer_goes_on(store):
    with begin_run(store, 0, 1):
        store.seal()
        put(store, 2)
        contents = store.contents()
        for number in range(3, 20):
            put(store, number)
            store.seal()
    assert [0, 1, 2] == [block.number for block in contents.blocks(1)]


def test_old_manifests_are_cleared_away_but_for_a_few(store, root):
    with begin_run(store):
        for number in range(15):
            put(store, number)
            store.seal()
    assert [f"{number:06}.json" for number in range(6, 16)] == names(root / "manifest")
    assert ["000015.log"] == names(root / "journal")


# --- the lock


def test_a_second_writer_is_told_who_holds_the_lock(store, root):
    with store.lock(), pytest.raises(HomeLocked, match=f"process {os.getpid()} is using") as caught:
        Store(root).lock().__enter__()
    assert 7 == caught.value.exit_code


def test_whether_a_store_is_free_is_found_without_writing(store, root):
    store.check_free()
    assert not root.exists()
    with store.lock():
        with pytest.raises(HomeLocked, match=f"process {os.getpid()} is using"):
            Store(root).check_free()
        assert store.is_locked
        held = (root / "lock").read_bytes()
    (root / "lock").write_bytes(b"4194305\n")
    store.check_free()
    assert not store.is_locked
    assert b"4194305\n" == (root / "lock").read_bytes() != held
    (root / "runs.parquet").write_bytes(b"")
    with pytest.raises(DamagedResults):
        Store(root).check_free()


def test_a_lock_that_was_refused_leaves_no_open_file(store, root):
    with store.lock():
        before = os.dup(0)
        os.close(before)
        with pytest.raises(HomeLocked):
            Store(root).lock().__enter__()
        after = os.dup(0)
        os.close(after)
    assert before == after  # the lowest number that is free


# --- killed, failed


@pytest.mark.parametrize("halves", [False, True])
@pytest.mark.slow
def test_a_disk_that_fails_at_any_call_loses_nothing_that_was_committed(tmp_path, halves):
    undisturbed = Store(tmp_path / "undisturbed")
    store_life.play(undisturbed, set())
    matches, faults = undisturbed.matches(), undisturbed.contents().faults()
    for calls in count(0, every(3)):
        root, acknowledged, disk = tmp_path / str(calls), set(), FailingDisk(calls, halves)
        try:
            store_life.play(Store(root, disk), acknowledged)
        except DiskFailed:
            if halves and not disk.torn:
                continue  # as without halves
        else:
            break
        again = Store(root, NoSyncDisk())
        with again.lock():
            assert acknowledged <= store_life.facts(again)
        store_life.play(again, acknowledged)
        contents = again.contents()
        assert dict.fromkeys(range(12), 1) == each_match_once(contents)
        assert matches.equals(contents.matches())
        assert faults.equals(contents.faults())
        assert [6, None] == [run.blocks for run in contents.runs]
        assert 1 == len([path for path in root.rglob("*") if path.suffix in (".tmp", ".log")])
    assert calls > 90


def test_after_a_failure_nothing_more_is_written(store, root):
    disk = FailingDisk(10**6)
    with Store(root, disk).lock() as failing:
        failing.begin(a_run())
        put(failing, 0)
        failing.commit()
        disk.left = 0
        with pytest.raises(DiskFailed, match="Input/output error"):
            put(failing, 1)
        disk.left = 10**6
        for again in (failing.commit, failing.seal, lambda: put(failing, 1)):
            with pytest.raises(DiskFailed, match="writing ended before"):
                again()
    assert [0] == numbers(store)


def test_a_reader_sees_every_block_once_after_every_call_of_the_writer(root):
    safe, looks = set(), Counter()

    def look():
        reader = Store(root)
        seen = numbers(reader, gaps=True) if reader.runs() else []
        assert sorted(set(seen)) == seen
        assert {fact[2] for fact in safe if fact[0] == "block"} <= set(seen)
        looks[len(seen)] += 1

    store_life.play(Store(root, WatchedDisk(look)), safe)
    assert set(range(7)) == set(looks)


@pytest.mark.slow
def test_without_a_lock_a_second_writer_at_any_moment_makes_nothing_wrong_and_nothing_double(
    tmp_path, monkeypatch
):
    """F9: where locks do not hold, one of the two may fail and files may be lost, but never unnoticed."""
    monkeypatch.setattr("results.storage.locking._lock", os.open)
    undisturbed = Store(tmp_path / "undisturbed", NoSyncDisk())
    store_life.play(undisturbed, set())
    matches, outcomes = undisturbed.matches(), Counter()
    for calls in count(0, every(3)):
        root, left = tmp_path / str(calls), iter(range(calls))

        def intrude(root=root, left=left):
            if next(left, None) is None and not (root / "done").exists():
                (root / "done").touch()
                with suppress(ResultsError, ValueError):
                    store_life.play(Store(root, NoSyncDisk()), set(), blocks=2)

        with suppress(ResultsError, ValueError):
            store_life.play(Store(root, WatchedDisk(intrude)), set())
        again = Store(root, NoSyncDisk())
        try:
            store_life.play(again, set())
        except DamagedResults:
            outcomes["refused"] += 1
        else:
            assert matches.equals(again.matches())
            outcomes["right"] += 1
        if not (root / "done").exists():
            break
    assert outcomes["right"] > 4 * outcomes["refused"]


def test_rows_of_the_journal_that_a_segment_holds_already_are_ignored(store, root):
    """F14: they are there if the process ends between the manifest and the removal of the old journal."""
    with begin_run(store, 0, 1):
        lines = (root / "journal" / "000000.log").read_bytes().splitlines(keepends=True)[1:]
        store.seal()
        put(store, 2)
        store.commit()
    journal = root / "journal" / "000001.log"
    journal.write_bytes(journal.read_bytes() + b"".join(lines))
    assert [0, 1, 2] == numbers(store)
    with store.lock():
        store.finish(1, 3)
    assert dict.fromkeys(range(6), 1) == each_match_once(store.contents())


# --- damaged


def files(root):
    """All files whose bytes mean something: not old manifests, the lock, or what can be computed again."""
    found = [path for path in sorted(root.rglob("*.*")) if path.name not in ("000000.json", "000001.json")]
    return [path for path in found if path.suffix != ".cache"]


def read_all(root):
    store = Store(root)
    with store.lock():
        for run in store.runs():
            list(store.contents().blocks(run.run))


@pytest.mark.slow
def test_a_flipped_bit_in_any_file_is_refused_and_the_file_named(halfway, root):
    for path in files(root):
        if path.name == "runs.parquet":
            continue
        for _ in flips(path):
            with pytest.raises((DamagedResults, NewerFormat), match=path.name):
                read_all(root)
    read_all(root)


@pytest.mark.slow
def test_a_file_cut_short_anywhere_is_refused_and_named(halfway, root):
    """F12.  A journal that ends early is the work of a power cut, and is continued."""
    for path in (path for path in files(root) if path.suffix != ".log"):
        whole = path.read_bytes()
        for size in range(0, len(whole), max(1, min(37, len(whole) // 20))):
            path.write_bytes(whole[:size])
            with pytest.raises(DamagedResults, match=path.name):
                read_all(root)
        path.write_bytes(whole)
    read_all(root)


def test_a_missing_file_is_refused(halfway, root):
    for path in files(root):
        whole = path.read_bytes()
        path.unlink()
        with pytest.raises(DamagedResults) as caught:
            read_all(root)
        assert 4 == caught.value.exit_code
        path.write_bytes(whole)
    read_all(root)


def test_two_files_in_each_others_place_are_refused(halfway, root):
    for folder, suffix in (("matches", "parquet"), ("manifest", "json")):
        one, two, other = (root / folder / f"{name}.{suffix}" for name in ("000001", "000002", "x"))
        for _ in ("there", "and back"):
            one.rename(other)
            two.rename(one)
            other.rename(two)
            if _ == "there":
                with pytest.raises(DamagedResults):
                    read_all(root)
    read_all(root)


def test_a_changed_segment_is_refused_though_parquet_reads_it(halfway, root):
    """The checksums of pages do not cover the footer, which says what wrote the file."""
    path = root / "matches/000001.parquet"
    whole = path.read_bytes()
    assert 1 == whole.count(b"parquet-cpp-arrow")
    path.write_bytes(whole.replace(b"parquet-cpp-arrow", b"parquet-cpp-arrov"))
    assert 3 == pq.read_metadata(path).num_rows // 2
    with pytest.raises(DamagedResults, match=r"000001\.parquet.* does not match its checksum"):
        read_all(root)


class ClearedOnce(NoSyncDisk):
    """A disk on which a manifest is cleared away between the listing and the reading of it, once."""

    cleared = False

    def read(self, path):
        if path.parent.name == "manifest" and not self.cleared:
            self.cleared = True
            raise FileNotFoundError(path)
        return super().read(path)


def test_results_are_read_again_if_a_manifest_was_cleared_away_meanwhile(halfway, root):
    disk = ClearedOnce()
    assert halfway.contents().manifest == Store(root, disk).contents().manifest
    assert disk.cleared


def test_segments_without_a_manifest_are_never_cleared_away(halfway, root):
    for path in [*(root / "manifest").iterdir(), root / "format.json"]:
        path.unlink()
    with pytest.raises(DamagedResults), halfway.lock():
        pass
    assert ["000001.parquet", "000002.parquet"] == names(root / "matches")


def test_a_newer_format_is_refused(halfway, root):
    (root / "format.json").write_text('{"format":2}')
    with pytest.raises(
        NewerFormat, match="has format 2, but this ladder reads only up to format 1"
    ) as caught:
        halfway.runs()
    assert 4 == caught.value.exit_code


def test_damaged_ratings_are_left_out_with_a_warning(store, root, caplog):
    table = schema.RATINGS.empty_table()
    with store.lock():
        store.save_ratings(table, {"run": 1})
        assert (table, {"run": 1}) == store.ratings()
    path = root / "ratings.parquet"
    path.write_bytes(path.read_bytes()[:-1])
    assert None is store.ratings()
    assert "computed again" in caplog.text


def test_what_others_put_beside_the_segments_stays(halfway, root):
    (root / "matches" / "notes.txt").write_text("mine")
    with halfway.lock():
        halfway.abandon(1)
    assert (root / "matches" / "notes.txt").exists()


def test_a_read_only_home_is_said_before_anything_is_played(tmp_path):
    if os.geteuid() == 0:
        pytest.skip("root may write anywhere")
    tmp_path.chmod(0o555)
    with pytest.raises(DiskFailed), Store(tmp_path / "results").lock():
        pass


def test_the_manifest_says_what_a_segment_holds(halfway, root):
    segment = msgspec.json.decode((root / "manifest" / "000002.json").read_bytes())["manifest"]["segments"][0]
    data = Path(root / "matches" / "000001.parquet").read_bytes()
    assert {"rows": 6, "size": len(data), "sha256": sha256(data).hexdigest()} == segment["matches"]
    assert (0, 2, 0, 5) == tuple(
        segment[key] for key in ("first_block", "last_block", "first_match", "last_match")
    )


# --- the way into columns and back


def test_matches_of_any_shape_survive_the_way_into_columns_and_back():
    matches = [
        a_match(0),
        a_match(1, void=True, ranks=(None, None), deal={"piles": [[1, None], []]}),
        a_match(2, bots=("a", "b", "c", "d"), ranks=(1, 2, 2, 4), options={}),
        a_match(
            3, seats=[a_seat(think_us=[], notes=[], usage=None, cpu_us=None, fault="crash", fault_step=-1)]
        ),
    ]
    assert matches == schema.records_from(schema.matches_table(matches), Match)
    assert matches[1:3] == schema.records_from(schema.matches_table(matches).slice(1, 2), Match)
    assert [] == schema.records_from(schema.matches_table([]), Match)


def test_what_a_bot_did_not_say_of_its_usage_is_stored_as_unknown():
    said = [Usage(1, 2, 0.5, 3, 4), Usage(cost_usd=0.25), Usage(0, 0, 0.0), None]
    match = a_match(seats=[a_seat(usage=usage) for usage in said])
    table = schema.matches_table([match])
    assert [match] == schema.records_from(table, Match)
    stored = table.column("seats").combine_chunks().flatten().field("usage").to_pylist()
    assert [3, None, None, None] == [each and each["requests"] for each in stored]
    assert [1, None, 0, None] == [each and each["input_tokens"] for each in stored]
    assert [4, None, None, None] == [each and each["fallbacks"] for each in stored]


def test_a_table_of_matches_can_be_made_of_a_single_seat_column():
    table = schema.matches_table(
        [a_match(0), a_match(1, ranks=(2, 1))], schema.select_columns(["seats.rank"])
    )
    assert [{"seats": [{"rank": rank} for rank in ranks]} for ranks in ((1, 2), (2, 1))] == table.to_pylist()


# --- what is read and decoded once


class Counting(Disk):
    """Counts how often each file is read."""

    def __init__(self):
        super().__init__()
        self.reads = Counter()

    def read(self, path):
        self.reads[path] += 1
        return super().read(path)


def test_a_journal_is_read_once_to_go_on_with_it(halfway, root):
    disk = Counting()
    again = Store(root, disk)
    assert 1 == again.unfinished_run().run
    assert {} == {path.name: n for path, n in disk.reads.items() if path.suffix == ".log"}
    with again.lock():
        run = again.amend(again.unfinished_run().settings)
        contents = again.contents()
        assert (run,) == contents.runs
        assert [5, 7] == [block.number for block in contents.journal_blocks]
        assert again.contents() is contents
    assert {"000002.log": 1} == {path.name: n for path, n in disk.reads.items() if path.suffix == ".log"}


@pytest.mark.parametrize("write", [lambda store: put(store, 6), Store.seal, lambda store: store.abandon(1)])
def test_a_store_that_has_written_reads_its_results_again(halfway, write):
    with halfway.lock():
        before = halfway.contents()
        write(halfway)
        put_aside = halfway.contents()
        assert before is not put_aside
        fresh = Store(halfway.folder.root).contents()
        assert (fresh.runs, fresh.journal_blocks) == (put_aside.runs, put_aside.journal_blocks)
        assert fresh.manifest == put_aside.manifest


def test_a_block_is_decoded_once_when_it_arrives(store, monkeypatch):
    decoded = []
    monkeypatch.setattr(writer, "decode_block", lambda line: decoded.append(line) or decode_block(line))
    payload = encode_block(a_block(0))
    with begin_run(store):
        block = store.append(0, payload)
    assert a_block(0) == block
    assert [payload] == decoded


# -- the plan of a run


def test_a_plan_is_kept_while_its_run_is_unfinished(store, root):
    with begin_run(store):
        assert [] == store.plan(1)
        store.append_plan(b"[1]")
        assert [b"[1]"] == store.plan(1) == Store(root).plan(1)
        put(store, 0)
        store.seal()
    with store.lock():
        store.append_plan(b"[2]")
        assert [b"[1]", b"[2]"] == store.plan(1)
        store.finish(1, 1)
        assert [] == store.plan(1)
        assert [] == names(root / "plan")
        store.begin(a_run(2))
        store.append_plan(b"[3]")
        store.abandon(2)
        assert [] == names(root / "plan")


@pytest.mark.parametrize("damage", [lambda data: data[:-9] + b"9" + data[-8:], lambda data: b"", None])
def test_a_plan_that_is_lost_or_damaged_is_empty_and_begins_anew(store, root, damage, caplog):
    with begin_run(store):
        store.append_plan(b'{"epoch":0}')
        store.append_plan(b'{"epoch":1}')
    path = root / "plan/000001.log"
    if damage:
        path.write_bytes(damage(path.read_bytes()))
    else:
        path.unlink()
    with store.lock():
        assert [] == store.plan(1)
        assert (damage is not None) == ("the run is planned again from its matches" in caplog.text)
        store.append_plan(b'{"epoch":0}')
        assert [b'{"epoch":0}'] == store.plan(1)


def test_a_line_of_a_plan_that_a_crash_has_torn_is_cut_off(store, root):
    with begin_run(store):
        store.append_plan(b'{"epoch":0}')
        store.append_plan(b'{"epoch":1}')
    path = root / "plan/000001.log"
    path.write_bytes(path.read_bytes()[:-3])
    with store.lock():
        assert [b'{"epoch":0}'] == store.plan(1)
        store.append_plan(b'{"epoch":1}')
    assert [b'{"epoch":0}', b'{"epoch":1}'] == store.plan(1)


def test_a_plan_that_a_lost_run_has_left_is_not_that_of_the_next_run_of_this_number(store, root):
    with begin_run(store):
        store.append_plan(b"[1]")
    left = (root / "plan/000001.log").read_bytes().replace(b"000001", b"000002")
    with store.lock():
        store.abandon(1)
        (root / "plan/000002.log").write_bytes(left)
        store.begin(a_run(2))
        assert [] == store.plan(2)
