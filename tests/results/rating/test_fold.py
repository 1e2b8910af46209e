"""Ratings: the published numbers, and a fold that is the same to the last bit wherever it is continued."""

import math
import random
import subprocess
import sys
from collections import Counter
from itertools import permutations

import pytest
from support.records import a_block, a_match, a_run, a_seat

from results.rating import cache, fold
from results.rating.fold import Fold, rate
from results.rating.parameters import NEW, Draws, Parameters, Rating
from results.rating.update import update_skills
from results.record import Block, encode_block
from results.storage import parquet, schema
from results.storage.finishes import finishes_of
from results.storage.store import Store

TABLE = Parameters(draw_probability=Draws.of(0.1))
DRIFT = 25 / 300  # the published numbers let each skill drift by this much before a match; ours do not


def drifted(mu=25.0, sigma=25 / 3):
    return Rating(mu, math.hypot(sigma, DRIFT))


def seats(*ranks):
    return [a_seat(f"bot{seat}", rank) for seat, rank in enumerate(ranks)]


# printed to three digits wherever TrueSkill is explained, and in the package's own tests
PUBLISHED = [
    ([drifted()] * 2, (1, 2), [(29.396, 7.171), (20.604, 7.171)]),
    ([drifted()] * 2, (1, 1), [(25.0, 6.458), (25.0, 6.458)]),
    ([drifted(), drifted(50, 12.5)], (1, 1), [(31.662, 7.137), (35.010, 7.910)]),
    ([drifted()] * 3, (1, 2, 3), [(31.675, 6.656), (25.0, 6.208), (18.325, 6.656)]),
    ([drifted()] * 4, (1, 2, 3, 4), [(33.207, 6.348), (27.401, 5.787), (22.599, 5.787), (16.793, 6.348)]),
    (
        [drifted()] * 5,
        (1, 2, 3, 4, 5),
        [(34.363, 6.136), (29.058, 5.536), (25.0, 5.420), (20.942, 5.536), (15.637, 6.136)],
    ),
]


@pytest.mark.parametrize(("before", "ranks", "expected"), PUBLISHED)
def test_a_match_gives_the_published_ratings(before, ranks, expected):
    after = rate(before, seats(*ranks), TABLE)
    assert [pytest.approx(numbers, abs=1e-3) for numbers in expected] == [tuple(rating) for rating in after]


def test_a_match_changes_no_rating_by_drift_alone():
    assert NEW.sigma > max(rating.sigma for rating in rate([NEW, NEW], seats(1, 2), TABLE))
    certain = [Rating(40.0, 0.5), Rating(10.0, 0.5)]
    assert [pytest.approx(rating, abs=1e-4) for rating in certain] == rate(certain, seats(1, 2), TABLE)


@pytest.mark.parametrize("probability", [1e-2, 1e-4, 1e-6, 1e-8])
def test_a_tie_of_equals_makes_both_surer_however_rare_ties_are(probability):
    after = rate([NEW, NEW], seats(1, 1), Parameters(draw_probability=Draws.of(probability)))
    assert [(pytest.approx(25.0), pytest.approx(6.455, abs=2e-3))] * 2 == after


def test_tied_seats_are_rated_the_same_wherever_they_sit():
    before = {bot: Rating(25 + 3 * bot, 3.0) for bot in range(4)}
    ranks = {0: 1, 1: 2, 2: 2, 3: 2}
    results = set()
    for order in permutations(range(4)):
        at_table = [a_seat(f"bot{bot}", ranks[bot]) for bot in order]
        after = rate([before[bot] for bot in order], at_table, TABLE)
        results.add(tuple(after[order.index(bot)] for bot in range(4)))
    assert 1 == len(results)


def test_the_winner_of_a_duel_gains_what_the_loser_loses():
    one, two = rate([NEW, NEW], seats(2, 1), Parameters())
    assert pytest.approx(25.0) == (one.mu + two.mu) / 2
    assert one.mu < two.mu


