"""How far bots stayed from their limits, from the times and the memory of their matches."""

from support.records import MEMORY, a_lone_match, a_seat
from support.stores import keep_run

from ladder.referee.rules import GRACE_MS
from results.record import RunSettings
from results.reports.headroom import GRACE_US, Headroom, headroom, headroom_rows
from results.storage.store import Store

ALPHA, BETA = ("alpha", "alpha-1"), ("beta", "beta-1")
LIMITS = {"move_ms": 100, "bank_ms": 1000, "memory_mb": 64}


def play(store, run, limits, *matches):
    """Store a finished *run* with a block for each match, given as the fields of alpha's seat."""
    blocks = [
        a_lone_match(number, run=run, seats=[a_seat("alpha", 2, **fields), a_seat("beta", 1, think_us=[7])])
        for number, fields in enumerate(matches)
    ]
    with store.lock():
        keep_run(store, blocks, run, settings=RunSettings(limits=limits))


def test_the_grace_is_that_of_the_referee():
    assert 1000 * GRACE_MS == GRACE_US


def test_what_goes_beyond_the_free_time_and_the_grace_comes_from_the_bank(store):
    play(
        store,
        1,
        LIMITS,
        {"think_us": [150_000, 150_001, 250_000]},
        {"think_us": [90_000, 160_000, 160_000]},
        {"think_us": []},
    )
    found = headroom(store.contents(), {ALPHA})
    assert {("stellar", ALPHA)} == found.keys()
    seen = found["stellar", ALPHA]
    assert (6, 250_000, 4, 100_001) == (seen.decisions, seen.most_us, seen.banked, seen.most_bank_us)
    assert (100, 1000, 64) == (seen.move_ms, seen.bank_ms, seen.memory_mb)


def test_every_run_has_its_own_limits_and_the_newest_are_told(store):
    play(store, 1, LIMITS, {"think_us": [200_000]})
    play(store, 2, {"move_ms": 300, "bank_ms": 5}, {"think_us": [200_000]})
    seen = headroom(store.contents(), {ALPHA})["stellar", ALPHA]
    assert (1, 50_000) == (seen.banked, seen.most_bank_us), "of the first run"
    assert (300, 5, None) == (seen.move_ms, seen.bank_ms, seen.memory_mb)


def test_percentiles_are_too_high_by_at_most_seven_percent_and_never_above_the_longest(store):
    times = [*range(1_000, 101_000, 1_000)]
    play(store, 1, LIMITS, *({"think_us": times[i::4]} for i in range(4)))
    found = headroom(store.contents(), {ALPHA, BETA})
    seen = found["stellar", ALPHA]
    assert 50_000 <= seen.p50_us <= 50_000 * 1.08
    assert 99_000 <= seen.p99_us <= 100_000 == seen.most_us
    assert (7, 7) == (found["stellar", BETA].p50_us, found["stellar", BETA].most_us)


def test_memory_is_the_most_of_all_matches_and_unknown_where_none_was_stored(store):
    play(store, 1, LIMITS, {"memory_bytes": None}, {"memory_bytes": 3 << 20}, {"memory_bytes": 2 << 20})
    found = headroom(store.contents(), {ALPHA, BETA})
    assert (3 << 20, MEMORY) == tuple(found["stellar", bot].memory_bytes for bot in (ALPHA, BETA))
    again = Store(store.folder.root.parent / "other")
    play(again, 1, {}, {"memory_bytes": None})
    assert None is headroom(again.contents(), {ALPHA})["stellar", ALPHA].memory_bytes


def test_rows_tell_what_was_used_of_each_limit():
    seen = Headroom(100, 900, 12_345, 1_500_000, 1000, 2, 450_000, 10_000, 128 << 20, 512)
    assert [
        ("median 0.9, 99 % 12, most 1,500 ms", "1,000 ms", 1.5),
        ("most 450 ms", "10,000 ms", 0.045),
        ("most 128 MB", "512 MB", 0.25),
    ] == [(row["used"], row["limit"], row["share"]) for row in headroom_rows(seen)]
    unknown = seen._replace(banked=0, most_bank_us=0, move_ms=None, bank_ms=None, memory_bytes=None)
    assert [("never", None, None)] == [
        (row["used"], row["limit"], row["share"]) for row in headroom_rows(unknown)[1:]
    ]
    assert [] == headroom_rows(unknown._replace(decisions=0))
