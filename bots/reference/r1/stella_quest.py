"""Stella Quest: each option, then the round is played on by greedy's moves, and what is reached is judged."""

from math import exp

from halving import best_plan

from engines import GAMES, find_policy
from engines.stella_quest.cards import BIT_OF, BREAK_CARD

QUEST = GAMES["stella-quest"]
GREEDY = find_policy(QUEST, "greedy-1")
TRIALS = 300
WEIGHTS = {
    2: (0.4, -0.54, 0.05, 0.31, 0.98, -0.18, -0.26, 0.06, 0.1),
    3: (0.49, -0.34, 0.14, 0.19, 0.65, -0.27, -0.3, 0.04, 0.12),
    4: (0.48, -0.22, 0.2, 0.24, 0.58, -0.17, -0.15, 0.02, 0.04),
}
"""By table size, how much each of the features of a seat is worth, as log odds to beat another seat."""


def choose(view, rng, work):
    """Return the move of one decision."""
    seat, weights = view["seat"], WEIGHTS[view["seats"]]
    worlds = imagine(view, rng)
    world = next(worlds)

    def value(world, option):
        after = world.copy()
        after.play(option)
        return beaten(after.play_on(rng, GREEDY), seat, weights)

    return world.move_of(best_plan(world.options(), worlds, value, TRIALS * work))


def imagine(view, rng):
    """Yield worlds that look like the *view*."""
    while True:
        yield QUEST.position(QUEST.imagine(view, rng))


def beaten(world, seat, weights):
    """Return the share of the other seats that *seat* may expect to beat."""
    others = [other for other in range(len(world.lights)) if other != seat]
    if world.over:
        ranks = world.outcome().ranks
        return sum(
            (ranks[seat] < ranks[other]) + (ranks[seat] == ranks[other]) / 2 for other in others
        ) / len(others)
    worths = [
        sum(weight * count for weight, count in zip(weights, features(world, who, points), strict=True))
        for who, points in enumerate(world.points())
    ]
    mean = sum(worths[other] for other in others) / len(others)
    return 1 / (1 + exp(mean - worths[seat]))


def features(world, seat, points):
    """Return what counts of a seat at the start of a round."""
    lights, hand, numbers = world.lights[seat], world.hands[seat], 0
    for card in world.collections[seat]:
        numbers |= BIT_OF[card]
    held, star = numbers.bit_count(), world.marker == seat
    return (
        lights,
        lights == 1,
        points - lights,
        held == 4,
        held == 5,
        star,
        star and lights <= 2,
        len(hand),
        hand.count(BREAK_CARD),
    )
