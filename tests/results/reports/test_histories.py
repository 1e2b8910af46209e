import pytest
from support.rated_homes import a_rated_home

from results.rating.cache import ratings_current
from results.reports import history as module
from results.reports.history import histories, history
from results.storage.store import Store

BOTS = ["ann", "bob", "cid"]


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return Store(a_rated_home(tmp_path_factory.mktemp("rated") / "home", BOTS, 20) / "results")


def test_the_last_rating_is_that_of_the_leaderboard_and_matches_grow(store):
    rated = ratings_current(store)
    found = histories(store.contents(), rated)
    for bot in BOTS:
        rows = found["stellar", (bot, f"{bot}-1")]
        standing = rated["stellar"].standings[bot, f"{bot}-1"]
        assert (standing.matches, standing.mu) == (rows[-1]["matches"], rows[-1]["mu"])
        assert sorted({row["matches"] for row in rows}) == [row["matches"] for row in rows]
        assert len(rows) >= 4
        margins = [row["margin"] for row in rows if row["margin"]]
        assert margins[0] > margins[-1]


@pytest.mark.parametrize("whole", [30, 1000])
def test_ratings_are_those_of_history_where_both_have_one(store, monkeypatch, whole):
    """Later fits start from the one before: that changes little."""
    monkeypatch.setattr(module, "WHOLE_UP_TO", whole)
    rated = ratings_current(store)
    bot = ("ann", "ann-1")
    slow = {row["matches"]: row for row in history(store.contents(), rated["stellar"], bot)}
    fast = {row["matches"]: row for row in histories(store.contents(), rated)["stellar", bot]}
    both = slow.keys() & fast.keys()
    assert both
    for matches in both:
        assert slow[matches]["mu"] == pytest.approx(fast[matches]["mu"], abs=slow[matches]["margin"] / 4)


def test_work_is_bounded(store, monkeypatch):
    monkeypatch.setattr(module, "MOST_MATCHES", 20)
    rows = histories(store.contents(), ratings_current(store))["stellar", ("ann", "ann-1")]
    assert all(row["matches"] <= 20 for row in rows[:-1])
    assert rows[-1]["matches"] > 20
