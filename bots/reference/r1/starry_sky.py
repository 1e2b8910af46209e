"""Starry Sky: try the best-looking moves, let all others reply, and count what the boards promise."""

from halving import best_plan

from engines import GAMES, find_policy
from engines.starry_sky.boards import IS_LARGE
from engines.starry_sky.moves import STAR_IN
from engines.starry_sky.outlook import expected_coins, option_gains

SKY = GAMES["starry-sky"]
GREEDY = find_policy(SKY, "greedy-1")
TRIALS = 360  # divided by the number of seats: the more reply, the longer a trial takes
WIDTH = 8  # how many moves are tried at most
FEWEST = 8  # trials for each of them
SECRET = 0.5
"""Coins: what it is worth that the others cannot see a token.

The count of what the boards promise takes all tokens of a world as known, so it does not see this.
"""


def choose(view, rng, work):
    """Return the move of one decision."""
    seat = view["seat"]
    worlds = imagine(view, rng)
    world = next(worlds)
    trials = TRIALS / view["seats"] * work
    width = min(WIDTH, max(2, round(trials / FEWEST)))
    gains = [(gain + secrecy(option), option) for gain, option in option_gains(world, seat, seat)]
    plans = [option for _, option in sorted(gains, reverse=True)[:width]]

    def value(world, option):
        after = world.copy()
        after.play(option)
        return secrecy(option) + lead_after_replies(after, seat, rng)

    return world.move_of(best_plan(plans, worlds, value, trials))


def imagine(view, rng):
    """Yield worlds that look like the *view*."""
    while True:
        yield SKY.position(SKY.imagine(view, rng))


def secrecy(option):
    """Return how many coins it is worth that the token of *option* lies face down, on a large star."""
    return SECRET if IS_LARGE[STAR_IN[option]] else 0.0


def lead_after_replies(world, seat, rng):
    """Return by how many coins *seat* may expect to lead the mean of the others, once all have replied.

    Each of the others replies as greedy does, by what it sees: tokens face down stay hidden from it.  What
    the seat gains by its own next token counts, too.
    """
    while not world.over and world.seat != seat:
        world.play(GREEDY(world, world.seat, rng))
    coins = expected_coins(world)
    lead = coins[seat] - (sum(coins) - coins[seat]) / (len(coins) - 1)
    if world.over:
        return lead
    return lead + max(option_gains(world, seat))[0]
