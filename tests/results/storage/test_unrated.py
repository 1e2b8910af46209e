"""Stores of matches that are not rated, beside the results of their home."""

import pytest

from results.errors import DamagedResults, SecretMatches
from results.storage.disk import Disk
from results.storage.revealed import Revealed, read_revealed, write_revealed
from results.storage.unrated import contents_with, make_unrated, unrated_store, unrated_stores


def test_a_home_without_results_can_have_one(tmp_path):
    results = tmp_path / "home/results"
    make_unrated(results)
    make_unrated(results)
    assert ["d1", "d2"] == [*unrated_stores(results)]


@pytest.mark.parametrize(
    ("match", "store", "there"), [("d1/7", "d1", "1/7"), ("d1/last", "d1", "last"), ("3/7", "", "3/7")]
)
def test_a_match_is_asked_for_by_the_name_of_its_store(tmp_path, match, store, there):
    make_unrated(tmp_path)
    contents, called = contents_with(tmp_path, match)
    assert (store, there) == (contents.folder.unrated_name, called)


def test_a_secret_store_is_found_only_by_those_that_ask_for_it_until_it_is_revealed(tmp_path):
    store = make_unrated(tmp_path)
    for revealed in (Revealed("prize"), Revealed("prize", ("swiss/1",))):
        write_revealed(Disk(), store.folder, revealed)
        assert revealed == read_revealed(store.folder, ())
        assert {} == unrated_stores(tmp_path)
        assert ["d1"] == [*unrated_stores(tmp_path, hidden=True)]
        with pytest.raises(SecretMatches, match="tournament prize is secret until it is revealed") as caught:
            unrated_store(tmp_path, "d1")
        assert "ladder tournament reveal prize" == caught.value.hint
        assert "d1" == unrated_store(tmp_path, "d1", hidden=True).folder.unrated_name
    assert "d2" == make_unrated(tmp_path).folder.unrated_name, "its name is taken"
    write_revealed(Disk(), store.folder, Revealed("prize", whole=True))
    assert ["d1", "d2"] == [*unrated_stores(tmp_path)]
    assert "d1" == unrated_store(tmp_path, "d1").folder.unrated_name


@pytest.mark.parametrize("text", ["", "{", "[]", '{"rounds":[]}', '{"tournament":"prize","whole":1}'])
def test_a_damaged_file_shows_nothing(tmp_path, text):
    store = make_unrated(tmp_path)
    store.folder.revealed.write_text(text)
    with pytest.raises(DamagedResults, match=r"revealed\.json is damaged"):
        unrated_stores(tmp_path)
