"""The block factor: 1 where the matches of a block are independent, more where a deal favours somebody."""

import random
from statistics import variance

import pytest
from support.counted import add_block
from support.skill_worlds import BETA, an_outcome, blocks_of, bots_named, count_blocks

from results.rating.block_factor import BlockFactor, BlockSums, mean_factor, pool_factors
from results.rating.fit import fit
from results.rating.outcomes import Counts, FinishOrder
from results.rating.parameters import Draws, Parameters
from results.rating.update import draw_margin

OF = Parameters(BETA, Draws.of(0.05))
SKILLS = [*map(random.Random(4).gauss, [25] * 8, [4] * 8)]


def with_luck(seats, blocks, of_bot, of_seat, seed=1):
    """Return the counts of blocks where luck of variance *of_bot* stays with a bot through all rotations,
    and luck of variance *of_seat* with a seat; the variances of all luck add up to beta^2.
    """
    rng, bots, margin = random.Random(seed), bots_named(len(SKILLS)), draw_margin(0.05, BETA)
    counts = Counts()
    own = (BETA**2 - of_bot - of_seat) ** 0.5
    for _ in range(blocks):
        table = rng.sample(range(len(SKILLS)), seats)
        days = [rng.gauss(0, of_bot**0.5) for _ in range(seats)]
        places = [rng.gauss(0, of_seat**0.5) for _ in range(seats)]
        add_block(
            counts,
            [
                an_outcome(
                    [bots[i] for i in table],
                    [
                        rng.gauss(SKILLS[table[k]] + days[k] + places[(k + rotation) % seats], own)
                        for k in range(seats)
                    ],
                    margin,
                )
                for rotation in range(seats)
            ],
        )
    return counts


@pytest.mark.parametrize(("seats", "blocks"), [(2, 3000), (3, 800), (4, 400)])
def test_independent_matches_have_a_factor_of_1(seats, blocks):
    assert fit(count_blocks(blocks_of(SKILLS, seats, blocks)), OF).deviation == pytest.approx(1.0, abs=0.06)


def test_few_blocks_of_independent_matches_are_not_taken_for_luck():
    """Where there are hardly more blocks than bots, what the fit has used up is most of what there is."""
    factors = [fit(count_blocks(blocks_of(SKILLS, 2, 30, seed)), OF).deviation for seed in range(60)]
    assert sum(factors) / 60 == pytest.approx(1.0, abs=0.05)


def test_luck_of_the_bot_in_a_deal_makes_it_larger():
    assert 1.25 < fit(with_luck(2, 1500, BETA**2 / 2, 0.0), OF).deviation < 1.6


def test_luck_of_the_seat_makes_it_smaller():
    assert 0.5 < fit(with_luck(2, 1500, 0.0, BETA**2 / 2), OF).deviation < 0.8


def test_all_variances_grow_by_it_about():
    """Each two bots have a factor of their own; where all luck is alike, it is near that of the game."""
    counts = with_luck(2, 800, BETA**2 / 2, 0.0)
    lucky = fit(counts, OF)
    plain = fit(Counts(counts.outcomes, {}), OF)
    assert (1.0, plain.mu) == (plain.deviation, lucky.mu)
    for row, smaller in zip(lucky.covariance, plain.covariance, strict=True):
        assert row == pytest.approx([lucky.deviation * value for value in smaller], abs=0.1 * max(row))
    assert plain.precision == lucky.precision


def test_too_few_blocks_have_no_factor():
    few, enough = count_blocks(blocks_of(SKILLS, 4, 7)), count_blocks(blocks_of(SKILLS, 4, 8))
    assert ((), 1.0) == (fit(few, OF).block_factors, fit(few, OF).deviation)
    assert [(4, 8)] == [factor[:2] for factor in fit(enough, OF).block_factors]


def test_it_is_drawn_to_1_and_kept_within_limits():
    assert 1.0 == BlockFactor(2, 0, 9.0, 9.0).factor
    assert 1.5 == BlockFactor(2, 50, 2.0, 2.0).factor
    assert (0.5, 3.0) == (BlockFactor(2, 10**6, 0.1, 0.1).factor, BlockFactor(2, 10**6, 9.0, 9.0).factor)


def test_a_game_has_the_mean_over_its_table_sizes_by_blocks():
    assert 1.0 == mean_factor([])
    two, four = BlockFactor(2, 150, 1.0, 1.0), BlockFactor(4, 50, 2.0, 2.0)
    assert mean_factor([two, four]) == pytest.approx((150 * 1.0 + 50 * 1.5) / 200)


def test_factors_of_two_sets_of_blocks_are_pooled():
    pooled = pool_factors(
        [BlockFactor(4, 30, 1.0, 1.0), BlockFactor(2, 9, 0.7, 0.7), BlockFactor(4, 10, 2.0, 2.0)]
    )
    assert (BlockFactor(2, 9, 0.7, 0.7), BlockFactor(4, 40, 1.25, 1.25)) == pooled


def test_the_sums_are_those_of_the_definition():
    """Two bots: gradients are counted by hand, and what all blocks have in common is taken off."""
    counts = count_blocks(blocks_of(SKILLS[:2], 2, 40))
    slope_of = {outcome: i + 1.0 for i, outcome in enumerate(sorted(counts.outcomes))}

    def slopes(outcome):
        first = slope_of[outcome]
        return [first, -first] if outcome.bots == tuple(sorted(outcome.bots)) else [-first, first]

    sums = BlockSums(counts.blocks, slopes)
    matches = [
        slope_of[outcome] for pattern, n in counts.blocks.items() for outcome in pattern for _ in range(n)
    ]
    blocks = [sum(map(slope_of.get, pattern)) for pattern, n in counts.blocks.items() for _ in range(n)]
    within = 2 * variance(blocks)
    mean_square = (sum(blocks) ** 2 - sum(each**2 for each in blocks)) / (80**2 - 40 * 4)
    apart = 2 * (sum(each**2 for each in matches) / 80 - mean_square)
    (found,) = sums.factors()
    assert within / apart / 2 == pytest.approx(found.raw, rel=1e-9)
    assert [(40, 80, pytest.approx(20 * within, rel=1e-9))] == [*sums.by_pair().values()]


@pytest.mark.parametrize("wins", [0.6, 0.8])
def test_independent_matches_of_bots_that_beat_each_other_in_a_circle_have_a_factor_of_1(wins):
    """Ratings cannot say it, so all matches of two bots lean the same way; that is no luck of the deal."""
    rng, bots, counts = random.Random(3), bots_named(3), Counts()
    for _ in range(1500):
        i = rng.randrange(3)
        winner, loser = bots[i], bots[(i + 1) % 3]
        add_block(
            counts,
            [
                FinishOrder((winner, loser) if rng.random() < wins else (loser, winner), (False,))
                for _ in range(2)
            ],
        )
    assert fit(counts, OF).deviation == pytest.approx(1.0, abs=0.05)


def test_few_blocks_of_a_pair_do_not_hide_what_blocks_share():
    counts = Counts()
    for seed in range(5):
        counts.update(with_luck(2, 90, BETA**2 / 2, 0.0, seed))
    assert 1.2 < fit(counts, OF).deviation < 1.6
