"""Repair: what is damaged lies aside, what is sound is kept, what is lost is said, wherever it is cut off."""

from itertools import count

import pytest
from support.disks import FailingDisk
from support.full import every
from support.records import a_block, a_run
from support.stores import each_match_once, filled, flips, numbers, put

from results.errors import DamagedResults, DiskFailed, HomeLocked, NewerFormat
from results.record import encode_block
from results.storage import schema
from results.storage.journal import frame
from results.storage.store import Store

BLOCKS = 12
LOST = {
    1: "run 1: blocks 0 to 2, matches 0 to 5",
    2: "run 1: blocks 3 to 5, matches 6 to 11",
    4: "run 1: blocks 9 to 11, matches 18 to 23",
}


def written(root, finished=False):
    """Return a store of four segments; with the run not finished, of blocks 12, 13 and 15 besides."""
    return filled(Store(root), write, finished)


def write(store, finished):
    with store.lock():
        store.begin(a_run())
        for number in range(BLOCKS):
            put(store, number)
            if number % 3 == 2:
                store.seal()
        if finished:
            store.finish(1, BLOCKS)
        else:
            put(store, 12, 13, 15)
            store.commit()


@pytest.fixture
def store(root):
    return written(root)


@pytest.fixture
def ended(root):
    return written(root, finished=True)


def flip(path):
    data = path.read_bytes()
    middle = len(data) // 2
    path.write_bytes(data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :])


def found(audit):
    return [(damage.path.name, damage.lost) for damage in audit.damage]


def aside(root):
    return {path.name for path in (root / "damaged").iterdir()}


def times(root):
    files = (path for path in root.rglob("*") if path.is_file() and path.name != "lock")
    return {path: path.stat().st_mtime_ns for path in files}


def check_sound(store, *blocks):
    """Assert that nothing is wrong, that *blocks* are there, each once, and that the store can be opened."""
    assert [] == store.audit().damage
    with store.lock():
        assert list(blocks) == numbers(store, gaps=True)
    assert all(times == 1 for times in each_match_once(store.contents()).values())
    assert [] == store.audit().damage


def test_ratings_of_matches_that_are_lost_go_with_all_that_was_computed_with_them(ended, root):
    with ended.lock():
        ended.save_ratings(schema.RATINGS.empty_table(), {"run": 2})
        ended.save_pairs(schema.PAIRS.empty_table())
        ended.save_cached("ratings", 1)
        ended.save_cached("counts", 1)
    flip(root / "matches/000002.parquet")
    folder = ended.folder
    computed = [folder.ratings, folder.pairs, *map(folder.cache, ("ratings", "counts"))]
    assert all(path.exists() for path in computed)
    ended.repair()
    assert not any(path.exists() for path in computed)
    assert "ratings.parquet" in aside(root)


def test_the_audit_counts_the_files_that_it_compared(store, root):
    """All but the lock and the caches."""
    files = [path for path in root.rglob("*") if path.is_file() and path.suffix and path.suffix != ".cache"]
    assert len(files) == 16
    assert len(files) == store.audit().files


# -- segments


@pytest.mark.parametrize("segment", [1, 2, 4])
def test_a_damaged_segment_is_moved_aside_and_the_rest_of_a_finished_run_stays(ended, root, segment):
    path = root / f"matches/00000{segment}.parquet"
    flip(path)
    damaged = path.read_bytes()
    audit, moved = ended.repair()
    assert [(path.name, LOST[segment])] == found(audit)
    assert damaged == (root / f"damaged/matches-00000{segment}.parquet").read_bytes()
    assert {f"matches-00000{segment}.parquet", f"faults-00000{segment}.parquet"} == aside(root)
    assert sorted(aside(root)) == [path.name for path in moved]
    (run,) = ended.runs()
    assert (True, 9) == (run.finished is not None, run.blocks)
    check_sound(ended, *(set(range(12)) - {3 * segment - 3, 3 * segment - 2, 3 * segment - 1}))


def test_what_is_sealed_behind_a_hole_of_an_unfinished_run_is_journalled_again(store, root):
    flip(root / "matches/000002.parquet")
    store.repair()
    left = [0, 1, 2, *range(6, 14), 15]
    check_sound(store, *left)
    assert ["000001"] == [segment.name for segment in store.contents().manifest.segments]
    assert [0, 1, 2] == numbers(store)
    with store.lock():
        put(store, 3, 4, 5, 14)
        store.finish(1, 16)
    check_sound(store, *range(16))
    assert [a_block(number) for number in range(16)] == list(store.contents().blocks(1))


def test_readers_see_the_prefix_before_the_hole_is_closed(store, root):
    flip(root / "matches/000002.parquet")
    contents = store.audit().contents
    assert 3 == contents.first_missing(1)
    assert [0, 1, 2] == [block.number for block in contents.blocks(1)]
    assert {0, 1, 2, *range(6, 14), 15} == contents.committed_blocks(1)


