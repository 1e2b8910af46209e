"""A home whose stored ratings were made in the old way says once what moved, until they are stored."""

import pytest
from support.records import a_block
from support.stores import stored

from results.rating import cache
from results.reports.moved_ratings import BEFORE, STAYED, say_moved


@pytest.fixture
def store(tmp_path):
    store = stored(tmp_path / "results", *map(a_block, range(6)))
    with store.lock():
        cache.save(store)
    return store


def test_ratings_of_the_method_before_are_compared_until_they_are_stored(store):
    assert "" == say_moved(store.contents(), cache.ratings_current(store))
    table, origin = store.ratings()
    moved = table.set_column(
        table.column_names.index("mu"), "mu", [[20.0, *table.column("mu").to_pylist()[1:]]]
    )
    with store.lock():
        store.save_ratings(moved.cast(table.schema), {**origin, "method": BEFORE})
    rated = cache.ratings_current(store)
    bot = table.column("bot")[0].as_py()
    now = table.column("mu")[0].as_py()
    said = say_moved(store.contents(), rated)
    assert said.endswith(f"The largest move is that of {bot} at stellar from 20.0 to {now:.1f}")
    with store.lock():
        cache.save(store)
    assert "" == say_moved(store.contents(), rated)


def test_where_only_intervals_moved_no_rating_is_named(store):
    table, origin = store.ratings()
    with store.lock():
        store.save_ratings(table, {**origin, "method": STAYED})
    assert say_moved(store.contents(), cache.ratings_current(store)).startswith(
        "ratings stay; their intervals"
    )


def test_ratings_of_still_older_methods_are_not_compared(store):
    table, origin = store.ratings()
    with store.lock():
        store.save_ratings(table, {**origin, "method": "trueskill, free for all, 1"})
    assert "" == say_moved(store.contents(), cache.ratings_current(store))
