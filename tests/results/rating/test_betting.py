"""A duel is decided by bets: their wealth, the interval, the verdict, and what is kept of the blocks."""

import math
import random
from collections import Counter
from itertools import product

import pytest

from results.rating.betting import Interval, find_interval, log_wealth
from results.rating.duel_tally import BlockResult, Guess, Tally

WON, LOST, SPLIT, TIED = (
    BlockResult(2, 0, 0),
    BlockResult(0, 0, 2),
    BlockResult(1, 0, 1),
    BlockResult(0, 2, 0),
)
MIXED = {WON: 60, LOST: 30, SPLIT: 80, TIED: 2, BlockResult(1, 1, 0): 5, BlockResult(0, 1, 1): 1}


def test_a_block_counts_by_the_ranks_of_the_two_bots_whatever_the_others_do():
    tally = Tally(3)
    tally.add([(1, 2), (3, 1), (2, 2)])
    tally.add([(1, 3), (1, 2), (1, 1)])
    tally.add([(2, 3), (3, 2), (2, 2)])
    assert {BlockResult(1, 1, 1): 2, BlockResult(2, 1, 0): 1} == tally.counts
    assert 3 == tally.blocks
    assert BlockResult(4, 3, 2) == tally.matches
    assert [(0.0, 2), (2 / 3, 1)] == tally.by_score()
    assert 2 / 9 == pytest.approx(tally.mean)


@pytest.mark.parametrize("matches", [0, 2, 4])
def test_a_block_that_lacks_a_match_or_has_one_too_many_is_refused(matches):
    with pytest.raises(ValueError, match=f"expected a block of 3 matches, got: {matches}"):
        Tally(3).add([(1, 2)] * matches)


@pytest.mark.parametrize("mean", [-0.9, -0.3, 0.0, 0.1, 0.8])
def test_the_wealth_is_the_product_of_all_bets_averaged_over_the_stakes(mean):
    wealths = [1.0] * 9
    for result, count in MIXED.items():
        score = (result.wins - result.losses) / 2
        for k in range(9):
            wealths[k] *= (1 + 0.02 * 1.6**k * (score - mean) / (1 + mean)) ** count
    wealth = log_wealth(Tally(2, MIXED), mean)
    assert math.log(sum(wealths) / 9) == pytest.approx(wealth, abs=1e-9)


def test_the_bet_on_below_is_the_bet_on_above_of_the_other_bot():
    other = Tally(2, {BlockResult(r.losses, r.draws, r.wins): n for r, n in MIXED.items()})
    assert log_wealth(other, -0.2) == log_wealth(Tally(2, MIXED), 0.2, above=False)
    low, high = find_interval(Tally(2, MIXED), 0.05)
    assert Interval(-high, -low) == find_interval(other, 0.05)


def test_a_fair_bet_has_an_expected_wealth_of_one():
    """Over all sequences of three blocks with scores of mean m the wealth of the bet on above m is 1."""
    chances = {WON: 0.3, SPLIT: 0.45, LOST: 0.25}
    mean = 0.3 - 0.25
    expected = math.fsum(
        math.prod(map(chances.get, results)) * math.exp(log_wealth(Tally(2, Counter(results)), mean))
        for results in product(chances, repeat=3)
    )
    assert 1 == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("alpha", [0.05, 0.01])
def test_at_the_ends_of_the_interval_a_gambler_has_just_won_enough(alpha):
    tally = Tally(2, MIXED)
    low, high = find_interval(tally, alpha)
    assert -1 < low < tally.mean < high < 1
    assert log_wealth(tally, low) == pytest.approx(math.log(2 / alpha), abs=1e-6)
    assert log_wealth(tally, high, above=False) == pytest.approx(math.log(2 / alpha), abs=1e-6)
    # rounded outwards: the ends themselves are refuted
    assert log_wealth(tally, low) >= math.log(2 / alpha)
    assert log_wealth(tally, high, above=False) >= math.log(2 / alpha)


def test_the_interval_leaves_out_what_a_bet_has_refuted():
    """So a verdict can be had from the wealth at 0 and at the margin alone, which is quicker."""
    rng = random.Random(40)
    seen = set()
    for _ in range(40):
        counts = {result: rng.randint(0, 60) for result in MIXED}
        tally = Tally(2, counts)
        low, high = find_interval(tally, 0.05)
        for mean in (-0.3, 0.0, 0.02):
            assert (low >= mean) == (log_wealth(tally, mean) >= math.log(40)) or low == pytest.approx(mean)
            below = log_wealth(tally, mean, above=False) >= math.log(40)
            assert (high <= mean) == below or high == pytest.approx(mean)
            seen.add((low >= mean, high <= mean))
    assert {(True, False), (False, True), (False, False)} == seen


