"""Standings and totals: what matches add up to, in any order and any parts."""

import random

import msgspec
from support.boards import tallied
from support.counted import add_block
from support.random_blocks import random_blocks
from support.records import a_block, a_match, a_run, a_seat, outcome_of

from results.rating import tally as tallies
from results.rating.counting import count_matches
from results.rating.outcomes import Counts
from results.rating.parameters import NEW, Draws, Parameters
from results.rating.standings import Counted, Totals
from results.record import Block
from results.storage.finishes import finishes_of, standing_matches


def test_a_standing_counts_what_happened():
    faulted = {"fault": "timeout", "score": None, "cpu_us": None}
    won = a_match(seats=[a_seat("alpha", 2, think_us=[1000, 3000], **faulted), a_seat("beta", 1, score=12)])
    tie = a_match(1, ("beta", "alpha"), (1, 1))
    crash = a_seat("alpha", 3, think_us=[], cpu_us=7, fault="crash", score=-3)
    table_of_three = a_match(2, seats=[crash, a_seat("gamma", 1, think_us=[9]), a_seat("beta", 2)])
    late = a_match(3, seats=[a_seat("beta", 1, fault="crash"), a_seat("alpha", 2, think_us=[5], **faulted)])
    blocks = [Block(0, [won, tie], []), Block(1, [table_of_three], []), Block(2, [late], [])]
    tally = tallied((a_run(), blocks))
    alpha = tally.totals.standings()["stellar", "alpha", "alpha-1"]
    assert (4, 0, 1, 2) == (alpha.matches, alpha.wins, alpha.draws, alpha.losses)
    assert (1, 3, 9) == (alpha.ranked, alpha.rank_sum, alpha.rank_squares)
    assert (2, 10 - 3) == (alpha.scored, alpha.score_sum)
    assert {"timeout": 2, "crash": 1} == alpha.faults
    assert (2 + 3 + 0 + 1, 4000 + 420 + 5, 400 + 7) == (alpha.decisions, alpha.think_us, alpha.cpu_us)
    assert (1, 3) == (alpha.through_run, alpha.through_match)


def test_void_matches_do_not_count():
    void = a_match(0, ranks=(None, None), void=True)
    tally = tallied((a_run(), [Block(0, [void, a_match(0, attempt=1)], [])]))
    assert 1 == tally.totals.standings()["stellar", "alpha", "alpha-1"].matches


def test_versions_games_and_table_sizes_have_standings_of_their_own():
    newer = a_match(1, seats=[a_seat(version="alpha-2"), a_seat("beta", 2)])
    three = a_match(3, ("alpha", "gamma", "beta"), (3, 1, 2))
    totals = tallied((a_run(), [Block(0, [a_match(), newer, a_match(2, game="stella"), three], [])])).totals
    assert 6 == len(totals.standings())
    assert 5 == len(totals.standings(2))
    assert {"alpha": 1, "beta": 1, "gamma": 1} == {
        key[1]: of.matches for key, of in totals.standings(3).items()
    }
    assert 2 == totals.standings()["stellar", "alpha", "alpha-1"].matches
    alpha = totals.standings()["stellar", "alpha", "alpha-1"]
    assert NEW == (alpha.mu, alpha.sigma)


def test_outcomes_and_blocks_are_those_of_the_records():
    blocks = [*random_blocks(30), Block(30, [a_match(90), a_match(91, paired=False)], [])]
    expected = Counts()
    for block in blocks:
        of_block = standing_matches(block)
        add_block(
            expected,
            [outcome_of(match.seats) for match in of_block],
            paired=all(match.paired for match in of_block),
        )
    totals = Totals()
    totals.add(count_matches(finishes_of(blocks), 1))
    assert {"stellar": expected} == totals.counts
    assert 30 == sum(totals.counts["stellar"].blocks.values())


def test_seats_beaten_are_counted_in_halves():
    blocks = list(random_blocks(60))
    totals, expected = Totals(), {}
    totals.add(count_matches(finishes_of(blocks), 1))
    for match in [match for block in blocks for match in standing_matches(block)]:
        for seat in match.seats:
            others = [other.rank for other in match.seats if other is not seat]
            twice, rivals = sum(2 * (r > seat.rank) + (r == seat.rank) for r in others), len(others)
            more = (rivals, rivals**2, twice, twice**2, twice * rivals)
            sums = expected.setdefault((seat.bot, seat.version), [0] * 5)
            expected[seat.bot, seat.version] = [sum(both) for both in zip(sums, more, strict=True)]
    assert expected == {
        key[1:]: [of.rivals, of.rival_squares, of.beaten, of.beaten_squares, of.beaten_rivals]
        for key, of in totals.standings().items()
    }
    assert any(of.beaten % 2 for of in totals.standings().values()), "some tied"


def test_totals_are_the_same_in_any_parts():
    blocks = list(random_blocks(40))
    whole, parts = Totals(), [[], [], []]
    whole.add(count_matches(finishes_of(blocks), 1))
    for block in random.Random(3).sample(blocks, len(blocks)):
        random.Random(block.number).choice(parts).extend(count_matches(finishes_of([block]), 1))
    joined = Totals()
    for part in parts:
        joined.add(part)
    assert whole.standings() == joined.standings()
    assert whole.counts == joined.counts


def test_counts_are_stored_as_they_are():
    counted = count_matches(finishes_of(list(random_blocks(60))), 1)
    stored = msgspec.msgpack.decode(msgspec.msgpack.encode(counted), type=list[Counted])
    assert counted == stored
    totals = Totals()
    totals.add([*counted, *stored])
    once = tallied((a_run(), random_blocks(60))).totals.counts
    assert {game: 2 * of.matches for game, of in once.items()} == {
        game: of.matches for game, of in totals.counts.items()
    }


def test_what_is_counted_together_is_what_is_counted_one_by_one(monkeypatch):
    together = tallied((a_run(), random_blocks(40))).totals
    monkeypatch.setattr(tallies, "BATCH_BLOCKS", 1)
    one_by_one = tallied((a_run(), random_blocks(40))).totals
    assert together.standings() == one_by_one.standings()
    assert together.counts == one_by_one.counts


# --- the tally


def test_standings_are_those_of_a_moment():
    tally = tallied((a_run(), [a_block(0)]))
    then = tally.totals.standings()["stellar", "alpha", "alpha-1"]
    tally.add(a_block(1))
    assert 2 == then.matches
    assert 4 == tally.totals.standings()["stellar", "alpha", "alpha-1"].matches


def test_the_newest_run_with_blocks_gives_the_parameters_of_each_game():
    other = {"stellar": {"beta": 20.0, "draw_probability": {"2": 0.5}}, "stella": {"beta": 1.0}}
    tally = tallied((a_run(1), random_blocks(3)))
    assert {"stellar": Parameters(draw_probability=Draws.of(0.02))} == tally.parameters
    tally.begin(a_run(2, ratings=other))
    assert {"stellar"} == tally.parameters.keys()
    tally.add(a_block(0, run=2))
    assert (20.0, 1.0) == (tally.parameters["stellar"].beta, tally.parameters["stella"].beta)
