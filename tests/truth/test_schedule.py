"""Does the adaptive schedule find the order sooner?  The run's own schedule, over bots with known skills."""

from __future__ import annotations

import math
from functools import cache
from random import Random
from statistics import NormalDist
from typing import Literal

import pytest
from support.skill_worlds import bots_named
from support.worlds import PARAMETERS, World, add_pairs, scaled

from ladder.contest.blocks import Contest
from ladder.contest.keys import Keys, secret_of_seed
from ladder.run.adaptive import Openness, openness
from ladder.run.schedule import Known, Schedule, epoch_blocks
from results.rating.fit import Fit, fit
from results.rating.outcomes import Bot, Counts

pytestmark = pytest.mark.slow

STEP = NormalDist().inv_cdf(0.55) * math.sqrt(2) * PARAMETERS.beta
"""The skill by which each bot is better than the next: it wins 55 % of their decided matches."""
WORLD = World(spread=0.0)
"""The luck; the skills are given."""
GROWTH = 1.1
"""The schedule knows a new fit when the matches have grown by a tenth."""


def weights(known: Fit, bots: list[Bot]) -> Openness:
    """Return how open the order of each two bots is."""
    index = {bot: i for i, bot in enumerate(known.bots)}
    found: dict[int, dict[int, float]] = {i: {} for i in range(len(bots))}
    for i, one in enumerate(bots):
        for j, other in enumerate(bots[:i]):
            difference, error = known.difference(index[one], index[other])
            found[i][j] = found[j][i] = openness(difference, error, PARAMETERS.beta)
    return found


def play(
    kind: Literal["adaptive", "round-robin"], number: int, matches: int, seed: int
) -> tuple[Counts, dict[Bot, float]]:
    """Return the counts of a run of *number* bots with *matches* matches a bot, and the skills."""
    rng = Random(f"schedule/{kind}/{number}/{seed}")
    bots = bots_named(number)
    rank = rng.sample(range(number), number)
    skills = {bot: 25 + STEP * place for bot, place in zip(bots, rank, strict=True)}
    blocks = number * matches // 4
    contest = Contest("stellar", 2, {}, tuple(range(number)))
    schedule = Schedule([contest], Keys(secret_of_seed(seed)), kind, [blocks], [epoch_blocks(blocks)])
    counts, latest, fitted = Counts(), Known(), 0
    known = [Known(), Known()]  # an epoch knows what was known two epochs before
    while not schedule.over:
        planned = schedule.next_epoch(known[-2])
        add_pairs(
            counts, skills, [(bots[block.bots[0]], bots[block.bots[1]]) for block in planned], rng, WORLD
        )
        if kind == "adaptive" and counts.matches >= GROWTH * fitted:
            latest, fitted = Known({0: weights(fit(counts, PARAMETERS), bots)}), counts.matches
        known.append(latest)
    assert blocks == sum(counts.blocks.values())
    return counts, skills


@cache
def right(kind: Literal["adaptive", "round-robin"], number: int, matches: int, ladders: int) -> float:
    """Return the share of runs after which the ratings have all bots in the right order."""
    found = 0
    for seed in range(ladders):
        counts, skills = play(kind, number, matches, seed)
        rated = fit(counts, PARAMETERS)
        order = sorted(range(number), key=lambda i: rated.mu[i])
        found += [rated.bots[i] for i in order] == sorted(skills, key=skills.__getitem__)
    return found / ladders


def test_20_bots_in_equal_steps_are_in_order_after_1500_matches_a_bot() -> None:
    assert 0.95 <= right("adaptive", 20, 1_500, scaled(40, 100))


def test_after_1000_matches_a_bot_a_round_robin_is_in_order_less_often() -> None:
    assert right("round-robin", 20, 1_000, 40) <= right("adaptive", 20, 1_000, 40) - 0.1


def test_100_bots_in_equal_steps_are_in_order_after_2714_matches_a_bot() -> None:
    ladders = scaled(2, 8)
    assert right("adaptive", 100, 2_714, ladders) >= 7 / 8