def test_a_rating_that_cannot_be_computed_is_left_out_and_counted(caplog):
    fold = Fold(never_surprised)
    fold.begin(a_run())
    fold.add(Block(0, [a_match(6)], []))
    before = {bot: fold.rating("stellar", bot, f"{bot}-1") for bot in ("alpha", "beta")}
    fold.add(Block(1, [a_match(7, bots=("beta", "alpha"))], []))
    assert before == {bot: fold.rating("stellar", bot, f"{bot}-1") for bot in ("alpha", "beta")}
    assert 1 == fold.unrated
    standing = fold.standings["stellar", "beta", "beta-1"]
    assert (2, 1, 1) == (standing.matches, standing.unrated, standing.wins)
    assert "match 1/7 stays unrated: never" in caplog.text


def never_surprised(skills, ties, beta, draw_probability):
    if skills[0] < skills[1]:
        raise FloatingPointError("never")
    return update_skills(skills, ties, beta, draw_probability)


# --- the fold


def random_blocks(count, run=1, start=0, seed=0):
    luck = random.Random(f"{seed}/{run}")
    names = ("ann", "bob", "cid", "dan", "eve")
    for number in range(start + count):
        size = luck.choice((2, 2, 3, 4))
        bots = luck.sample(names, size)
        of_block = []
        for rotation in range(size):
            ranks = [1, *luck.choices(range(1, size + 1), k=size - 1)]
            luck.shuffle(ranks)
            ranks = [1 + sum(other < rank for other in ranks) for rank in ranks]
            of_block.append(
                a_match(10 * number + rotation, bots, ranks, block=number, rotation=rotation, run=run)
            )
        if number >= start:
            yield Block(number, of_block, [])


def folded(*runs):
    fold = Fold()
    for run, blocks in runs:
        fold.begin(run)
        for block in blocks:
            fold.add(block)
        fold.finish()
    return fold


def test_a_standing_counts_what_happened():
    match = a_match(
        seats=[
            a_seat("alpha", 2, think_us=[1000, 3000], cpu_us=None, fault="timeout", score=None),
            a_seat("beta", 1, think_us=[500], cpu_us=7, score=12),
        ]
    )
    tie = a_match(1, ("beta", "alpha"), (1, 1))
    table_of_three = a_match(2, ("alpha", "gamma", "beta"), (3, 1, 2))
    fold = folded((a_run(), [Block(0, [match, tie], []), Block(1, [table_of_three], [])]))
    alpha = fold.standings["stellar", "alpha", "alpha-1"]
    assert (3, 0, 1, 1) == (alpha.matches, alpha.wins, alpha.draws, alpha.losses)
    assert (1, 3) == (alpha.ranked, alpha.rank_sum)
    assert (2, 10 + 8) == (alpha.scored, alpha.score_sum)
    assert {"timeout": 1} == alpha.faults
    assert (8, 4000 + 2 * 420, 800) == (alpha.decisions, alpha.think_us, alpha.cpu_us)
    assert (1, 2) == (alpha.through_run, alpha.through_match)


def test_columns_count_what_seats_say_one_by_one():
    luck = random.Random(2)
    seats = [
        a_seat(
            "alpha",
            luck.randint(1, 3),
            score=luck.choice((None, -3, 40)),
            fault=luck.choice((None, "crash", "timeout")),
            think_us=luck.choices(range(900), k=luck.randrange(4)),
            cpu_us=luck.choice((None, 5, 70)),
        )
        for _ in range(50)
    ]
    matches = [
        a_match(number, seats=[seat, a_seat("beta", 2), a_seat("gamma", 2)])
        for number, seat in enumerate(seats)
    ]
    alpha = folded((a_run(), [Block(0, matches, [])])).standings["stellar", "alpha", "alpha-1"]
    assert (50, sum(seat.rank for seat in seats)) == (alpha.matches, alpha.rank_sum)
    scores = [seat.score for seat in seats if seat.score is not None]
    assert (len(scores), sum(scores)) == (alpha.scored, alpha.score_sum)
    assert Counter(seat.fault for seat in seats if seat.fault) == alpha.faults
    assert sum(len(seat.think_us) for seat in seats) == alpha.decisions
    assert sum(sum(seat.think_us) for seat in seats) == alpha.think_us
    assert sum(seat.cpu_us or 0 for seat in seats) == alpha.cpu_us


