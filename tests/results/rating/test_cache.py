"""The ratings of a store: the same from any cache, and read without a match where the caches are current."""

import logging
import random
from dataclasses import replace as replace_fields

import pyarrow as pa
import pytest
from msgspec.structs import replace
from support.boards import tallied
from support.random_blocks import random_blocks
from support.records import a_block, a_lone_match, a_match, a_run, a_seat
from support.stores import keep_run, put, put_blocks

from results.errors import ResultsError
from results.rating import cache
from results.rating.parameters import Draws, Parameters
from results.rating.rated import rate, standings_of
from results.rating.segment_counts import CountsFile, tally_of
from results.record import Block
from results.reports.board_notes import board_notes
from results.reports.leaderboard import GameBoard
from results.storage import parquet
from results.storage.finishes import finishes_of
from results.storage.schema import PAIRS
from results.storage.store import Store
from results.storage.stored_ratings import read_origin

ALPHA = ("stellar", "alpha", "alpha-1")


def begun(store, *numbers, run=1, **fields):
    keep_run(store, (a_block(number, run=run) for number in numbers), run, ends=False, **fields)


def ended(store, blocks, run=1):
    """Store a finished run of *blocks* blocks and its ratings, and return these."""
    keep_run(store, (a_block(number, run=run) for number in range(blocks)), run)
    return cache.save(store)


def unreadable(store):
    """Damage all segments: reading one is an error."""
    for path in store.folder.matches.iterdir():
        path.write_bytes(b"never read")


def test_an_unfinished_run_is_rated_up_to_its_first_gap_and_an_abandoned_one_across_its_gaps(store):
    with store.lock():
        begun(store, 0, 1, 3)
        assert 4 == standings_of(cache.save(store))[ALPHA].matches
        assert 4 == standings_of(cache.ratings_current(store))[ALPHA].matches
        store.abandon(1)
    assert 6 == standings_of(cache.ratings_current(store))[ALPHA].matches


def test_ratings_are_the_same_with_a_cache_from_any_moment(store):
    with store.lock():
        begun(store, *range(10))
        store.seal()
        cache.save(store)
        put(store, *range(10, 15))
        store.finish(1, 15)
        begun(store, 0, 1, run=2)
    continued = cache.ratings_current(store)
    assert 17 * 2 == standings_of(continued)[ALPHA].matches
    store.folder.ratings.unlink()
    assert cache.ratings_current(store) == continued


@pytest.mark.parametrize("name", ["ratings", "counts"])
def test_a_damaged_cache_is_computed_again(store, name, caplog):
    with store.lock():
        begun(store, *range(6))
        rated = cache.save(store)
        put(store, 6)
    path = store.folder.cache(name)
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    assert 14 == standings_of(cache.ratings_current(store))[ALPHA].matches
    assert f"{name}.cache does not match its checksum" in caplog.text
    with store.lock():
        assert rated["stellar"].fit != cache.save(store)["stellar"].fit


def test_a_table_size_is_rated_as_if_there_had_been_no_other(store):
    blocks = [a_block(number, ("alpha", "beta", "gamma")[: 2 + number % 2]) for number in range(20)]
    threes = blocks[1::2]
    with store.lock():
        keep_run(store, blocks)
    alone = rate(tallied((a_run(), threes)))["stellar"]
    computed = cache.ratings_current(store, 3)["stellar"]
    with store.lock():
        cache.save(store)
    unreadable(store)
    for found in (computed, cache.ratings_current(store, 3)["stellar"]):
        assert alone.fit == found.fit
        assert alone.standings == found.standings
    assert {} == cache.ratings_current(store, 4)


def test_ratings_are_the_same_to_the_last_bit_for_any_order_and_any_split_in_runs(tmp_path):
    """With the same parameters; the blocks of `random_blocks` have two, three and four seats, and ties."""
    blocks = list(random_blocks(60))
    found = []
    for seed, lengths in enumerate([(60,), (1, 59), (20, 20, 20), (45, 0, 15)]):
        store, luck = Store(tmp_path / str(seed)), random.Random(seed)
        left = luck.sample(blocks, len(blocks)) if seed else blocks
        with store.lock():
            for run, length in enumerate(lengths, 1):
                keep_run(store, (_moved(block, run, i) for i, block in enumerate(left[:length])), run)
                left = left[length:]
            cache.save(store)
        standings = standings_of(cache.ratings_current(store)).values()
        found.append([(standing.mu.hex(), standing.sigma.hex()) for standing in standings])
    assert 5 == len(found[0])
    assert [found[0]] * 4 == found


