"""The store of reviews: each match is reviewed once, whatever ends the writing and whenever."""
# the expected value stands on the left, in every test

import subprocess
import sys
from itertools import count
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.disks import FailingDisk, NoSyncDisk, WatchedDisk
from support.full import every
from support.places import ROOT, with_support
from support.power import PowerDisk, lay_out
from support.records import a_run
from support.reviewed import JUDGE, a_review
from support.stores import begin_run, flips, put

from results.errors import DamagedResults, DiskFailed
from results.reports.digest import digest
from results.reviewed import ReviewKey
from results.storage import parquet, review_rows, schema
from results.storage import reviews as storage
from results.storage.layout import Folder
from results.storage.reviews import Reviews
from results.storage.store import Store

OF_ACCOUNTS = ["account", "luck_se", "own", "own_se", "others", "hidden"]
"""The columns that came with accounts."""


def test_a_table_without_rows_has_no_reviews():
    assert {} == review_rows.keys_of(pa.table({name: pa.array([], pa.int64()) for name in review_rows.KEY}))


@pytest.fixture
def reviews(tmp_path):
    (tmp_path / "results").mkdir()
    return Reviews(Folder(tmp_path / "results"))


def test_what_was_added_is_read_again_by_match_step_and_seat(reviews):
    first, second = a_review(4), a_review(2)
    reviews.add([*first, *second])
    found = reviews.read().to_pylist()
    assert [(2, step, seat) for step in range(3) for seat in (0, 1)] == [
        (row["number"], row["step"], row["seat"]) for row in found[:6]
    ]
    for row, stored in zip([*second, *first], found, strict=True):
        for name, value in stored.items():
            exact = getattr(row, name)
            assert exact == (pytest.approx(value, abs=0.0251) if isinstance(exact, float) else value)


def numbers(reviews, **wanted):
    """Return the digest of each match that is read, by number; every row is read once."""
    found = reviews.read(columns=["number", "step", "seat", "match_digest"], **wanted).to_pylist()
    assert len({(row["number"], row["step"], row["seat"]) for row in found}) == len(found)
    return {row["number"]: row["match_digest"] for row in found}


def test_reviews_of_a_ladder_without_accounts_are_read_as_those_that_have_none(reviews):
    reviews.add(a_review(4))
    (path,) = reviews.files()
    older = pq.read_table(path).drop_columns(OF_ACCOUNTS)
    path.write_bytes(parquet.encode_sealed([older], older.schema, review_rows.GROUP_ROWS))
    found = reviews.read()
    assert schema.REVIEWS.names == found.column_names
    assert {None} == {value for name in OF_ACCOUNTS for value in found.column(name).to_pylist()}
    assert {None} == {key.account for key in reviews.matches()}


def names(reviews):
    return sorted(path.name for path in reviews.path.iterdir())


def parquet_files(reviews):
    return [path.name for path in reviews.files()]


def test_nothing_is_there_before_the_first_review_and_reading_makes_nothing(reviews):
    assert 0 == len(reviews.read())
    assert set() == reviews.matches()
    assert 0 == reviews.drop(lambda key: True)
    assert not reviews.path.exists()
    assert schema.REVIEWS.names == reviews.read().column_names


def test_runs_matches_and_columns_can_be_chosen(reviews):
    reviews.add([*a_review(1), *a_review(2), *a_review(1, run=2)])
    assert [1, 2] == reviews.read(number=1, columns=["run"]).column("run").unique().to_pylist()
    assert [1, 2] == reviews.read(run=1, columns=["number"]).column("number").unique().to_pylist()
    assert ["loss", "bot"] == reviews.read(1, 2, ["loss", "bot"]).column_names
    assert 6 == len(reviews.read(1, 2))
    assert {2: a_review(2)[0].match_digest} == numbers(reviews, run=1, without={(1, 1)})
    with pytest.raises(KeyError, match="expected columns of reviews, got: cost"):
        reviews.read(columns=["cost"])


def test_values_are_rounded_so_that_they_are_small_and_never_minus_zero(reviews):
    reviews.add(a_review(loss=0.12345, chance_seen=0.1234, luck=-0.0001, points=12.3456))
    row = reviews.read().to_pylist()[0]
    found = [row[name] for name in ("loss", "chance_seen", "luck", "points")]
    assert pytest.approx([0.123, 0.12, 0.0, 12.34]) == found
    assert "0.0" == str(row["luck"])


