"""The newest matches for the shell: those of the segments and of the journal, without reading Parquet."""

import pytest
from support.records import a_block, a_match, a_run
from support.stores import begin_run, put

from results.record import Block, encode_block
from results.storage import newest
from results.storage.newest import list_newest
from results.storage.store import Store


@pytest.fixture
def root(root):
    """Return results of a finished run, of matches 0 to 5, and one in progress.

    Of that, matches 0 to 3 are in a segment and 4, 5, 8 and 9 in the journal.
    """
    store = Store(root)
    with begin_run(store, 0, 1, 2):
        store.finish(1, 3)
        store.begin(a_run(2))
        put(store, 0, 1, run=2)
        store.seal()
        put(store, 2, 4, run=2)
        store.commit()
    return root


def test_the_newest_matches_come_first_and_at_most_so_many_as_asked_for(root):
    newest_run = [f"2/{number}" for number in (9, 8, 5, 4, 3, 2, 1, 0)]
    assert [*newest_run, "1/5", "1/4"] == list_newest(root, "", 10)
    assert newest_run[:1] == list_newest(root, "", 1)
    assert 8 + 6 == len(list_newest(root, "", 99))


@pytest.mark.parametrize(
    ("beginning", "found"),
    [
        ("1", ["1/5", "1/4", "1/3", "1/2", "1/1", "1/0"]),
        ("1/", ["1/5", "1/4", "1/3", "1/2", "1/1", "1/0"]),
        ("2/8", ["2/8"]),
        ("2/0", ["2/0"]),
        ("2/00", []),
        ("2/6", []),
        ("3", []),
        ("la", []),
        ("2/x", []),
    ],
)
def test_only_matches_that_begin_with_what_was_typed_are_listed(root, beginning, found):
    assert found == list_newest(root, beginning, 20)


def test_a_number_is_found_by_its_first_digits_among_many():
    every = [str(number) for number in range(1234, 6, -1)]
    for digits in ("", "0", "1", "12", "123", "9", "7", "1234", "12345"):
        assert [number for number in every if number.startswith(digits)] == [
            str(number) for number in newest._descend(1234, 7, digits)
        ]


def test_a_void_match_in_the_journal_and_a_torn_line_are_not_listed(root):
    with Store(root).lock() as store:
        store.append(5, encode_block(Block(5, [a_match(10, run=2, block=5, void=True)], [])))
        store.commit()
    (journal,) = [path for path in (root / "journal").glob("*.log") if path.stat().st_size > 99]
    with journal.open("ab") as file:
        file.write(b"00000000 " + encode_block(a_block(7, run=2))[:50])
    assert ["2/9"] == list_newest(root, "", 1)


def test_of_a_long_journal_only_the_end_is_read(root, monkeypatch):
    monkeypatch.setattr(newest, "_TAIL", len(encode_block(a_block(4, run=2))) + 30)
    assert ["2/9", "2/8", "2/3"] == list_newest(root, "", 3)


def test_results_that_cannot_be_read_have_no_matches(root, tmp_path):
    assert [] == list_newest(tmp_path / "nothing", "", 20)
    for path in (root / "manifest").iterdir():
        path.write_bytes(b"{}")
    assert [] == list_newest(root, "", 20)