def test_void_matches_do_not_count():
    void = a_match(0, ranks=(None, None), void=True)
    fold = folded((a_run(), [Block(0, [void, a_match(0, attempt=1)], [])]))
    assert 1 == fold.standings["stellar", "alpha", "alpha-1"].matches


def test_versions_and_games_have_standings_of_their_own():
    newer = a_match(1, seats=[a_seat(version="alpha-2"), a_seat("beta", 2)])
    fold = folded((a_run(), [Block(0, [a_match(), newer, a_match(2, game="stella")], [])]))
    assert 5 == len(fold.standings)
    assert NEW == fold.rating("stella-quest", "alpha", "alpha-1")


def test_each_run_is_rated_by_its_own_parameters():
    lucky = a_run(ratings={"stellar": {"beta": 20.0, "draw_probability": 0.02}})
    one, other = (
        folded((run, [a_block(0)])).standings["stellar", "beta", "beta-1"] for run in (a_run(), lucky)
    )
    assert one.sigma < other.sigma


def test_a_fold_continued_from_its_table_equals_itself_to_the_last_bit(tmp_path):
    runs = [a_run(1, finished=1), a_run(2, finished=1)]
    whole = folded(*((run, random_blocks(60, run.run)) for run in runs))
    for cut in (0, 1, 30, 59):
        first = folded((runs[0], random_blocks(60)))
        first.begin(runs[1])
        for block in random_blocks(cut, 2):
            first.add(block)
        path = tmp_path / f"{cut}.parquet"
        path.write_bytes(parquet.encode_with_tag(first.table(), first.made_from(runs)))
        table, made_from = parquet.read_with_tag(path, schema.RATINGS)
        rest = Fold.resume(table, made_from, runs)
        rest.begin(runs[1])
        for block in random_blocks(60 - cut, 2, start=cut):
            rest.add(block)
        rest.finish()
        assert whole.standings == rest.standings
        assert (whole.run, whole.block, whole.unrated) == (rest.run, rest.block, rest.unrated)


def test_a_table_made_from_other_runs_is_not_continued():
    run = a_run(finished=1)
    fold = folded((run, random_blocks(3)))
    table, made_from = fold.table(), fold.made_from([run])
    assert Fold.resume(table, made_from, [run, a_run(2)]).standings == fold.standings
    assert None is Fold.resume(table, made_from, [a_run(finished=1, started=7)])
    assert None is Fold.resume(table, made_from, [a_run(finished=1, ratings={})])
    assert None is Fold.resume(table, {**made_from, "method": "guessed"}, [run])
    assert None is Fold.resume(table, None, [run])


def test_blocks_are_added_in_number_order_only():
    fold = Fold()
    fold.begin(a_run())
    fold.add(a_block(1))
    with pytest.raises(ValueError, match="expected block 2 or a later one, got: block 1"):
        fold.add(a_block(1))
    with pytest.raises(ValueError, match="expected run 1, got: run 2"):
        fold.begin(a_run(2))


def test_standings_are_those_of_a_moment():
    fold = Fold()
    fold.begin(a_run())
    fold.add(crash(0))
    then = fold.standings["stellar", "alpha", "alpha-1"]
    assert (1, {"crash": 1}) == (then.matches, then.faults)
    fold.add(crash(1))
    assert (1, {"crash": 1}) == (then.matches, then.faults)
    now = fold.standings["stellar", "alpha", "alpha-1"]
    assert (2, {"crash": 2}) == (now.matches, now.faults)
    assert now.mu < then.mu


def crash(number):
    return Block(
        number, [a_match(number, seats=[a_seat("alpha", 2, fault="crash"), a_seat("beta")], block=number)], []
    )


def test_what_is_counted_together_is_what_is_counted_one_by_one(monkeypatch):
    together = folded((a_run(), random_blocks(40)))
    monkeypatch.setattr(fold, "BATCH_BLOCKS", 1)
    assert together.standings == folded((a_run(), random_blocks(40))).standings


# --- the fold of a store


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "results")


def begun(store, *numbers, run=1):
    store.begin(a_run(run))
    for number in numbers:
        store.append(number, encode_block(a_block(number, run=run)))