def test_a_later_review_replaces_the_earlier_one_but_a_quick_one_no_full_one_by_the_same_judge(reviews):
    full, quick, again = (a_review(1, match_digest=d, quick=d == "quick") for d in ("full", "quick", "again"))
    assert {(1, 1)} == reviews.add(quick)
    assert {(1, 1)} == reviews.add(full)
    assert {(1, 2)} == reviews.add([*quick, *a_review(2, quick=True, match_digest="new")])
    assert {1: "full", 2: "new"} == numbers(reviews)
    assert {(1, 1)} == reviews.add(again)
    left = ReviewKey(1, 1, JUDGE, "again", False, "account-1"), ReviewKey(1, 2, JUDGE, "new", True)
    assert {*left} == reviews.matches()
    assert {(1, 1)} == reviews.add(a_review(1, quick=True, match_digest="other", judge="another 2"))
    assert {1: "other", 2: "new"} == numbers(reviews)


def test_two_reviews_of_one_match_at_once_are_refused(reviews):
    for twice in (a_review(1, match_digest="other"), a_review(1)):
        with pytest.raises(ValueError, match="expected one review of each match"):
            reviews.add([*a_review(1), *twice])
    assert {} == numbers(reviews)


def test_stale_reviews_go_with_the_next_writing_and_what_they_replaced_does_not_come_back(reviews):
    reviews.add([*a_review(1, match_digest="a"), *a_review(2, match_digest="b")])
    reviews.add([*a_review(1, match_digest="c"), *a_review(3, match_digest="d")])
    reviews.add(a_review(4, match_digest="e"), lambda key: key.number in (1, 2))
    assert {3: "d", 4: "e"} == numbers(reviews)
    assert ["000002.parquet", "000003.parquet"] == parquet_files(reviews)
    assert 2 == reviews.drop(lambda key: True)
    assert ["lock"] == names(reviews)


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_added_and_dropped_the_last_review_of_each_match_is_there_once(
    reviews, seed, monkeypatch
):
    monkeypatch.setattr(storage, "CLASSES", (2**13, 2**14))
    monkeypatch.setattr(storage, "MOST_SMALL", 3)
    rng, expected, most = Random(seed), {}, 0
    for turn in range(30):
        chosen = rng.sample(range(12), rng.randint(1, 3))
        if rng.random() < 0.2:
            assert len(expected.keys() & chosen) == reviews.drop(lambda key: key.number in chosen)  # noqa: B023
            expected = {number: found for number, found in expected.items() if number not in chosen}
        else:
            quick = rng.random() < 0.3
            stored = reviews.add(
                [row for n in chosen for row in a_review(n, quick=quick, match_digest=f"{turn}")]
            )
            kept = {n for n in chosen if quick and n in expected and not expected[n][1]}
            assert {(1, n) for n in chosen if n not in kept} == stored
            expected |= {n: (f"{turn}", quick) for n in chosen if n not in kept}
        assert {number: digest for number, (digest, _) in expected.items()} == numbers(reviews)
        assert {(n, *found) for n, found in expected.items()} == {
            (key.number, key.match_digest, key.quick) for key in reviews.matches()
        }
        most = max(most, len(parquet_files(reviews)))
    assert 2 <= most < 16


def test_many_small_files_become_a_larger_one_of_what_is_in_force(reviews, monkeypatch):
    monkeypatch.setattr(storage, "MOST_SMALL", 4)
    for turn in range(4):
        reviews.add(a_review(turn % 2, match_digest=f"{turn}"))
    assert 4 == len(parquet_files(reviews))
    reviews.add(a_review(7, match_digest="last"))
    assert ["000006.parquet"] == parquet_files(reviews)
    assert {0: "2", 1: "3", 7: "last"} == numbers(reviews)
    reviews.add(a_review(8, match_digest="more"))
    reviews.compact()
    assert ["000008.parquet"] == parquet_files(reviews)
    assert {0: "2", 1: "3", 7: "last", 8: "more"} == numbers(reviews)


def life(folder, disk, done):
    """Add reviews, join files, drop some; add to *done* what is there after each step."""
    reviews = Reviews(folder, disk)
    done.append({})
    for number in range(3):
        reviews.add(a_review(number, match_digest=f"{number}"))
        done.append({n: f"{n}" for n in range(number + 1)})
    reviews.add(a_review(1, match_digest="new"))
    done.append({0: "0", 1: "new", 2: "2"})
    reviews.drop(lambda key: key.number in (1, 2))
    done.append({0: "0"})


