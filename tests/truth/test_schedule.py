"""Does the adaptive schedule find the order sooner?  The run's own schedule, over bots with known skills."""

import math
from functools import cache
from itertools import accumulate, pairwise
from random import Random
from statistics import NormalDist
from typing import NamedTuple

import pytest
from support.skill_worlds import bots_named
from support.worlds import PARAMETERS, World, add_pairs, halve_count, scale_count

from ladder.contest.keys import Keys, secret_of_seed
from ladder.run.belief import Belief, Beliefs, Evidence
from ladder.run.run_schedule import RunSchedule
from ladder.run.schedule import KnownResults, epoch_sizes
from ladder.run.until.order import Order
from results.rating.fit import fit
from results.rating.outcomes import Bot, Counts
from results.record import Contest

pytestmark = pytest.mark.slow

STEP = NormalDist().inv_cdf(0.55) * math.sqrt(2) * PARAMETERS.beta
"""The skill by which each bot is better than the next: it wins 55 % of their decided matches."""
WORLD = World(spread=0.0)
"""The luck; the skills are given."""
MOST = 6_000
"""The matches a bot of a run that ends once the order is known, if it does not end before."""


class Played(NamedTuple):
    """A simulated run."""

    counts: Counts
    skills: dict[Bot, float]
    is_over: bool
    """Whether all its blocks were planned: the order did not end it before."""

    @property
    def wrong(self):
        """The number of neighbours in the ratings that are in the wrong order."""
        rated = fit(self.counts, PARAMETERS)
        order = sorted(range(len(rated.bots)), key=lambda i: rated.mu[i])
        return sum(self.skills[rated.bots[i]] > self.skills[rated.bots[j]] for i, j in pairwise(order))


def play(kind, number, matches, seed, *, until_order=False, within=0.0, step=STEP, fast=False, epoch=None):
    """Play a run of *number* bots with *matches* matches a bot, planned as ladder.run.planner does."""
    rng = Random(f"schedule/{kind}/{number}/{seed}")
    bots = bots_named(number)
    rank = rng.sample(range(number), number)
    steps = [step] * (number - 1) if isinstance(step, float) else step
    places = [*accumulate(steps, initial=25.0)]
    skills = {bot: places[place] for bot, place in zip(bots, rank, strict=True)}
    blocks = number * matches // 4
    contest = Contest("stellar", 2, {}, tuple(range(number)))
    adapts = kind == "adaptive" or until_order
    sizes = epoch_sizes([blocks], adapts=adapts, short=until_order or fast, fast=fast)
    epochs = sizes if epoch is None else [epoch]
    schedule = RunSchedule([contest], Keys(secret_of_seed(seed)), kind, [blocks], epochs)
    counts = Counts()
    beliefs = Beliefs(Evidence([contest], bots, {"stellar": PARAMETERS}, {}, lambda: {"stellar": counts}))
    judge = Order(within)
    known: list[Belief | None] = [None, None]  # an epoch rests on what was known two epochs before
    while not schedule.over:
        belief = known[-2]
        if until_order and belief and belief.end == schedule.ends[-2] and judge.is_settled(belief, ()):
            break
        planned = schedule.next_epoch(KnownResults(belief.orders) if belief else KnownResults())
        add_pairs(
            counts, skills, [(bots[block.bots[0]], bots[block.bots[1]]) for block in planned], rng, WORLD
        )
        known.append(beliefs.at(schedule.ends[-1]) if kind == "adaptive" else None)
    return Played(counts, skills, schedule.over)


@cache
def right(kind, number, matches, ladders):
    """Return the share of runs after which the ratings have all bots in the right order."""
    return sum(not play(kind, number, matches, seed).wrong for seed in range(ladders)) / ladders


def test_20_bots_in_equal_steps_are_in_order_after_1500_matches_a_bot():
    assert 0.95 <= right("adaptive", 20, 1_500, halve_count(8, 100))


def test_after_1000_matches_a_bot_a_round_robin_is_in_order_less_often():
    ladders = halve_count(12, 100)
    assert right("round-robin", 20, 1_000, ladders) <= right("adaptive", 20, 1_000, ladders) - 0.1


def test_100_bots_in_equal_steps_are_in_order_after_2714_matches_a_bot():
    """Half as many in the gate."""
    assert 7 / 8 <= right("adaptive", halve_count(100, 100), 2_714, scale_count(1, 8))


def test_20_bots_in_equal_steps_are_in_order_after_300_matches_a_bot_where_all_are_fast():
    """Two of five ladders, less once the standard error of 8 or of 200."""
    ladders = halve_count(8, 200)
    right_ones = sum(not play("adaptive", 20, 300, seed, fast=True).wrong for seed in range(ladders))
    assert halve_count(2, 73) <= right_ones


# -- until the order is known

BEFORE = 3_663
"""The matches a bot after which eight bots in equal steps ended by the old bound, which rose with each
look."""


@cache
def until_order(runs):
    """Return runs of eight bots that end once the order is known."""
    return [play("adaptive", 8, MOST, seed, until_order=True) for seed in range(runs)]


def test_a_run_until_the_order_is_known_ends_early_with_the_right_order():
    runs = until_order(halve_count(12, 200))
    assert 0.95 <= sum(not run.is_over for run in runs) / len(runs)
    assert 0.02 * len(runs) >= sum(run.wrong > 0 for run in runs if not run.is_over)
    assert sum(run.counts.matches for run in runs) <= 0.7 * BEFORE * len(runs) * 8 / 2


@pytest.mark.parametrize(
    "wins",
    [(0.502,), (0.6, 0.502, 0.6), (0.51, 0.51), (0.505, 0.52, 0.6)],
    ids=["two", "middle", "even", "rising"],
)
def test_of_runs_with_bots_that_are_almost_alike_few_end_with_a_false_order(wins):
    """At most 5 %, with a sample's standard error: where two are alike, few runs end at all."""
    runs = halve_count(8, 400)
    steps = [NormalDist().inv_cdf(share) * math.sqrt(2) * PARAMETERS.beta for share in wins]
    found = [
        play("adaptive", len(wins) + 1, 4_000, seed, until_order=True, step=steps) for seed in range(runs)
    ]
    assert sum(run.wrong > 0 for run in found if not run.is_over) <= halve_count(1, 20)


def test_a_run_within_2_points_ends_where_some_neighbours_are_always_nearly_alike():
    rng, runs = Random("within"), halve_count(10, 100)
    ended = []
    for seed in range(runs):
        skills = sorted(rng.gauss(25, 3) for _ in range(8))
        steps = [upper - lower for lower, upper in pairwise(skills)]
        ended.append(not play("adaptive", 8, 3_000, seed, until_order=True, within=2.0, step=steps).is_over)
    assert 0.9 * runs <= sum(ended)