def test_the_ratings_of_an_unfinished_run_end_at_the_first_gap(store):
    with store.lock():
        begun(store, 0, 1, 3)
    assert 4 == cache.fold_current(store).standings["stellar", "alpha", "alpha-1"].matches


def test_an_abandoned_run_is_rated_across_its_gaps(store):
    with store.lock():
        begun(store, 0, 1, 3)
        cache.save(store, cache.fold_current(store))
        store.abandon(1)
    assert 6 == cache.fold_current(store).standings["stellar", "alpha", "alpha-1"].matches


def test_ratings_are_the_same_with_a_cache_from_any_moment(store):
    with store.lock():
        begun(store, *range(10))
        store.seal()
        cache.save(store, cache.fold_current(store))
        for number in range(10, 15):
            store.append(number, encode_block(a_block(number)))
        store.finish(1, 15)
        begun(store, 0, 1, run=2)
    continued = cache.fold_current(store).standings
    (store.folder.ratings).unlink()
    assert cache.fold_current(store).standings == continued


def test_a_table_size_is_rated_as_if_there_had_been_no_other(store):
    threes = [a_block(number, ("alpha", "beta", "gamma")) for number in range(1, 20, 2)]
    with store.lock():
        store.begin(a_run())
        for number in range(20):
            block = a_block(number) if number % 2 == 0 else threes[number // 2]
            store.append(number, encode_block(block))
        store.finish(1, 20)
    alone = folded((a_run(), threes))
    assert alone.standings == cache.fold_at_tables_of(store, 3).standings
    assert {} == cache.fold_at_tables_of(store, 4).standings


def test_no_match_is_read_where_the_cache_is_current(store):
    with store.lock():
        begun(store, *range(5))
        store.finish(1, 5)
        fold = cache.fold_current(store)
        cache.save(store, fold)
    for path in store.folder.matches.iterdir():
        path.write_bytes(b"never read")
    assert fold.standings == cache.fold_current(store).standings


def test_a_run_is_taken_up_with_the_ratings_from_before_it_though_the_cache_is_newer(store):
    with store.lock():
        begun(store, *range(4))
        store.finish(1, 4)
        at_its_end = cache.fold_current(store).standings
        begun(store, *range(6), run=2)
        store.seal()
        cache.save(store, cache.fold_current(store))
    for path in store.folder.matches.iterdir():
        path.write_bytes(b"never read")
    fold = cache.fold_before(store, store.unfinished_run())
    assert at_its_end == fold.standings
    assert (2, 0) == (fold.run, fold.block)


def test_segments_say_of_each_block_what_its_record_says(store):
    void = [a_match(0, ranks=(None, None), void=True), a_match(0, attempt=1), a_match(1)]
    blocks = [Block(0, void, []), *map(crash_and_silence, range(1, 5))]
    with store.lock():
        store.begin(a_run())
        for block in blocks:
            store.append(block.number, encode_block(block))
        store.seal()
        store.append(5, encode_block(crash_and_silence(5)))
    contents = store.contents()
    assert [finishes_of(blocks)] == list(contents.sealed_finishes(1))
    assert [finishes_of(blocks[3:])] == list(contents.sealed_finishes(1, 3))
    assert [finishes_of(blocks), finishes_of([crash_and_silence(5)])] == list(contents.finishes(1))


def test_finishes_split_between_blocks():
    finishes = finishes_of([Block(3, [a_match(7, block=3)], []), *map(crash_and_silence, range(4, 6))])
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
    return Block(number, [a_match(number, seats=seats, block=number)], [])


def test_a_cache_that_is_ahead_of_the_results_is_not_believed(store, tmp_path):
    with store.lock():
        begun(store, 0, 1)
        ahead = folded((a_run(), random_blocks(5)))
        ahead.run, ahead.block = 1, 5
        cache.save(store, ahead)
    assert 4 == cache.fold_current(store).standings["stellar", "alpha", "alpha-1"].matches


def test_the_package_is_loaded_without_a_warning():
    code = "import results.rating.fold"
    command = [sys.executable, "-B", "-W", "error", "-X", "pycache_prefix=/nonexistent", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (0, "") == (done.returncode, done.stderr)
