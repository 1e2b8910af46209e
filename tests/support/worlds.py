"""Draw ladders from TrueSkill's model, with known skills, to see whether ratings are true.

Bots play in blocks, as in a run: every bot of a block once in every seat, all matches with the same deal.
"""

import math
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, cycle, islice
from random import Random
from typing import NamedTuple

from results.rating.fit import Fit
from results.rating.outcomes import Bot, Counts, FinishOrder
from results.rating.parameters import Parameters
from results.rating.update import draw_margin
from support.counted import add_block
from support.full import gate_or_full
from support.skill_worlds import an_outcome, bots_named

FULL = os.environ.get("LADDER_TRUTH") == "full"
"""Whether the tests of truth run in full size: `LADDER_TRUTH=full pytest -m slow tests/truth`."""
PARAMETERS = Parameters(draw_probability=dict.fromkeys(range(2, 7), 0.02))
"""Those of all worlds that do not say otherwise."""


def scale_count(gate: int, full: int) -> int:
    """Return how many ladders to draw: *gate*, or *full* if the tests run in full size."""
    return full if FULL else gate


def halve_count(gate: int, full: int) -> int:
    """Return how many of what is dear to draw: half of *gate*, or all with LADDER_FULL=1, or *full*."""
    return scale_count(gate_or_full(math.ceil(gate / 2), gate), full)


class World(NamedTuple):
    """How skills spread, and what luck there is."""

    spread: float
    """The standard deviation of the skills."""
    of_deal: float = 0.0
    """The share of the variance of a performance that lies in the seat of the deal, the same in a block."""
    bots: int = 10
    seats: int = 2
    draws: float = 0.02
    """How often two equal bots draw."""

    @property
    def margin(self) -> float:
        """The largest difference in performance that is a draw."""
        return draw_margin(self.draws, PARAMETERS.beta)

    @property
    def parameters(self) -> Parameters:
        """The parameters with which ladders are drawn."""
        return Parameters(draw_probability={self.seats: self.draws})


WORLDS = {
    "wide": World(25 / 3),
    "compact": World(4.0),
    "luck": World(4.0, of_deal=0.5),
    "four": World(4.0, seats=4),
    "four with luck": World(4.0, of_deal=0.5, seats=4),
}


class Ladder(NamedTuple):
    """A ladder that was drawn."""

    skills: dict[Bot, float]
    counts: Counts
    matches: list[FinishOrder]
    """All matches in order, for methods that need one; empty unless it was asked for."""


def draw_ladder(world: World, matches: int, rng: Random, *, in_order: bool = False) -> Ladder:
    """Return a ladder of bots with random skills after a round robin of *matches* matches a bot."""
    skills = {bot: rng.gauss(25, world.spread) for bot in bots_named(world.bots)}
    counts, order = Counts(), list[FinishOrder]()
    blocks = round(world.bots * matches / world.seats**2)
    if world.seats == 2 and not world.of_deal and not in_order:
        add_pairs(counts, skills, islice(cycle(combinations(skills, 2)), blocks), rng, world)
        return Ladder(skills, counts, order)
    for bots in islice(_tables([*skills], world.seats, rng), blocks):
        outcomes = draw_block(bots, skills, rng, world)
        add_block(counts, outcomes)
        if in_order:
            order += outcomes
    return Ladder(skills, counts, order)


def add_pairs(
    counts: Counts,
    skills: dict[Bot, float],
    pairs: Iterable[tuple[Bot, Bot]],
    rng: Random,
    world: World,
) -> None:
    """Add to *counts* a block of two independent matches for each of *pairs*."""
    random, margin = rng.random, world.margin
    for (first, second), blocks in Counter(pairs).items():
        difference, root = skills[first] - skills[second], math.sqrt(2) * PARAMETERS.beta
        loss = 0.5 * math.erfc((difference + margin) / root * math.sqrt(0.5))
        draw = 0.5 * math.erfc((difference - margin) / root * math.sqrt(0.5))  # or a loss
        drawn: Counter[tuple[int, int]] = Counter()
        for _ in range(blocks):
            x, y = random(), random()
            a, b = (x < draw) + (x < loss), (y < draw) + (y < loss)
            drawn[(a, b) if a < b else (b, a)] += 1
        for results, count in sorted(drawn.items()):
            pattern = tuple(sorted(two_seats(first, second, result) for result in results))
            for outcome in pattern:
                counts.outcomes[outcome] = counts.outcomes.get(outcome, 0) + count
            counts.blocks[pattern] = counts.blocks.get(pattern, 0) + count


def two_seats(first: Bot, second: Bot, result: int) -> FinishOrder:
    """Return the outcome of a match of two: 0 if *first* won, 1 for a draw, 2 if *second* won."""
    bots = (first, second) if result == 0 or (result == 1 and first < second) else (second, first)
    return FinishOrder(bots, (result == 1,))


def draw_block(bots: Sequence[Bot], skills: dict[Bot, float], rng: Random, world: World) -> list[FinishOrder]:
    """Return the outcomes of a block: a match for each rotation of *bots*."""
    beta = PARAMETERS.beta
    deal = [rng.gauss(0, beta * math.sqrt(world.of_deal)) for _ in bots]
    own = beta * math.sqrt(1 - world.of_deal)
    outcomes = []
    for rotation in range(len(bots)):
        seats = deal[rotation:] + deal[:rotation]
        performances = [skills[bot] + luck + rng.gauss(0, own) for bot, luck in zip(bots, seats, strict=True)]
        outcomes.append(an_outcome(bots, performances, world.margin))
    return outcomes


def _tables(bots: list[Bot], seats: int, rng: Random) -> Iterator[tuple[Bot, ...]]:
    """Yield tables without end, which seat all bots equally often; at two seats all pairs by turns."""
    if seats == 2:
        yield from cycle(combinations(bots, 2))
    left: list[Bot] = []
    while True:
        if len(left) < seats:
            others = [bot for bot in bots if bot not in left]
            rng.shuffle(others)
            left += others
        yield tuple(left[:seats])
        del left[:seats]


def holds(known: Fit, i: int, j: int, truth: float) -> bool:
    """Return whether the interval of the difference holds *truth*; open ends hold all beyond."""
    low, high = known.interval_of_difference(i, j)
    return (low is None or low < truth) and (high is None or truth < high)


def pairs_held(known: Fit, skills: dict[Bot, float], *, across: int = 0) -> list[bool]:
    """Return of each pair whether its interval holds; with *across*, of those on both sides of that place."""
    truth = [skills[bot] for bot in known.bots]
    return [
        holds(known, i, j, truth[i] - truth[j])
        for j, i in combinations(range(len(truth)), 2)
        if not across or j < across <= i
    ]
