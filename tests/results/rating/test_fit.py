"""The fit of all matches at once: the likeliest skills, from whatever order, and what is known of them."""

import math
import random

import pytest
from support.skill_worlds import BETA, an_outcome, blocks_of, bots_named, count_blocks, gradient_of

from results.rating.fit import Quadratic, fit, zero_point
from results.rating.one_sided import Z_95
from results.rating.outcomes import Counts, FinishOrder
from results.rating.parameters import Draws, Parameters
from results.rating.skill_prior import SD
from results.rating.update import draw_margin

OF = Parameters(beta=BETA, draw_probability=Draws.of(0.05))
PRIOR = SD**2
SKILLS = [*map(random.Random(4).gauss, [25] * 8, [6] * 8)]
A, B = ("a", "1"), ("b", "1")


def of_two(wins, losses=0, ties=0):
    numbers = {
        FinishOrder((A, B), (False,)): wins,
        FinishOrder((B, A), (False,)): losses,
        FinishOrder((A, B), (True,)): ties,
    }
    return Counts({outcome: number for outcome, number in numbers.items() if number}, {})


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_the_gradient_of_the_posterior_is_zero_at_the_fit(seats):
    counts = count_blocks(blocks_of(SKILLS, seats, 80))
    assert [0.0] * len(SKILLS) == pytest.approx(slopes_at(fit(counts, OF), counts), abs=1e-6)


def slopes_at(found, counts):
    """Return the gradient of the posterior at the skills that were *found*."""
    slopes = {bot: (25 - skill) / PRIOR for bot, skill in zip(found.bots, found.skills, strict=True)}
    for outcome, count in counts.outcomes.items():
        here = [found.skills[found.bots.index(bot)] for bot in outcome.bots]
        gradient = gradient_of(here, outcome.ties, BETA, draw_margin(0.05, BETA))
        for bot, slope in zip(outcome.bots, gradient, strict=True):
            slopes[bot] += count * slope
    return [*slopes.values()]


def test_two_bots_are_where_their_posterior_is_highest():
    """The difference has variance 2 * sd^2 before; the posterior is searched on a fine grid."""
    margin, root = draw_margin(0.05, BETA), math.sqrt(2) * BETA

    def posterior(d):
        win = math.log(0.5 * math.erfc(-(d - margin) / root / math.sqrt(2)))
        loss = math.log(0.5 * math.erfc((d + margin) / root / math.sqrt(2)))
        tie = math.log(1 - math.exp(win) - math.exp(loss))
        return 40 * win + 25 * loss + 3 * tie - d * d / 4 / PRIOR

    best = max((posterior(k / 10000), k / 10000) for k in range(10000, 40000))[1]
    found = fit(of_two(40, 25, 3), OF)
    assert best == pytest.approx(found.difference(0, 1)[0], abs=1e-4)
    bend = (2 * posterior(best) - posterior(best + 1e-2) - posterior(best - 1e-2)) / 1e-4
    assert bend**-0.5 == pytest.approx(found.difference(0, 1)[1], rel=1e-4)


@pytest.mark.parametrize("seats", [2, 4])
def test_any_order_and_any_split_give_the_same_bits(seats):
    blocks = blocks_of(SKILLS, seats, 150)
    first = fit(count_blocks(blocks), OF)
    random.Random(2).shuffle(blocks)
    parts = count_blocks(blocks[100:])
    parts.update(count_blocks(blocks[:100]))
    assert first == fit(parts, OF)


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_the_true_differences_lie_within_their_intervals(seats):
    found = fit(count_blocks(blocks_of(SKILLS, seats, 400)), OF)
    inside = total = 0
    for i in range(8):
        for j in range(i):
            d, se = found.difference(i, j)
            inside += abs(d - (SKILLS[i] - SKILLS[j])) < 2.6 * se
            total += 1
            assert 0 < se < 2
    assert inside >= 0.9 * total


def test_the_zero_point_is_25_and_what_is_common_to_all_is_taken_out():
    found = fit(count_blocks(blocks_of(SKILLS, 2, 100)), OF)
    weights = zero_point(found.precision)
    assert 1.0 == pytest.approx(math.fsum(weights))
    assert 25.0 == pytest.approx(weighted(found.mu, weights), abs=1e-9)
    for row in found.covariance:
        assert 0.0 == pytest.approx(weighted(row, weights), abs=1e-9)


def weighted(values, weights):
    return math.fsum(value * weight for value, weight in zip(values, weights, strict=True))


