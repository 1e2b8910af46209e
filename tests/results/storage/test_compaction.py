"""Long segments made of short ones: every row once, for whoever reads, whatever ends the writing."""

from collections import Counter
from itertools import count

import pyarrow.parquet as pq
import pytest
from support import ladders
from support.command_line import run_here
from support.disks import FailingDisk, WatchedDisk
from support.full import every
from support.records import a_block, a_lone_match, a_run, a_seat
from support.stores import begin_run, filled, put, put_blocks

from results.errors import DamagedResults, DiskFailed, NoSuchMatch
from results.rating import cache
from results.rating.origin import ratings_table
from results.storage import compaction, parquet
from results.storage.disk import Disk
from results.storage.store import Store

BLOCKS = 12


@pytest.fixture
def store(root):
    return filled(Store(root), begin)


def begin(store, run=1, blocks=range(BLOCKS)):
    """Play *blocks*, with a segment after every third."""
    with store.lock():
        store.begin(a_run(run))
        for number in blocks:
            put(store, number, run=run)
            if number % 3 == 2:
                store.seal()


def finish(store):
    with store.lock():
        store.finish(1, BLOCKS)


def compact(store):
    with store.lock():
        store.compact()


def shown(contents):
    """Return the blocks that a contents shows."""
    return [block for run in contents.runs for block in contents.blocks(run.run)]


def seen(contents):
    """Return all that a contents shows, by every way of reading."""
    blocks = [block for run in contents.runs for block in contents.blocks(run.run, gaps=True)]
    matches = [match for block in blocks for match in block.matches]
    one_by_one = [contents.match(match.run, match.number) for match in matches]
    return blocks, one_by_one, contents.matches(), contents.faults()


def files(root):
    return {path.name: path.stat().st_ino for path in [*root.glob("matches/*"), *root.glob("faults/*")]}


# --- what it does


def test_the_segments_of_a_run_become_one_with_the_same_rows_in_the_same_order(store, root):
    finish(store)
    before, ratings = seen(store.contents()), ratings_table(cache.ratings_current(store))
    compact(store)
    (segment,) = store.contents().segments()
    assert (BLOCKS, 0, 11, 0, 23) == (
        segment.blocks,
        segment.first_block,
        segment.last_block,
        segment.first_match,
        segment.last_match,
    )
    assert before == seen(Store(root).contents())
    assert ratings.equals(ratings_table(cache.ratings_current(Store(root))))
    assert {f"{segment.name}.parquet"} == files(root).keys()
    assert 24 == pq.read_table(root / "matches").num_rows
    once = files(root)
    compact(store)
    assert once == files(root)


def test_the_sealed_part_of_an_unfinished_run_is_compacted_and_the_run_goes_on(root):
    store = Store(root)
    begin(store, blocks=range(BLOCKS - 1))
    assert 3 == len(store.contents().segments())
    with store.lock():
        store.compact()
        assert [9] == [segment.blocks for segment in store.contents().segments()]
        put(store, 11)
        store.finish(1, BLOCKS)
    assert [a_block(number) for number in range(BLOCKS)] == list(store.contents().blocks(1))


def test_runs_stay_apart(store):
    finish(store)
    begin(store, 2)
    compact(store)
    assert [1, 2] == [segment.run for segment in store.contents().segments()]
    assert [1] * 24 + [2] * 24 == store.matches().column("run").to_pylist()


def test_a_run_with_gaps_keeps_them(root):
    store = Store(root)
    begin(store, blocks=[0, 1, 2, 3, 5, 7])
    with store.lock():
        store.abandon(1)
        store.compact()
    assert [6] == [segment.blocks for segment in store.contents().segments()]
    assert {0, 1, 2, 3, 5, 7} == store.contents().committed_blocks(1)


@pytest.mark.parametrize(("what", "most"), [("MOST_ROWS", 12), ("MOST_BYTES", 60_000)])
def test_a_segment_holds_no_more_than_is_sensible(store, root, monkeypatch, what, most):
    finish(store)
    monkeypatch.setattr(compaction, what, most)
    before = seen(store.contents())
    compact(store)
    segments = store.contents().segments()
    assert 1 < len(segments) < 4
    assert 12 >= max(segment.matches.rows for segment in segments) or what == "MOST_BYTES"
    assert before == seen(store.contents())