def _moved(block, run, number):
    """Return *block* as block *number* of *run*, its matches in another order."""
    matches = [
        replace(match, run=run, block=number, number=10 * number + i)
        for i, match in enumerate(reversed(block.matches))
    ]
    return Block(number, matches, [])


def test_no_match_is_read_where_the_caches_are_current(store):
    with store.lock():
        rated = ended(store, 5)
    unreadable(store)
    assert rated == cache.ratings_current(store)
    assert tally_of(store.contents()).totals.counts["stellar"].matches == 10


def test_in_a_large_store_the_newest_matches_of_a_run_wait(store, monkeypatch):
    monkeypatch.setattr(cache, "MANY_MATCHES", 40)
    with store.lock():
        begun(store, *range(20))
        store.seal()
        rated = cache.save(store)["stellar"]
        put(store, *range(20, 24))
        waiting = cache.ratings_current(store)["stellar"]
        assert (rated.fit, rated.standings, 8) == (waiting.fit, waiting.standings, waiting.behind)
        put(store, 24)
        now = cache.ratings_current(store)["stellar"]
        assert (50, 0) == (now.standings["alpha", "alpha-1"].matches, now.behind)


def test_a_run_is_taken_up_with_what_was_before_it_though_the_cache_is_newer(store):
    with store.lock():
        ended(store, 4)
        at_its_end = {game: each.fit.quadratic() for game, each in cache.ratings_current(store).items()}
        begun(store, *range(6), run=2)
        store.seal()
        cache.save(store)
        unreadable(store)
        assert at_its_end == cache.quadratics_before(store, store.unfinished_run())


def test_every_match_is_counted_again_if_ratings_are_made_afresh(store):
    with store.lock():
        rated = ended(store, 4)
        unreadable(store)
        assert rated == cache.save(store)
        with pytest.raises(ResultsError):
            cache.save(store, afresh=True)


def test_what_earlier_runs_say_is_frozen_when_a_run_begins(store):
    with store.lock():
        expected = {"stellar": ended(store, 4)["stellar"].fit.quadratic()}
        begun(store, run=2, ratings={"stellar": {"beta": 9.0, "draw_probability": 0.3}})
        run = store.unfinished_run()
        assert expected == cache.quadratics_before(store, run)
        put(store, *range(3), run=2)
        store.seal()
        cache.save(store)
        assert expected == cache.quadratics_before(store, run)
        store.folder.cache("before").unlink()
        assert expected == cache.quadratics_before(store, run)


def test_the_newest_run_gives_the_parameters_of_all_matches(store):
    with store.lock():
        before = ended(store, 8)["stellar"]
        begun(store, run=2, ratings={"stellar": {"beta": 9.0, "draw_probability": {"2": 0.3}}})
        assert before == cache.ratings_current(store)["stellar"]
        put(store, 0, run=2)
        after = cache.ratings_current(store)["stellar"]
    assert Parameters(9.0, Draws.of({2: 0.3})) == after.parameters
    again = [replace(match, block=8, number=match.number + 16) for match in a_block(0).matches]
    run = a_run(ratings={"stellar": {"beta": 9.0, "draw_probability": 0.3}})
    alone = tallied((run, [*map(a_block, range(8)), Block(8, again, [])]))
    assert rate(alone)["stellar"].fit == after.fit


def test_ratings_of_another_method_are_computed_again_and_the_method_is_named_once(store, caplog):
    with store.lock():
        rated = ended(store, 5)
        table, origin = store.ratings()
        older = table.drop_columns("rank_squares").append_column("unrated", pa.array([0, 0]))
        store.save_ratings(older, {**origin, "method": "trueskill, free for all, 1"})
    with caplog.at_level(logging.INFO):
        assert rated == cache.ratings_current(store)
    (said,) = [message for message in caplog.messages if "method" in message]
    assert "the stored ratings are of another method, 'trueskill, free for all, 1': computed again" == said