def test_a_newcomer_neither_widens_the_intervals_of_others_nor_moves_their_ratings():
    settled = blocks_of(SKILLS, 2, 2000)
    bots, new = bots_named(8), ("new", "1")
    lost = [[FinishOrder((bots[i], new), (False,)), FinishOrder((bots[i], new), (False,))] for i in range(5)]
    before, after = fit(count_blocks(settled), OF), fit(count_blocks(settled, lost), OF)
    for i in range(8):
        assert before.mu[i] == pytest.approx(after.mu[i], abs=0.1 * before.sigma(i))
        assert before.sigma(i) == pytest.approx(after.sigma(i), rel=0.01)
    assert after.sigma(8) > 10 * before.sigma(0)


def test_a_bot_that_lost_all_of_many_matches_does_not_widen_the_intervals_of_others():
    """How weak it is stays unknown, though it has played as often as the others."""
    settled = blocks_of(SKILLS, 2, 2000)
    lost = [[FinishOrder((bot, ("last", "1")), (False,))] * 2 for bot in bots_named(8) for _ in range(30)]
    before, after = fit(count_blocks(settled), OF), fit(count_blocks(settled, lost), OF)
    assert after.matches[8] > 400
    for i in range(8):
        assert before.sigma(i) == pytest.approx(after.sigma(i), rel=0.05)
    assert after.sigma(8) > 8 * before.sigma(0)


def test_bots_of_which_no_match_says_anything_weigh_alike():
    assert [0.5, 0.5] == zero_point([[1e-3, 0.0], [0.0, 1e-3]])
    assert [] == zero_point([])
    assert [0.0, 1.0] == zero_point([[1.0, 0.0], [0.0, 2.0]], 1)


def test_an_anchor_has_its_rating_and_no_interval_and_changes_no_difference():
    counts = count_blocks(blocks_of(SKILLS, 2, 100))
    free = fit(counts, OF)
    anchor = ("bot-003", "1")
    tied = fit(counts, Parameters(BETA, Draws.of(0.05), anchor, 20.0))
    assert (20.0, 0.0) == (tied.mu[3], tied.sigma(3))
    for i in range(8):
        assert tied.sigma(i) == pytest.approx(free.difference(i, 3)[1], abs=1e-12)
        assert free.difference(i, 1) == pytest.approx(tied.difference(i, 1), abs=1e-9)
    missing = fit(counts, Parameters(BETA, Draws.of(0.05), ("nobody", "1"), 20.0))
    assert free == missing


def test_matches_are_counted_by_bot():
    counts = count_blocks(blocks_of(SKILLS, 3, 20))
    found = fit(counts, OF)
    assert 3 * counts.matches == sum(found.matches)
    bot = found.bots[2]
    assert found.matches[2] == sum(n for outcome, n in counts.outcomes.items() if bot in outcome.bots)


def test_a_bot_that_won_everything_is_above_and_finite():
    found = fit(of_two(1000), OF)
    assert 30 < found.mu[0] < 60
    assert 0.999 < found.p_above(0, 1) <= 1
    assert [(1, 1), (2, 2)] == found.places([0, 1])


def test_all_draws_leave_bots_equal():
    found = fit(of_two(0, 0, 50), OF)
    assert (25.0, 25.0) == pytest.approx(found.mu)
    assert 0.5 == pytest.approx(found.p_above(0, 1))
    assert [(1, 2), (1, 2)] == found.places([0, 1])


def test_no_matches_make_a_fit_without_bots():
    found = fit(Counts(), OF)
    assert ((), (), (), ()) == (found.bots, found.mu, found.covariance, found.groups())
    assert 1.0 == found.deviation


def test_groups_that_never_met_are_told():
    other = [
        [FinishOrder((("x", "1"), ("y", "1"), ("z", "1")), (False, False))],
        [FinishOrder((("x", "1"), ("z", "1"), ("y", "1")), (False, True))],
    ]
    found = fit(count_blocks(blocks_of(SKILLS[:3], 2, 20), other), OF)
    assert (tuple(bots_named(3)), (("x", "1"), ("y", "1"), ("z", "1"))) == found.groups()
    within, between = found.difference(0, 1)[1], found.difference(0, 3)[1]
    assert between > 2 * within


def test_groups_of_a_chain_of_pairs_are_one():
    bots = bots_named(9)
    pairs = [[FinishOrder((bots[i + 1], bots[i]), (False,))] for i in (5, 0, 3, 1, 7, 4, 2, 6)]
    assert (tuple(bots),) == fit(count_blocks(pairs), OF).groups()