def test_a_long_segment_is_read_a_group_of_rows_at_a_time(store, root, monkeypatch):
    finish(store)
    monkeypatch.setattr(parquet, "GROUP_ROWS", 8)
    compact(store)
    contents = store.contents()
    (segment,) = contents.segments()
    assert [12, 12] == [len(part) for part in contents.files.rows(segment)]
    assert [12] == [len(part) for part in contents.files.rows(segment, numbers=(20,))]
    assert [12, 12] == [len(part) for part in contents.files.rows(segment, numbers=(20, 3))]
    assert a_block(10).matches[0] == contents.match(1, 20)
    with pytest.raises(NoSuchMatch):
        contents.match(1, 24)


def test_a_match_is_found_by_name_in_a_long_segment(root):
    store = Store(root)
    with begin_run(store):
        for number in range(3):
            put_blocks(
                store, [a_lone_match(number, seats=[a_seat(name=f"{number:016x}"), a_seat("beta", 2)])]
            )
            store.seal()
        store.finish(1, 3)
        store.compact()
    assert [0, 1, 2] == [store.contents().find_named(f"{number:016x}").number for number in range(3)]


# --- whoever reads meanwhile


def test_a_picture_stays_true_when_its_segments_have_become_others(store, monkeypatch):
    finish(store)
    contents, before = store.contents(), seen(store.contents())
    monkeypatch.setattr(compaction, "MOST_ROWS", 12)
    compact(store)
    between = store.contents()
    monkeypatch.undo()
    compact(store)
    assert (4, 2, 1) == tuple(len(each.segments()) for each in (contents, between, store.contents()))
    assert before == seen(contents) == seen(between)
    parts = [part for segment in contents.segments() for part in contents.files.rows(segment)]
    assert [6, 6, 6, 6] == list(map(len, parts))


def test_a_segment_that_is_gone_and_no_part_of_another_is_missed(store, root):
    finish(store)
    contents = store.contents()
    name = contents.segments()[1].name
    (root / "matches" / f"{name}.parquet").unlink()
    with pytest.raises(DamagedResults, match=f"{name}.parquet is damaged: it is missing"):
        contents.matches()


def test_readers_see_every_row_once_after_every_call_of_compact(root):
    store = Store(root)
    begin(store, blocks=range(6))
    old = store.contents()
    expected = shown(old)
    looks = Counter()

    def look():
        new = Store(root).contents()
        assert expected == shown(new) == shown(old)
        looks[len(new.segments())] += 1

    compact(Store(root, WatchedDisk(look)))
    assert {1, 2} == looks.keys()


# --- killed, failed


@pytest.mark.parametrize("halves", [False, True])
@pytest.mark.slow
def test_a_disk_that_fails_at_any_call_of_compact_loses_no_row_and_doubles_none(tmp_path, halves):
    for calls in count(0, every(3)):
        root = tmp_path / str(calls)
        store = Store(root)
        begin(store, blocks=range(BLOCKS - 1))
        before = shown(store.contents())
        disk = FailingDisk(calls, halves)
        try:
            compact(Store(root, disk))
        except DiskFailed:
            if halves and not disk.torn:
                continue  # as without halves
        else:
            break
        assert before == shown(Store(root).contents())
        compact(Store(root))
        assert before == shown(Store(root).contents())
        assert [9] == [segment.blocks for segment in store.contents().segments()]
        assert 18 == pq.read_table(root / "matches").num_rows
        assert 1 == len([path for path in root.rglob("*") if path.suffix in (".tmp", ".log")])
    assert calls > 20


def test_a_damaged_segment_is_not_made_part_of_another(store, root):
    finish(store)
    name = store.contents().segments()[1].name
    path = root / "matches" / f"{name}.parquet"
    whole = path.read_bytes()
    path.write_bytes(whole[:99] + bytes([whole[99] ^ 1]) + whole[100:])
    before = {name for name in files(root) if not name.startswith(".")}
    with pytest.raises(DamagedResults, match=f"{name}.parquet is damaged: it does not match its checksum"):
        compact(Store(root, Disk()))
    assert before == {name for name in files(root) if not name.startswith(".")}


# --- the command


def test_the_command_says_what_became_of_the_segments(tmp_path):
    home = ladders.a_home(tmp_path / "home", {})
    begin(Store(home.results))
    finish(Store(home.results))
    assert (0, "segments before: 4, now: 1\n") == run_here("compact", "--home", home.path)[:2]
    assert (0, "segments before: 1, now: 1\n") == run_here("compact", "--home", home.path)[:2]


def test_a_home_without_results_has_nothing_to_compact(tmp_path):
    home = ladders.a_home(tmp_path / "home", {})
    code, out, err = run_here("compact", "--home", home.path)
    assert (0, "") == (code, out)
    assert "no matches yet" in err