def test_faults_that_are_damaged_cost_no_match(ended, root):
    flip(root / "faults/000001.parquet")
    audit, _ = ended.repair()
    lost = "the details of 1 fault in run 1: blocks 0 to 2, matches 0 to 5"
    assert [("000001.parquet", lost)] == found(audit)
    assert {"faults-000001.parquet"} == aside(root)
    check_sound(ended, *range(12))
    assert 3 == len(ended.contents().faults())


def test_a_segment_that_is_missing_is_said_to_be_lost(ended, root):
    (root / "matches/000002.parquet").unlink()
    audit, _ = ended.repair()
    assert [("000002.parquet", LOST[2])] == found(audit)
    assert "it is missing" == audit.damage[0].what
    check_sound(ended, 0, 1, 2, *range(6, 12))


def test_files_of_the_same_name_do_not_replace_one_another(ended, root):
    flip(root / "matches/000001.parquet")
    ended.repair()
    (root / "matches/000002.parquet").rename(root / "damaged/matches-000004.parquet")
    flip(root / "matches/000004.parquet")
    ended.repair()
    assert {"matches-000001.parquet", "matches-000004.parquet", "matches-000004-2.parquet"} <= aside(root)


# -- manifest, journal, runs, format


@pytest.mark.parametrize("newest_is", ["damaged", "missing"])
@pytest.mark.parametrize("finished", [True, False])
def test_an_older_manifest_and_the_segments_stand_in_for_the_newest(root, newest_is, finished):
    store = written(root, finished)
    path = root / "manifest/000004.json"
    flip(path) if newest_is == "damaged" else path.unlink()
    with pytest.raises(DamagedResults):
        store.contents()
    audit, _ = store.repair()
    assert [("000004.json", "")] == found(audit)
    check_sound(store, *range(12), *([] if finished else [12, 13, 15]))
    assert [a_block(number) for number in range(12)] == list(store.contents().blocks(1))[:12]
    assert 1 == each_match_once(store.contents())[20]


def test_with_all_manifests_lost_the_segments_and_the_journal_are_found_again(store, root):
    for path in (root / "manifest").iterdir():
        path.unlink()
    store.repair()
    check_sound(store, *range(14), 15)
    assert 5 == len(store.contents().faults())


def test_the_next_segments_have_names_of_their_own_after_a_manifest_was_lost(store, root):
    for path in [*(root / "manifest").iterdir(), *(root / "journal").iterdir()]:
        path.unlink()
    store.repair()
    check_sound(store, *range(12))
    with store.lock():
        put(store, 12)
        store.finish(1, 13)
    check_sound(store, *range(13))


def test_an_old_manifest_that_is_damaged_is_moved_aside_and_nothing_else_changes(store, root):
    flip(root / "manifest/000001.json")
    before = store.contents().manifest
    audit, _ = store.repair()
    assert [("000001.json", "")] == found(audit)
    assert {"manifest-000001.json"} == aside(root)
    assert before == store.contents().manifest


def test_the_good_lines_of_a_damaged_journal_are_kept(store, root):
    path = root / "journal/000004.log"
    lines = path.read_bytes().splitlines(keepends=True)
    title, mark, twelve, thirteen, *rest = lines
    path.write_bytes(b"".join([title, mark, twelve, thirteen.replace(b"beta", b"bata"), *rest]))
    audit, _ = store.repair()
    assert [("000004.log", "block 13 of the unfinished run, 2 matches")] == found(audit)
    assert "line 4 does not match its checksum" == audit.damage[0].what
    assert {"journal-000004.log"} == aside(root)
    check_sound(store, *range(13), 15)


def test_a_block_whose_cost_is_no_number_is_named_moved_aside_and_played_again(store, root):
    """The line is as it was written, only no record."""
    path = root / "journal/000004.log"
    lines = path.read_bytes().splitlines(keepends=True)
    payload = lines[3].partition(b" ")[2].rstrip().replace(b'"cost_usd":0.25', b'"cost_usd":"free"')
    path.write_bytes(b"".join([*lines[:3], frame(payload), *lines[4:]]))
    with pytest.raises(DamagedResults, match=r"000004\.log is damaged: .*cost_usd") as error:
        store.contents()
    assert "ladder home verify --repair" in error.value.hint
    audit, _ = store.repair()
    assert [("000004.log", "block 13 of the unfinished run, 2 matches")] == found(audit)
    check_sound(store, *range(13), 15)
    with store.lock():
        put(store, 13)
    check_sound(store, *range(14), 15)


def test_every_flipped_bit_of_a_journal_costs_at_most_its_own_line_or_two(store, root):
    path = root / "journal/000004.log"
    for _ in flips(path, 15):
        audit = store.audit()
        left = {block.number for block in audit.contents.journal_blocks}
        assert audit.damage
        assert 1 <= len(left) <= 3
        assert left <= {12, 13, 15}


def test_a_journal_that_is_missing_costs_what_was_not_sealed(store, root):
    (root / "journal/000004.log").unlink()
    audit, _ = store.repair()
    assert "the newest blocks of the unfinished run" in audit.damage[0].lost
    check_sound(store, *range(12))


