"""Does the adaptive schedule find the order sooner?  The run's own schedule, over bots with known skills."""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise
from random import Random
from statistics import NormalDist
from typing import NamedTuple

import pytest
from support.skill_worlds import bots_named
from support.worlds import PARAMETERS, World, add_pairs, scale_count

from ladder.contest.blocks import Contest
from ladder.contest.keys import Keys, secret_of_seed
from ladder.run.belief import Belief, Beliefs, Evidence
from ladder.run.run_schedule import RunSchedule
from ladder.run.schedule import KnownResults, epoch_blocks, epoch_sizes
from ladder.run.until.order import MOST_RISK, false_order_risk
from results.rating.fit import fit
from results.rating.outcomes import Bot, Counts
from results.words import ScheduleKind

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
    def wrong(self) -> int:
        """The number of neighbours in the ratings that are in the wrong order."""
        rated = fit(self.counts, PARAMETERS)
        order = sorted(range(len(rated.bots)), key=lambda i: rated.mu[i])
        return sum(self.skills[rated.bots[i]] > self.skills[rated.bots[j]] for i, j in pairwise(order))


def play(
    kind: ScheduleKind,
    number: int,
    matches: int,
    seed: int,
    *,
    until_order: bool = False,
    step: float = STEP,
    epoch: int | None = None,
) -> Played:
    """Play a run of *number* bots with *matches* matches a bot, planned as ladder.run.planner does."""
    rng = Random(f"schedule/{kind}/{number}/{seed}")
    bots = bots_named(number)
    rank = rng.sample(range(number), number)
    skills = {bot: 25 + step * place for bot, place in zip(bots, rank, strict=True)}
    blocks = number * matches // 4
    contest = Contest("stellar", 2, {}, tuple(range(number)))
    adapts = kind == "adaptive" or until_order
    epochs = epoch_sizes([blocks], adapts=adapts) if epoch is None else [epoch]
    schedule = RunSchedule([contest], Keys(secret_of_seed(seed)), kind, [blocks], epochs)
    counts = Counts()
    beliefs = Beliefs(Evidence([contest], bots, {"stellar": PARAMETERS}, {}, lambda: {"stellar": counts}))
    known: list[Belief | None] = [None, None]  # an epoch rests on what was known two epochs before
    while not schedule.over:
        belief = known[-2]
        if (
            until_order
            and belief
            and belief.end == schedule.ends[-2]
            and false_order_risk(belief) <= MOST_RISK
        ):
            break
        planned = schedule.next_epoch(KnownResults(belief.orders) if belief else KnownResults())
        add_pairs(
            counts, skills, [(bots[block.bots[0]], bots[block.bots[1]]) for block in planned], rng, WORLD
        )
        known.append(beliefs.at(schedule.ends[-1]) if kind == "adaptive" else None)
    return Played(counts, skills, schedule.over)


@cache
def right(kind: ScheduleKind, number: int, matches: int, ladders: int) -> float:
    """Return the share of runs after which the ratings have all bots in the right order."""
    return sum(not play(kind, number, matches, seed).wrong for seed in range(ladders)) / ladders


def test_20_bots_in_equal_steps_are_in_order_after_1500_matches_a_bot() -> None:
    assert 0.95 <= right("adaptive", 20, 1_500, scale_count(20, 100))


def test_after_1000_matches_a_bot_a_round_robin_is_in_order_less_often() -> None:
    ladders = scale_count(20, 100)
    assert right("round-robin", 20, 1_000, ladders) <= right("adaptive", 20, 1_000, ladders) - 0.1


def test_100_bots_in_equal_steps_are_in_order_after_2714_matches_a_bot() -> None:
    assert 7 / 8 <= right("adaptive", 100, 2_714, scale_count(1, 8))


@cache
def until_order(runs: int) -> list[Played]:
    """Return runs of eight bots that end once the order is known."""
    return [play("adaptive", 8, MOST, seed, until_order=True) for seed in range(runs)]


def test_a_run_until_the_order_is_known_ends_early_with_the_right_order() -> None:
    runs = until_order(scale_count(30, 200))
    assert 0.9 <= sum(not run.is_over for run in runs) / len(runs)
    assert sum(run.wrong for run in runs if not run.is_over) <= 0.025 * 7 * len(runs)
    assert sum(run.counts.matches for run in runs) < 0.8 * len(runs) * MOST * 8 / 2


def test_epochs_that_fill_the_tables_of_bots_that_wait_lose_few_orders() -> None:
    runs = scale_count(40, 200)

    def right_with(epoch: int | None) -> float:
        found = [play("adaptive", 8, 128, seed, step=2.0, epoch=epoch) for seed in range(runs)]
        return sum(not run.wrong for run in found) / runs

    assert right_with(epoch_blocks(256)) - 0.1 <= right_with(None)