def test_a_disk_that_fails_at_any_call_loses_no_more_than_what_was_being_stored(tmp_path, monkeypatch):
    monkeypatch.setattr(storage, "MOST_SMALL", 2)
    whole: list[dict[int, str]] = []
    (tmp_path / "whole").mkdir()
    life(Folder(tmp_path / "whole"), NoSyncDisk(), whole)
    for calls in count(0, every(3)):
        folder = Folder(tmp_path / f"{calls}")
        folder.root.mkdir()
        disk, done = FailingDisk(calls, halves=True), []
        try:
            life(folder, disk, done)
        except DiskFailed:
            reviews = Reviews(folder)
            found = numbers(reviews)
            step = len(done) - 1
            between = [whole[step], whole[step + 1]]
            # of what is dropped, some may be gone, and nothing that was replaced comes back
            assert found in between or (step == 4 and found.items() <= whole[step].items() and 0 in found)
            reviews.add(a_review(9, match_digest="9"))
            assert {**found, 9: "9"} == numbers(reviews)
            assert not [name for name in names(reviews) if name.endswith("tmp")]
        else:
            break
    assert calls > 30


def test_a_reader_finds_every_review_once_after_each_call_of_a_writer(tmp_path, monkeypatch):
    monkeypatch.setattr(storage, "MOST_SMALL", 2)
    folder = Folder(tmp_path)
    seen: list[dict[int, str]] = []
    done: list[dict[int, str]] = []
    life(folder, WatchedDisk(lambda: seen.append(numbers(Reviews(folder)))), done)
    allowed = [*done, {0: "0", 2: "2"}, {0: "0", 1: "new"}]
    assert [] == [found for found in seen if found not in allowed]
    assert len(seen) > 30


def test_a_power_cut_at_any_call_leaves_what_was_stored(tmp_path, monkeypatch):
    monkeypatch.setattr(storage, "MOST_SMALL", 2)
    (tmp_path / "machine").mkdir()
    disk = PowerDisk(tmp_path / "machine")
    rng, moments, done = Random(3), {}, []

    def watch():
        moments.update(dict.fromkeys((state, len(done) - 1) for state in disk.cuts(rng, 2)))

    disk.watch = watch
    folder = Folder(tmp_path / "machine" / "results")
    disk.make_dir(folder.root)
    disk.sync_dir(tmp_path / "machine")
    life(folder, disk, done)
    for place, (state, step) in enumerate(moments):
        left = Folder(lay_out(state, tmp_path / f"{place}") / "results")
        found = numbers(Reviews(left))
        if step < 4:
            assert done[max(step, 0)].items() <= found.items() or found == done[step + 1], step
        else:
            assert found.items() <= done[4].items()
            assert 0 in found
    assert len(moments) > 15


def test_a_full_disk_loses_the_review_in_hand_and_takes_the_next(reviews):
    class Full(NoSyncDisk):
        full = False

        def append(self, handle, data):
            if self.full:
                super().append(handle, data[:100])
                raise OSError(28, "No space left on device")
            super().append(handle, data)

    disk = Full()
    writer = Reviews(reviews._folder, disk)
    writer.add(a_review(1, match_digest="a"))
    disk.full = True
    with pytest.raises(DiskFailed, match="No space left"):
        writer.add(a_review(2, match_digest="b"))
    assert ["000001.parquet", "lock"] == names(reviews)
    disk.full = False
    writer.add(a_review(3, match_digest="c"))
    assert {1: "a", 3: "c"} == numbers(reviews)


@pytest.mark.process
def test_two_who_write_at_once_wait_for_each_other(reviews):
    code = """
import sys
from pathlib import Path
from support.reviewed import a_review
from results.storage.layout import Folder
from results.storage.reviews import Reviews
for number in range(9):
    Reviews(Folder(Path(sys.argv[1]))).add(a_review(number, match_digest=sys.argv[2], run=int(sys.argv[2])))
"""
    started = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(reviews.path.parent), which], env=with_support(), cwd=ROOT
        )
        for which in ("1", "2")
    ]
    assert [0, 0] == [process.wait() for process in started]
    assert {(run, number) for run in (1, 2) for number in range(9)} == {
        (key.run, key.number) for key in reviews.matches()
    }
    assert len(parquet_files(reviews)) < 18