def test_a_cache_that_is_ahead_of_the_results_is_not_believed(store, tmp_path):
    other = Store(tmp_path / "other")
    with other.lock(), store.lock():
        begun(other, *range(5))
        cache.save(other)
        begun(store, 0, 1)
    for name in ("ratings.parquet", "ratings.cache", "counts.cache"):
        (store.folder.root / name).write_bytes((other.folder.root / name).read_bytes())
    assert 4 == standings_of(cache.ratings_current(store))[ALPHA].matches


def test_a_stored_fit_of_as_many_other_matches_is_not_taken(store, tmp_path):
    other = Store(tmp_path / "other")
    with other.lock(), store.lock():
        begun(store, *range(5))
        rated = cache.save(store)
        begun(other, 1, 3)
        put_blocks(other, (a_block(number, ("beta", "alpha")) for number in (0, 2, 4)))  # which beta wins
        different = cache.save(other)
        store.folder.cache("ratings").write_bytes(other.folder.cache("ratings").read_bytes())
        assert rated["stellar"].fit.matches == different["stellar"].fit.matches
        assert rated == cache.save(store) != different


def test_pairs_are_the_differences_of_the_fit(store):
    with store.lock():
        begun(store, *range(5))
        rated = cache.save(store)
    fit = rated["stellar"].fit
    difference, se = fit.difference(0, 1)
    names = {"game": "stellar", "a": "alpha", "a_version": "alpha-1", "b": "beta", "b_version": "beta-1"}
    expected = {**names, "difference": difference, "se": se, "p_above": fit.p_above(0, 1)}
    expected |= dict(zip(("low", "high"), fit.interval_of_difference(0, 1), strict=True))
    (part,) = parquet.read_parts(store.folder.pairs, PAIRS)
    assert [expected] == part.to_pylist()


# --- counts, which are known by segment


def test_only_segments_that_are_new_are_counted(store):
    with store.lock():
        ended(store, 5)
        unreadable(store)
        assert 16 == standings_of(ended(store, 3, run=2))[ALPHA].matches
        store.begin_season("spring")
        cache.save(store)
    unreadable(store)
    assert 16 == standings_of(cache.ratings_of(store.contents().of_season("first")))[ALPHA].matches


def test_joined_segments_are_counted_anew_and_forgotten_ones_leave_the_cache(store):
    with store.lock():
        begun(store, *range(3))
        store.seal()
        put(store, *range(3, 6))
        store.finish(1, 6)
        rated = cache.save(store)
        store.compact()
        assert rated == cache.ratings_current(store)
        assert rated == cache.save(store)
    (segment,) = store.contents().segments()
    assert {segment.matches.sha256} == store.contents().read_cached("counts", CountsFile).segments.keys()


def test_counts_of_an_older_ladder_are_replaced_without_a_word(store, caplog):
    with store.lock():
        rated = ended(store, 5)
        good = store.folder.cache("counts").read_bytes()
        totals = [{}, {}]
        store.save_cached("counts", {"origin": read_origin(store.folder), "before": totals, "now": totals})
        store.folder.ratings.unlink()
        assert rated == cache.ratings_current(store)
        assert rated == cache.save(store)
    assert good == store.folder.cache("counts").read_bytes()
    assert not caplog.messages


def test_ratings_are_read_where_nothing_can_be_written(store):
    with store.lock():
        rated = ended(store, 5)
        for name in ("counts", "ratings", "origin"):
            store.folder.cache(name).unlink()
    before = sorted(store.folder.root.rglob("*"))
    assert rated == cache.ratings_current(store)
    assert before == sorted(store.folder.root.rglob("*"))


# --- finishes, which are read for it


