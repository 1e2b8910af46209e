"""Starry Sky: try the best-looking moves, let all others reply, and count what the boards promise."""

from halving import best_plan

from engines import GAMES
from engines.starry_sky.outlook import expected_coins, option_gains

SKY = GAMES["starry-sky"]
TRIALS = 360  # divided by the number of seats: the more reply, the longer a trial takes
WIDTH = 8  # how many moves are tried at most
FEWEST = 8  # trials for each of them


def choose(view, rng, work):
    """Return the move of one decision."""
    seat = view["seat"]
    worlds = imagine(view, rng)
    world = next(worlds)
    trials = TRIALS / view["seats"] * work
    width = min(WIDTH, max(2, round(trials / FEWEST)))
    plans = [option for _, option in sorted(option_gains(world, seat, seat), reverse=True)[:width]]

    def value(world, option):
        after = world.copy()
        after.play(option)
        return lead_after_replies(after, seat)

    return world.move_of(best_plan(plans, worlds, value, trials))


def imagine(view, rng):
    """Yield worlds that look like the *view*."""
    while True:
        yield SKY.position(SKY.imagine(view, rng))


def lead_after_replies(world, seat):
    """Return by how many coins *seat* may expect to lead the mean of the others, once all have replied.

    Each of the others does what is best for it in this *world*, whose tokens it all knows: it is clairvoyant.
    What the seat gains by its own next token counts, too.
    """
    while not world.over and world.seat != seat:
        _, option = max(option_gains(world, world.seat))
        world.play(option)
    coins = expected_coins(world)
    lead = coins[seat] - (sum(coins) - coins[seat]) / (len(coins) - 1)
    if world.over:
        return lead
    return lead + max(option_gains(world, seat))[0]