def test_a_run_that_is_going_on_does_not_block_reviews_nor_they_the_run(store, root):
    with store.lock(), store.reviews.hold():
        store.begin(a_run())
        put(store, 0)
    with store.lock():
        Store(root).reviews.add(a_review(0))
    assert 6 == len(store.read_reviews())


@pytest.fixture
def reviewed(store):
    """Return a store with a run of two blocks of two matches, of which 0, 1 and 9 are reviewed."""
    with begin_run(store, 0, 1):
        store.finish(1, 2)
    store.reviews.add([*a_review(0), *a_review(1)])
    store.reviews.add(a_review(9))
    return store


def test_reviews_of_matches_that_are_not_there_are_not_shown(reviewed):
    assert [0, 1] == reviewed.read_reviews(["number"]).column("number").unique().to_pylist()
    assert 0 == len(reviewed.read_reviews(run=2))
    assert {(1, 9)} == reviewed.reviews.strays(reviewed.contents())


def test_reviews_are_read_under_the_names_of_today(reviewed):
    with reviewed.lock():
        reviewed.rename("alpha", "omega")
    assert ["omega", "beta"] == reviewed.read_reviews(["bot"]).column("bot").unique().to_pylist()
    assert ["loss"] == reviewed.read_reviews(["loss"]).column_names
    assert {"omega", "beta"} == {*reviewed.read_reviews().column("bot").to_pylist()}


def test_reviews_taken_from_another_store_are_of_another_run_and_have_the_names_of_today(reviewed, tmp_path):
    with reviewed.lock():
        reviewed.rename("alpha", "omega")
    other = Store(tmp_path / "other")
    other.folder.root.mkdir()
    other.reviews.take(reviewed.reviews, 1, 5, {(1, 9)})
    other.reviews.take(reviewed.reviews, 2, 6)
    rows = other.reviews.read()
    assert [5] == rows.column("run").unique().to_pylist()
    assert [0, 1] == rows.column("number").unique().to_pylist()
    assert reviewed.read_reviews().drop_columns("run").equals(rows.drop_columns("run"))
    assert ["000001.parquet"] == parquet_files(other.reviews)


def test_every_changed_byte_of_a_file_is_found_and_a_repair_moves_it_aside(reviewed):
    path = reviewed.reviews.files()[1]
    sound = reviewed.audit().files
    for _ in flips(path, 25):
        (damage,) = reviewed.audit().damage
        assert path == damage.path
        assert damage.what.endswith("its reviews can be made again: ladder review")
        assert not damage.lost
    assert [] == reviewed.audit().damage
    path.write_bytes(b"nothing")
    with pytest.raises(DamagedResults):
        reviewed.read_reviews()
    _, moved = reviewed.repair()
    assert [reviewed.folder.damaged / "reviews-000002.parquet"] == moved
    assert [] == reviewed.audit().damage
    assert {0, 1} == {key.number for key in reviewed.reviews.matches()}
    assert sound - 1 == reviewed.audit().files
    reviewed.reviews.add(a_review(9))
    reviewed.repair()
    assert {0, 1} == {key.number for key in reviewed.reviews.matches()}


def test_the_digest_of_a_ladder_does_not_know_of_reviews(reviewed):
    before = digest(reviewed.contents()).hex
    reviewed.reviews.drop(lambda key: True)
    assert before == digest(reviewed.contents()).hex


def test_a_match_is_small_where_many_are_in_one_file(reviews):
    reviews.add([row for number in range(150) for row in a_review(number, steps=53)])
    assert reviews.files()[0].stat().st_size < 150 * 2000


def test_a_file_older_than_the_promises_is_read_joined_and_kept(reviews):
    reviews.add(a_review(1))
    (file,) = reviews.files()
    older = schema.REVIEWS
    for name in ("promised", "why"):
        older = older.remove(older.get_field_index(name))
    table = reviews.read().select(older.names).cast(older)
    file.write_bytes(parquet.encode_sealed([review_rows.sort_rows(table)], older, 100))
    (stored,) = {row["promised"] for row in reviews.read().to_pylist()}
    assert stored is None
    reviews.add(a_review(2))
    reviews.compact()
    assert {1, 2} == {key.number for key in reviews.matches()}
    found = {row["number"] for row in reviews.read().to_pylist() if row["promised"]}
    assert {2} == found