def test_an_end_that_no_bet_can_refute_is_minus_one_or_one():
    assert Interval(-1, 1) == find_interval(Tally(2), 0.05)
    low, high = find_interval(Tally(2, {WON: 1000}), 0.05)
    assert 1 == high
    assert 0.9 < low < 1
    low, high = find_interval(Tally(2, {LOST: 1000}), 0.05)
    assert -1 == low
    assert -1 < high < -0.9


def test_bots_that_always_tie_get_a_narrow_interval_around_nothing():
    low, high = find_interval(Tally(2, {TIED: 20_000}), 0.05)
    assert low == -high
    assert 0 < high < 0.001


def test_the_same_blocks_in_another_order_give_the_same_bits():
    items = [*MIXED.items()]
    found = {find_interval(Tally(2, random.Random(n).sample(items, len(items))), 0.05) for n in range(20)}
    assert 1 == len(found)


def test_a_deal_is_worth_what_the_variance_of_blocks_says():
    independent = Tally(2, {WON: 250, LOST: 250, SPLIT: 500})
    assert 1 == pytest.approx(independent.worth, abs=0.002)
    deal_decides = Tally(2, {WON: 500, LOST: 500})  # who wins with a deal wins it from both seats
    assert 0.5 == pytest.approx(deal_decides.worth, abs=0.002)
    luck_cancels = Tally(2, {WON: 50, LOST: 50, SPLIT: 900})
    assert 5 == pytest.approx(luck_cancels.worth, abs=0.01)


@pytest.mark.parametrize("counts", [{}, {WON: 1}, {WON: 7}, {SPLIT: 7}])
def test_without_variance_nothing_is_said_of_worth_and_of_blocks_to_come(counts):
    assert None is Tally(2, counts).worth
    assert None is Tally(2, counts).blocks_to_tell(0.02, 0.05)


def test_to_tell_two_percent_takes_some_ten_thousand_deals():
    assert 9_000 < Tally(2, {WON: 220, LOST: 220, SPLIT: 560}).blocks_to_tell(0.02, 0.05) < 12_000


# -- less luck


def test_scores_count_less_their_luck():
    """Half of the standard deviation was luck: each win was lucky by 0.5, each loss unlucky."""
    tally = Tally(2, most_luck=15)
    for _ in range(30):
        tally.add([(1, 2), (1, 2)], 10)
        tally.add([(2, 1), (2, 1)], -10)
        tally.add([(1, 2), (2, 1)])
    assert [(-0.5, 30), (0.0, 30), (0.5, 30)] == tally.by_score()
    assert 0.0 == tally.mean
    assert 0.75 == pytest.approx(tally.luck_saved)
    assert 4 * tally.variance == pytest.approx(tally.plain_variance)
    assert BlockResult(90, 0, 90) == tally.matches
    assert Tally(2, tally.counts).worth == tally.worth


def test_the_mean_of_lucky_blocks_is_that_of_their_scores_less_luck():
    tally = Tally(2, most_luck=15)
    tally.add([(1, 2), (1, 2)], 5)
    tally.add([(2, 1), (1, 1)], -30)
    assert (0.75 + 1.0) / 2 == pytest.approx(tally.mean)
    assert [(0.75, 1), (1.0, 1)] == tally.by_score()


def test_with_luck_scores_have_wider_bounds_and_no_bet_can_lose_more_than_all():
    tally = Tally(2, most_luck=15)
    for _ in range(1_000):
        tally.add([(2, 1), (2, 1)], 30)  # the worst score: -2.5
    assert [(2.5, 1.0)] == [(tally.lots()[0].bound, Tally(2).lots()[0].bound)]
    assert -math.inf < log_wealth(tally, 0.0) < -5
    assert Interval(-1, 1) == find_interval(Tally(2, most_luck=15), 0.05)


@pytest.mark.parametrize("most", [15, None])
def test_luck_beyond_the_bounds_is_an_error(most):
    with pytest.raises(ValueError, match="expected a luck of at most"):
        Tally(2, most_luck=most).add([(1, 2), (1, 2)], 31)


def test_without_luck_a_wider_range_costs_deals_and_less_variance_saves_them():
    plain, wide = Tally(2), Tally(2, most_luck=15)
    for tally in (plain, wide):
        for _ in range(40):
            tally.add([(1, 2), (1, 2)])
            tally.add([(1, 2), (2, 1)])
        for _ in range(20):
            tally.add([(2, 1), (2, 1)])
    assert find_interval(plain, 0.05).low > find_interval(wide, 0.05).low
    assert 0.0 == wide.luck_saved
    assert plain.luck_saved is None


# -- a share of the luck, which is learnt


def play_looks(tally, looks):
    """Count *looks* of blocks: pairs of ranks and luck."""
    for blocks in looks:
        for ranks, luck in blocks:
            tally.add(ranks, luck)
        tally.terms = tally.next_terms()


LUCKY = [([(1, 2), (1, 2)], 20), ([(2, 1), (2, 1)], -20)] * 8
"""All of a result was luck."""
USELESS = [([(1, 2), (1, 2)], 20), ([(1, 2), (1, 2)], -20)] * 8
"""A bot that always wins, with good luck in some matches and bad luck in others."""