@pytest.mark.parametrize("finished", [True, False])
def test_lost_runs_are_made_up_from_their_matches_and_ended(root, finished):
    store = written(root, finished)
    (root / "runs.parquet").write_bytes(b"nothing")
    audit, _ = store.repair()
    lost = "secret, settings and rating parameters of run 1; its matches are kept"
    assert [("runs.parquet", lost)] == found(audit)
    (run,) = store.runs()
    blocks = [*range(12), *([] if finished else [12, 13, 15])]
    assert ("", len(blocks)) == (run.secret, run.blocks)
    bots = [{"name": "alpha", "version": "alpha-1"}, {"name": "beta", "version": "beta-1"}]
    assert bots == run.bots
    assert a_block(0).matches[0].started == run.started
    assert {} == run.ratings
    check_sound(store, *blocks)
    with store.lock():
        store.begin(a_run(2))


def test_a_run_that_is_made_up_has_the_rating_parameters_that_are_handed_in(ended, root):
    (root / "runs.parquet").write_bytes(b"nothing")
    ratings = {"stellar": {"beta": 9.0, "draw_probability": 0.25}}
    ended.repair(ratings=ratings)
    assert [ratings] == [run.ratings for run in ended.runs()]


def test_runs_from_an_old_backup_are_completed_and_the_others_stay(ended, root):
    old = (root / "runs.parquet").read_bytes()
    with ended.lock():
        ended.begin(a_run(2))
        ended.append(0, encode_block(a_block(0, run=2)))
    (root / "runs.parquet").write_bytes(old)
    audit, _ = ended.repair()
    assert ["it does not list run 2"] == [damage.what for damage in audit.damage]
    assert [(a_run().secret, 12), ("", 1)] == [(run.secret, run.blocks) for run in ended.runs()]
    check_sound(ended, *range(12))


def test_blocks_that_an_old_manifest_does_not_know_are_missed(ended, root):
    for name in ("manifest/000004.json", "matches/000004.parquet", "faults/000004.parquet"):
        (root / name).unlink()
    (root / "journal/000004.log").rename(root / "journal/000003.log")
    audit = ended.audit()
    assert "run 1 has 9 blocks, not 12" in [damage.what for damage in audit.damage]


def test_the_format_is_written_again(store, root):
    (root / "format.json").unlink()
    store.repair()
    check_sound(store, *range(14), 15)


def test_a_newer_format_is_left_alone(store, root):
    (root / "format.json").write_text('{"format":2}')
    with pytest.raises(NewerFormat):
        store.repair()


# -- as a whole


def test_nothing_is_touched_where_nothing_is_damaged(store, root):
    before = times(root)
    audit, moved = store.repair()
    assert ([], []) == (audit.damage, moved)
    assert before == times(root)


def test_results_that_are_not_there_are_sound(root):
    audit = Store(root).audit()
    assert ([], None) == (audit.damage, audit.contents.manifest)
    assert not root.exists()


def test_repair_needs_the_lock_and_a_survey_does_not(store, root):
    with store.lock():
        assert [] == Store(root).audit().damage
        with pytest.raises(HomeLocked):
            Store(root).repair()


@pytest.mark.slow
def test_a_repair_that_is_cut_off_anywhere_is_finished_by_the_next_and_loses_nothing_more(tmp_path):
    names = ["matches/000002.parquet", "manifest/000004.json", "journal/000004.log"]
    for calls in count(0, every(4)):
        root = tmp_path / str(calls)
        written(root)
        flip(root / names[0])
        flip(root / names[1])
        journal = root / names[2]
        journal.write_bytes(journal.read_bytes().replace(b"block", b"black", 1))
        (root / "ratings.parquet").write_bytes(b"whatever")
        damaged = [(root / name).read_bytes() for name in [*names, "ratings.parquet"]]
        try:
            Store(root, FailingDisk(calls)).repair()
        except DiskFailed:
            pass
        else:
            break
        store = Store(root)
        store.repair()
        check_sound(store, 0, 1, 2, *range(6, 12), 13, 15)
        kept = [path.read_bytes() for path in (root / "damaged").iterdir()]
        assert all(data in kept for data in damaged)
    assert calls > 30


@pytest.mark.parametrize("calls", range(0, 40, every(4)))
def test_ending_a_run_as_it_is_can_be_cut_off_and_the_run_continued(store, root, calls):
    with pytest.raises(DiskFailed), Store(root, FailingDisk(calls)).lock() as failing:  # noqa: PT012
        failing.abandon(1)
        raise DiskFailed(root, "it got through")
    if store.unfinished_run():
        with store.lock():
            put(store, 14)
            store.finish(1, 16)
        check_sound(store, *range(16))


def test_a_damaged_manifest_of_a_compaction_loses_nothing(ended, root):
    before = numbers(ended)
    with ended.lock():
        ended.compact()
    assert [] == ended.audit().damage
    newest = max((root / "manifest").iterdir())
    flip(newest)
    audit, _ = ended.repair()
    assert [(newest.name, "")] == found(audit)
    assert before == numbers(ended)
    check_sound(ended, *before)
