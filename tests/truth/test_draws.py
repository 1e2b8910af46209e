"""Are draw probabilities found from the matches, and are intervals true with those that were found?"""

from functools import cache
from random import Random

import pytest
from support.worlds import World, draw_ladder, pairs_held, scale_count

from results.rating.draw_probability import choose_draws, measure_draws
from results.rating.fit import Fit, fit, fit_pairs
from results.rating.outcomes import Bot
from results.rating.pairs import count_pairs
from results.rating.parameters import Parameters

pytestmark = pytest.mark.slow

WORLDS = {
    "never": World(4.0, draws=1e-6),
    "seldom": World(4.0, draws=0.02),
    "often": World(4.0, draws=0.15),
    "very often": World(4.0, draws=0.3),
    "often at tables of four": World(4.0, draws=0.15, seats=4),
}


@cache
def chosen(name: str) -> list[tuple[Fit, dict[Bot, float], float]]:
    """Return the fits of ladders with chosen draw probabilities, the skills of the bots, and what was chosen.

    The first fit, by which they are chosen, is told 2 %.
    """
    world, rng, found = WORLDS[name], Random(f"draws/{name}"), []
    for _ in range(scale_count(60, 300) if world.seats == 2 else scale_count(15, 60)):
        ladder = draw_ladder(world, 1_000 if world.seats == 2 else 200, rng)
        told = Parameters(draw_probability={world.seats: 0.02})
        draws = choose_draws(ladder.counts, fit(ladder.counts, told), told.beta)
        known = fit(ladder.counts, Parameters(draw_probability=draws))
        found.append((known, ladder.skills, draws[world.seats]))
    return found


@pytest.mark.parametrize("name", WORLDS)
def test_the_chosen_draw_probability_is_near_the_true_one(name: str) -> None:
    """The first fit did not know it."""
    true = max(WORLDS[name].draws, 0.0005)
    found = [draws for _, _, draws in chosen(name)]
    assert true == pytest.approx(sum(found) / len(found), rel=0.1)
    assert all(0.5 * true <= draws <= 2 * true for draws in found)


@pytest.mark.parametrize("name", WORLDS)
def test_intervals_are_true_with_the_chosen_draw_probability(name: str) -> None:
    held = [each for known, skills, _ in chosen(name) for each in pairs_held(known, skills)]
    assert 0.925 <= sum(held) / len(held) <= 0.975


def test_a_size_with_many_ties_of_three_goes_by_pairs() -> None:
    """By the chain, intervals of such ladders hold less: 88 % with these draws, 83 % with the true ones."""
    of = Parameters(draw_probability={4: 0.46})
    for draws, goes in ((0.4, True), (0.1, False)):
        counts = draw_ladder(World(4.0, draws=draws, seats=4), 200, Random(f"ties/{draws}")).counts
        by_pairs = fit_pairs(count_pairs(counts.outcomes), counts.blocks, of)
        assert goes is (by_pairs.mu == fit(counts, of).mu)


FIRST_RUNS = {
    "a fifth at tables of two": (World(4.0, draws=0.2), 400, (24, 300)),
    "two fifths at tables of two": (World(4.0, draws=0.4), 400, (24, 300)),
    "a fifth, and few matches": (World(4.0, draws=0.2), 50, (24, 300)),
    "a fifth at tables of four": (World(4.0, draws=0.2, seats=4), 200, (16, 80)),
    "two fifths at tables of four": (World(4.0, draws=0.4, seats=4), 200, (12, 150)),
}
"""World, matches a bot, and ladders, in the gate and in full size."""


@pytest.mark.parametrize("name", FIRST_RUNS)
def test_intervals_of_a_first_run_hold_95_percent_though_its_game_declares_few_draws(name: str) -> None:
    world, matches, ladders = FIRST_RUNS[name]
    rng, held = Random(f"first run/{name}"), []
    for _ in range(scale_count(*ladders)):
        ladder = draw_ladder(world, matches, rng)
        of = Parameters(draw_probability={world.seats: 0.02})
        known = fit(ladder.counts, of.with_draws(measure_draws(ladder.counts, of.beta)))
        held += pairs_held(known, ladder.skills)
    # By pairs at four seats it is 93.3 %, +- 0.6 over 150 ladders: chance may take it lower here.
    least = 0.93 if (world.seats, world.draws) != (4, 0.4) else 0.92
    assert least <= sum(held) / len(held) <= 0.97, sum(held) / len(held)
