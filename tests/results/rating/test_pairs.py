"""The results of pairs: how they are counted, what they say of the skills, and how little that costs."""

import math
import random

import pytest
from support.skill_worlds import BETA, blocks_of, bots_named, count_blocks

from results.rating.fit import fit, fit_pairs
from results.rating.outcomes import Counts, FinishOrder
from results.rating.pairs import PairLikelihood, count_pairs, weight_of_pair
from results.rating.parameters import Draws, Parameters
from results.rating.update import draw_margin

OF = Parameters(beta=BETA, draw_probability=Draws.of(0.05))
SKILLS = [*map(random.Random(4).gauss, [25] * 8, [4] * 8)]
A, B, C, D = bots_named(4)


def by_pairs(counts, before=None):
    return fit_pairs(count_pairs(counts.outcomes), counts.blocks, OF, before)


def test_every_two_bots_of_a_table_are_a_pair_and_tie_along_a_chain():
    outcomes = {FinishOrder((D, A, B, C), (False, True, False)): 3, FinishOrder((B, A), (False,)): 2}
    over = {(D, A, False): 3, (D, B, False): 3, (D, C, False): 3, (A, C, False): 3, (B, C, False): 3}
    assert {4: {**over, (A, B, True): 3}, 2: {(B, A, False): 2}} == count_pairs(outcomes)
    (chain,) = count_pairs({FinishOrder((A, B, C, D), (True, True, False)): 1}).values()
    assert {(A, B), (B, C), (A, C)} == {(one, other) for one, other, tied in chain if tied}


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_gradient_and_curvature_are_the_derivatives_of_the_log_likelihood(seats):
    bots, margin, root = bots_named(8), draw_margin(0.05, BETA), math.sqrt(2) * BETA
    pairs = count_pairs(count_blocks(blocks_of(SKILLS, seats, 30)).outcomes)
    likelihood = PairLikelihood(pairs, bots, BETA, {seats: margin})

    def log_likelihood(skills):
        total = 0.0
        for (one, other, tied), count in pairs[seats].items():
            d = skills[bots.index(one)] - skills[bots.index(other)]
            win, loss = (0.5 * math.erfc((margin - x) / root / math.sqrt(2)) for x in (d, -d))
            total += count * math.log(1 - win - loss if tied else win)
        return 3 / (seats + 1) * total

    here = [25 + 0.1 * i for i in range(8)]
    gradient, curvature = likelihood.differentiate(here)
    for i in range(8):
        up, down = ([*here[:i], here[i] + h, *here[i + 1 :]] for h in (1e-5, -1e-5))
        assert gradient[i] == pytest.approx((log_likelihood(up) - log_likelihood(down)) / 2e-5, abs=1e-4)
        slopes, before = likelihood.differentiate(up)[0], likelihood.differentiate(down)[0]
        for j in range(8):
            assert curvature[i][j] == pytest.approx((before[j] - slopes[j]) / 2e-5, abs=1e-5)


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_the_gradients_of_all_outcomes_add_up_to_the_whole(seats):
    counts = count_blocks(blocks_of(SKILLS, seats, 40, draws=0.2))
    bots = bots_named(8)
    likelihood = PairLikelihood(count_pairs(counts.outcomes), bots, BETA, {seats: draw_margin(0.2, BETA)})
    total = dict.fromkeys(bots, 0.0)
    for outcome, count in counts.outcomes.items():
        for bot, slope in zip(outcome.bots, likelihood.gradient_of(outcome, SKILLS), strict=True):
            total[bot] += count * slope
    assert likelihood.differentiate(SKILLS)[0] == pytest.approx([*total.values()])


def test_at_tables_of_two_the_pairs_are_the_matches():
    counts = count_blocks(blocks_of(SKILLS, 2, 300))
    assert fit(counts, OF) == by_pairs(counts)
    early = fit(count_blocks(blocks_of(SKILLS[:6], 2, 200, seed=2)), OF).quadratic()
    assert fit(counts, OF, early) == by_pairs(counts, early)


@pytest.mark.parametrize("seats", [3, 4, 6])
def test_at_larger_tables_the_pairs_say_almost_what_the_ranks_say(seats):
    counts = count_blocks(blocks_of([25.0 + i / 4 for i in range(8)], seats, 1_500 // seats))
    whole, pairs = fit(counts, OF), by_pairs(counts)
    assert whole.matches == pairs.matches
    for i in range(8):
        for j in range(i):
            (d, se), (by_pair, claimed) = whole.difference(i, j), pairs.difference(i, j)
            assert d == pytest.approx(by_pair, abs=0.6 * se)
            assert 0.97 <= claimed / se <= 1.15


def test_a_sum_of_wins_and_losses_varies_as_the_weight_says():
    """At equal skills: over all orders of a table, beside as many independent pairs."""
    for seats in range(2, 8):
        sums = [seats + 1 - 2 * rank for rank in range(1, seats + 1)]
        variance = math.fsum(x * x for x in sums) / seats
        assert 1 / weight_of_pair(seats) == pytest.approx(variance / (seats - 1))


def test_without_matches_there_is_what_was_before():
    early = fit(count_blocks(blocks_of(SKILLS, 2, 100)), OF)
    assert early.mu == pytest.approx(fit_pairs({}, {}, OF, early.quadratic()).mu)
    assert () == by_pairs(Counts()).bots
