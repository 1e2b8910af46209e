"""Are the ends true where some bots never lost to others: own ones, differences, which ends there are?"""

from collections.abc import Sequence
from itertools import accumulate, combinations
from random import Random
from statistics import fmean

import pytest
from support.skill_worlds import bots_named
from support.worlds import World, add_pairs, draw_ladder, holds, scale_count

from results.rating.fit import Fit, fit, zero_point
from results.rating.outcomes import Bot, Counts

pytestmark = pytest.mark.slow


def draw_parts(sizes: Sequence[int], gap: float, rng: Random, per_bot: int = 100) -> tuple[Fit, list[float]]:
    """Return the fit of a field of parts of these *sizes*, each a *gap* below the last, and the skills."""
    world, bots = World(2.0), bots_named(sum(sizes))
    part_of = [sum(i >= end for end in accumulate(sizes)) for i in range(len(bots))]
    rng.shuffle(part_of)
    skills = {bot: rng.gauss(25 - gap * part, 2) for bot, part in zip(bots, part_of, strict=True)}
    tables: list[tuple[Bot, Bot]] = []
    for _ in range(len(bots) * per_bot // 4):
        one, other = rng.sample(bots, 2)
        tables.append((one, other))
    counts = Counts()
    add_pairs(counts, skills, tables, rng, world)
    known = fit(counts, world.parameters)
    return known, [skills[bot] for bot in known.bots]


def own_held(known: Fit, truth: Sequence[float]) -> list[tuple[int, bool]]:
    """Return of each bot how many ends its interval has, and whether it holds the distance to the core."""
    weights, found = zero_point(known.precision), []
    for i, (core, _) in enumerate(known.own):
        inside = [j for j, part in enumerate(known.parts.of) if part == known.parts.of[core]]
        total = sum(weights[j] for j in inside)
        centre, middle = (sum(weights[j] * of[j] for j in inside) / total for of in (truth, known.mu))
        low, high = known.interval(i)
        true = truth[i] - centre + middle
        is_held = (low is None or low <= true + 1e-9) and (high is None or true <= high + 1e-9)
        found.append(((low is not None) + (high is not None), is_held))
    return found


SIDES = {
    "18 and 22": ((18, 22), 30.0),
    "22 and 18": ((22, 18), 30.0),
    "20 and 20": ((20, 20), 30.0),
    "5 and 15": ((5, 15), 30.0),
    "20 and 10, some upsets": ((20, 10), 15.0),
    "three parts": ((6, 8, 6), 30.0),
}
"""The sizes of the parts, the strongest first, and the gap between two."""


@pytest.mark.parametrize("name", SIDES)
def test_intervals_hold_where_some_bots_never_lost_to_others(name):
    """With an interval of both ends for the larger side, its own ones held in 0 to 62 %."""
    (sizes, gap), rng = SIDES[name], Random(f"sides/{name}")
    own: list[tuple[int, bool]] = []
    pairs: list[tuple[int, bool]] = []
    for _ in range(scale_count(10, 200)):
        known, truth = draw_parts(sizes, gap, rng)
        own += own_held(known, truth)
        for i, j in combinations(range(len(truth)), 2):
            ends = known.interval_of_difference(i, j)
            pairs.append((2 - ends.count(None), holds(known, i, j, truth[i] - truth[j])))
    for told, bounds in ((own, (0.91, 0.98)), (pairs, (0.925, 0.97))):
        whole, half = ([held for ends, held in told if ends == count] for count in (2, 1))
        print(f"{name}: both {fmean(whole):.1%} of {len(whole)}, one {fmean(half or [1]):.1%} of {len(half)}")
        assert bounds[0] < fmean(whole) < bounds[1]
        assert not half or fmean(half) > 0.95


@pytest.mark.parametrize(
    ("world", "matches"),
    [(World(20.0), 50), (World(20.0), 200), (World(20.0, seats=4), 40), (World(8.0, seats=3), 20)],
)
def test_bounds_hold_in_wide_fields_where_they_are_many(world, matches):
    rng, held = Random(f"wide/{world}/{matches}"), {1: [], 2: []}
    for _ in range(scale_count(150, 1_500)):
        ladder = draw_ladder(world, matches, rng)
        known = fit(ladder.counts, world.parameters)
        truth = [ladder.skills[bot] for bot in known.bots]
        for i, j in combinations(range(len(truth)), 2):
            ends = 2 - known.interval_of_difference(i, j).count(None)
            held.get(ends, []).append(holds(known, i, j, truth[i] - truth[j]))
    print(f"{world}, {matches}: {fmean(held[2]):.1%} of both ends, {fmean(held[1]):.1%} of bounds")
    assert fmean(held[1]) > 0.945
    assert 0.92 < fmean(held[2]) < 0.975


def test_groups_that_never_met_have_intervals_of_their_own():
    """With one zero point for all, an interval was fourteen times as wide, and no end of it was known."""
    rng, held, margins = Random("groups"), [], []
    world = World(2.0)
    for _ in range(scale_count(10, 100)):
        bots = bots_named(16)
        skills = {bot: rng.gauss(25, 2) for bot in bots}
        counts = Counts()
        for group in (bots[:10], bots[10:]):
            tables = [tuple(rng.sample(group, 2)) for _ in range(500)]
            add_pairs(counts, skills, [(one, other) for one, other in tables], rng, world)
        known = fit(counts, world.parameters)
        truth = [skills[bot] for bot in known.bots]
        held += [is_held for _, is_held in own_held(known, truth)]
        margins += [high - low for low, high in map(known.interval, range(16))]
        assert (None, None) == known.interval_of_difference(0, 15)
    assert 0.91 < fmean(held) < 0.985
    assert max(margins) < 5.0