def test_bots_that_met_only_their_neighbours_are_fitted_exactly(caplog):
    """Conjugate gradients alone would take a round for each of the bots."""
    bots = bots_named(80)
    outcomes = {}
    for i in range(79):
        for upper, lower, wins in ((i, i + 1, 30 + i % 7), (i + 1, i, 29)):
            outcomes[FinishOrder((bots[upper], bots[lower]), (False,))] = wins
    found = fit(Counts(outcomes), OF)
    assert [0.0] * 80 == pytest.approx(slopes_at(found, Counts(outcomes)), abs=1e-6)
    assert found.difference(0, 1)[1] < found.difference(0, 9)[1] < found.difference(0, 79)[1]
    assert "" == caplog.text


@pytest.mark.parametrize("seats", [2, 4])
def test_earlier_matches_count_almost_as_if_they_were_fitted_together(seats):
    early, late = blocks_of(SKILLS[:6], seats, 600, seed=1), blocks_of(SKILLS, seats, 200, seed=2)
    together = fit(count_blocks(early, late), OF)
    after = fit(count_blocks(late), OF, fit(count_blocks(early), OF).quadratic())
    assert together.bots == after.bots
    for i in range(8):
        for j in range(i):
            d, se = together.difference(i, j)
            assert d == pytest.approx(after.difference(i, j)[0], abs=0.2 * se)
            assert se == pytest.approx(after.difference(i, j)[1], rel=0.08)
    assert sum(factor.blocks for factor in after.block_factors) == 800


def test_earlier_matches_of_bots_that_play_no_more_need_not_be_carried_along():
    early, late = (blocks_of(SKILLS[:6], 2, 300, seed=seed) for seed in (1, 2))
    whole = fit(count_blocks(early), OF).quadratic()
    playing = whole.bots[1:4]
    now = count_blocks([block for block in late if set(block[0].bots) <= set(playing)])
    part, all_ = fit(now, OF, whole.marginal(playing)), fit(now, OF, whole)
    assert playing == part.bots
    for i in range(3):
        for j in range(3):
            expected = all_.difference(i + 1, j + 1)
            assert expected == pytest.approx(part.difference(i, j), rel=1e-7, abs=1e-7)
    assert whole == whole.marginal(whole.bots)


def test_earlier_matches_alone_are_that_fit_again():
    early = fit(count_blocks(blocks_of(SKILLS, 2, 100)), OF)
    again = fit(Counts(), OF, early.quadratic())
    assert early.mu == pytest.approx(again.mu, abs=1e-9)
    assert early.deviation == again.deviation
    for i in range(8):  # pairs have no factors of their own without their blocks
        assert early.sigma(i) == pytest.approx(again.sigma(i), rel=0.1)


def test_an_anchor_does_not_move_what_a_later_fit_starts_from():
    counts = count_blocks(blocks_of(SKILLS, 2, 100))
    tied = fit(counts, Parameters(BETA, Draws.of(0.05), ("bot-003", "1"), 90.0))
    found = tied.quadratic()
    assert isinstance(found, Quadratic)
    assert found == fit(counts, OF).quadratic()


def test_places_are_counted_among_those_asked_for():
    found = fit(count_blocks(blocks_of([40.0, 25.0, 25.1, 10.0], 2, 500)), OF)
    assert [(1, 1), (2, 3), (2, 3), (4, 4)] == found.places(range(4))
    assert [(2, 2), (1, 1)] == found.places([3, 1])
    assert [(1, 1)] == found.places([2])
    d, se = found.difference(1, 2)
    assert found.surely_above(1, 2) == (d > Z_95 * se)


def test_wide_worlds_and_rare_upsets_still_come_to_rest(caplog):
    rng = random.Random(6)
    for _ in range(10):
        skills = [rng.gauss(25, 10 ** rng.uniform(0, 2)) for _ in range(5)]
        blocks = blocks_of(skills, rng.choice([2, 3, 4]), 40, rng.randrange(99), rng.choice([0.0005, 0.3]))
        bots = bots_named(5)
        upset = an_outcome(bots, [-skill for skill in skills], 0.0)
        found = fit(count_blocks(blocks, [[upset]]), OF)
        assert all(map(math.isfinite, found.mu))
        assert all(found.sigma(i) > 0 for i in range(5))
    assert "" == caplog.text