def test_segments_say_of_each_block_what_its_record_says(store):
    void = [a_match(0, ranks=(None, None), void=True), a_match(0, attempt=1), a_match(1)]
    blocks = [Block(0, void, []), *map(crash_and_silence, range(1, 5))]
    with store.lock():
        keep_run(store, blocks, ends=False)
        store.seal()
        put_blocks(store, [crash_and_silence(5)])
    contents = store.contents()
    assert [finishes_of(blocks)] == list(contents.files.finishes(*contents.segments(1)))
    assert [finishes_of(blocks), finishes_of([crash_and_silence(5)])] == list(contents.finishes(1))


def test_finishes_split_between_blocks():
    finishes = finishes_of([a_lone_match(3), *map(crash_and_silence, range(4, 6))])
    before, after = finishes.split(5)
    assert (range(3, 5), 2) == (before.blocks, before.matches)
    assert finishes_of([crash_and_silence(5)]) == after
    assert [(("alpha", "alpha-1"), None), (("beta", "beta-1"), None)] == list(before.endings())[:2]
    assert (("alpha", "alpha-1"), "crash") in after.endings()
    assert not finishes.split(3)[0].blocks
    assert finishes == finishes.split(9)[0]
    assert not finishes.split(9)[1].blocks


def crash_and_silence(number):
    seats = [
        a_seat("alpha", 2, fault="crash", score=None, think_us=[], cpu_us=None),
        a_seat("beta", think_us=[7] * number),
    ]
    return a_lone_match(number, seats=seats)


# --- draws, which are measured


def many_draws(count):
    """Return *count* blocks: of each five matches of alpha and beta, one is a draw."""
    matches = [a_match(i, ranks=(1 + i % 2, 2 - i % 2) if i % 5 else (1, 1)) for i in range(2 * count)]
    return [Block(number, matches[2 * number : 2 * number + 2], []) for number in range(count)]


def told(draws, **fields):
    return {"ratings": {"stellar": {"beta": 25 / 6, "draw_probability": draws, **fields}}}


def test_a_first_run_is_rated_by_the_draws_of_its_own_matches(store):
    with store.lock():
        keep_run(store, many_draws(99), ends=False)
        assert {0: 0.02} == cache.ratings_current(store)["stellar"].parameters.draw_probability
        put_blocks(store, many_draws(100)[99:])
        computed = cache.ratings_current(store)["stellar"]
        store.finish(1, 100)
        cache.save(store)
    unreadable(store)
    stored = cache.ratings_current(store)["stellar"]
    assert {2: pytest.approx(0.2, rel=0.1)} == stored.measured
    assert {0: 0.02, **stored.measured} == stored.parameters.draw_probability
    assert (computed.fit, computed.parameters) == (stored.fit, stored.parameters)
    assert {"stellar": stored.measured} == cache.measured_draws(store)


def test_runs_that_began_with_other_draws_end_with_the_same_ratings(tmp_path):
    """As shards do, which begin with the game's own, and are merged."""
    found = []
    for name, fields in {"own": told(0.02), "measured": told({"0": 0.02, "2": 0.3})}.items():
        store = Store(tmp_path / name)
        with store.lock():
            keep_run(store, many_draws(120), **fields)
            found.append(cache.save(store)["stellar"])
    assert found[0].fit == found[1].fit
    assert [(of.mu.hex(), of.sigma.hex()) for of in found[0].standings.values()] == [
        (of.mu.hex(), of.sigma.hex()) for of in found[1].standings.values()
    ]


def test_draws_that_are_set_are_not_measured(store):
    with store.lock():
        keep_run(store, many_draws(120), **told(0.02, fixed_draws=[0]))
        rated = cache.save(store)["stellar"]
    assert rated == cache.ratings_current(store)["stellar"]
    assert {0: 0.02} == rated.parameters.draw_probability
    assert {2: pytest.approx(0.2, rel=0.1)} == rated.measured
    note = "the ratings rest on the draw_probability in ladder.toml, and the matches show another: 2 % at 2"
    assert any(each.text.startswith(note) for each in board_notes(GameBoard(rated), {}))
    near = replace_fields(rated, parameters=Parameters(draw_probability={2: 0.19}, fixed=frozenset({2})))
    assert not any("ladder.toml" in each.text for each in board_notes(GameBoard(near), {}))
