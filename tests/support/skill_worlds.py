"""Matches of bots whose true skills are known: TrueSkill's own model plays."""

import random
from collections.abc import Sequence
from itertools import pairwise

from results.rating.chain import differentiate, pass_messages
from results.rating.likelihood import Likelihood
from results.rating.outcomes import Bot, Counts, FinishOrder
from results.rating.update import draw_margin
from support.counted import add_block

BETA = 25 / 6


def bots_named(number: int) -> list[Bot]:
    return [(f"bot-{i:03}", "1") for i in range(number)]


def an_outcome(table: Sequence[Bot], performances: Sequence[float], margin: float) -> FinishOrder:
    """Return the outcome of a match of *table*, in any order, with these *performances*."""
    order = sorted(zip(performances, table, strict=True), reverse=True)
    ranks = [1]
    for (upper, _), (lower, _) in pairwise(order):
        ranks.append(ranks[-1] + (upper - lower > margin))
    places = sorted((rank, bot) for rank, (_, bot) in zip(ranks, order, strict=True))
    return FinishOrder(tuple(bot for _, bot in places), tuple(a[0] == b[0] for a, b in pairwise(places)))


def gradient_of(skills: Sequence[float], ties: Sequence[bool], beta: float, margin: float) -> list[float]:
    """Return the gradient of the log-likelihood of one outcome; *skills* are by rank."""
    if len(ties) > 1 and any(upper and lower for upper, lower in pairwise(ties)):  # see MOST_TIED
        messages = [0.0] * (2 * len(ties))
        pass_messages(list(skills), tuple(ties), beta * beta, margin, messages)
        return differentiate(list(skills), beta * beta, messages)[0]
    bots = bots_named(len(skills))
    outcome = FinishOrder(tuple(bots), tuple(ties))
    likelihood = Likelihood({outcome: 1}, bots, beta, {len(bots): margin})
    gradient, _ = likelihood.differentiate(list(skills))
    assert gradient == likelihood.gradient_of(outcome, list(skills))
    return gradient


def blocks_of(
    skills: Sequence[float], seats: int, blocks: int, seed: int = 1, draws: float = 0.05
) -> list[list[FinishOrder]]:
    """Return the outcomes of *blocks*, each with as many matches as *seats*, at random tables."""
    rng, bots, margin = random.Random(seed), bots_named(len(skills)), draw_margin(draws, BETA)
    found = []
    for _ in range(blocks):
        table = rng.sample(range(len(skills)), seats)
        found.append(
            [
                an_outcome([bots[i] for i in table], [rng.gauss(skills[i], BETA) for i in table], margin)
                for _ in range(seats)
            ]
        )
    return found


def count_blocks(*parts: Sequence[Sequence[FinishOrder]]) -> Counts:
    """Return the counts of all blocks of *parts*."""
    counts = Counts()
    for part in parts:
        for block in part:
            add_block(counts, block)
    return counts