def test_the_share_of_the_luck_follows_from_earlier_looks_and_goes_where_scores_vary_least():
    tally = Tally(2, most_luck=15, learns=True)
    play_looks(tally, [LUCKY])
    assert 0.0 == tally.share, "16 blocks are too few"
    play_looks(tally, [LUCKY])
    assert 1.0 == tally.share
    play_looks(tally, [LUCKY])
    assert [(-1.0, 16), (0.0, 16), (1.0, 16)] == tally.by_score()
    assert 0.0 == tally.mean
    other = Tally(2, most_luck=15, learns=True)
    play_looks(other, [[(ranks, luck // 2) for ranks, luck in LUCKY]] * 3)
    assert 1.25 == other.share, "the estimate sees half of the luck, and no share is larger"


def test_in_a_lopsided_duel_no_luck_is_taken_out_and_it_ends_as_without():
    learnt, plain = Tally(2, most_luck=15, learns=True), Tally(2)
    whole = Tally(2, most_luck=15)
    play_looks(learnt, [USELESS] * 4)
    play_looks(whole, [USELESS] * 4)
    play_looks(plain, [[(ranks, 0) for ranks, _ in USELESS]] * 4)
    assert 0.0 == learnt.share
    assert find_interval(plain, 0.05) == find_interval(learnt, 0.05)
    assert find_interval(whole, 0.05).low < find_interval(plain, 0.05).low


def test_the_bound_of_a_score_follows_from_its_share():
    tally = Tally(2, most_luck=15, learns=True)
    play_looks(tally, [LUCKY] * 3)
    assert [(1.0, 1.0), (2.5, 1.0)] == [(lot.bound, lot.scale) for lot in tally.lots()]


def test_blocks_of_a_look_in_any_order_give_the_same_bits_with_a_share_and_a_guess():
    rng, found = random.Random(3), set()
    looks = [
        [([rng.choice([(1, 2), (2, 1)])] * 2, rng.randint(-30, 30)) for _ in range(16)] for _ in range(9)
    ]
    for _ in range(5):
        tally = Tally(2, most_luck=15, learns=True, guess=Guess(0.1, above=0.0))
        play_looks(tally, [rng.sample(blocks, len(blocks)) for blocks in looks])
        found.add((*find_interval(tally, 0.05), tally.mean, tally.terms))
    assert 1 == len(found)


# -- a mean that is expected


def guessing(mean=0.1, above=0.0, below=None):
    return Tally(2, guess=Guess(mean, above, below))


def test_a_guess_that_is_right_needs_fewer_blocks_and_touches_one_side_only():
    plain, guess = Tally(2), guessing()
    blocks = [([(1, 2), (1, 2)], 0)] * 5 + [([(2, 1), (2, 1)], 0)] * 4 + [([(1, 2), (2, 1)], 0)] * 7
    for tally in (plain, guess):
        play_looks(tally, [blocks] * 40)
    assert log_wealth(guess, 0.0) > log_wealth(plain, 0.0)
    assert log_wealth(guess, 0.0, above=False) == log_wealth(plain, 0.0, above=False)
    assert find_interval(guess, 0.05).high == find_interval(plain, 0.05).high


def test_bets_on_a_guess_are_fair_whatever_the_earlier_blocks_were():
    """Over all sequences of two looks of one block each, with scores of mean 0, the wealth is 1."""
    blocks = {((1, 2), (1, 2)): 0.25, ((2, 1), (2, 1)): 0.25, ((1, 2), (2, 1)): 0.5}
    expected, stakes = 0.0, set()
    for first, p in blocks.items():
        for second, q in blocks.items():
            tally = guessing()
            play_looks(tally, [[(first, 0)], [(second, 0)]])
            expected += p * q * math.exp(log_wealth(tally, 0.0))
            stakes |= {lot.above for lot in tally.lots()}
    assert 1 == pytest.approx(expected, abs=1e-12)
    assert len(stakes) > 1, "the stake of the second look follows from the first"


def test_the_stake_is_that_of_kelly_nearly():
    tally = guessing()
    play_looks(tally, [[([(1, 2), (1, 2)], 0), ([(2, 1), (2, 1)], 0)] * 500])  # variance 1
    assert 0.1 / (1 + 0.1**2) == pytest.approx(tally.terms.above, rel=0.05)
    assert 0.0 == tally.terms.below


def test_the_other_bot_bets_on_the_other_guess():
    one, other = guessing(), guessing(-0.1, None, 0.0)
    play_looks(one, [[([(1, 2), (1, 2)], 0)] * 9 + [([(2, 1), (2, 1)], 0)] * 7] * 3)
    play_looks(other, [[([(2, 1), (2, 1)], 0)] * 9 + [([(1, 2), (1, 2)], 0)] * 7] * 3)
    assert log_wealth(one, 0.0) == log_wealth(other, 0.0, above=False)
