"""Starry Sky: the moves that look best, a round of everybody's best reply, then what the boards promise."""

from halving import best_plan

from engines import GAMES
from engines.starry_sky.boards import STARS_ON
from engines.starry_sky.outlook import expected_coins, outlooks_of
from engines.starry_sky.table import EMPTY
from engines.starry_sky.tokens import KINDS, KINDS_IN, TOKENS

SKY = GAMES["starry-sky"]
TRIALS = 40
WIDTH = 8  # how many moves are tried


def choose(view, rng, work):
    """Return the move of one decision."""
    seat = view["seat"]
    worlds = imagine(view, rng)
    world = next(worlds)
    ranked = sorted(gains(world, seat, outlooks_of(world, seat)), reverse=True)
    plans = [option for _, option in ranked[:WIDTH]]

    def value(world, option):
        after = world.copy()
        after.play(option)
        return lead_after_replies(after, seat)

    return world.move_of(best_plan(plans, worlds, value, TRIALS * work))


def imagine(view, rng):
    """Yield worlds that look like the *view*."""
    while True:
        yield SKY.position(SKY.imagine(view, rng))


def gains(world, seat, outlooks):
    """Yield each option of *seat* with the coins that it promises, option last."""
    kinds = KINDS_IN[world.hands[seat]]
    hand = [TOKENS[kind] for kind in kinds]
    for board, outlook in zip(world.boards, outlooks, strict=True):
        free = [star for star in STARS_ON[board] if world.laid[star] == EMPTY]
        options = [KINDS * star + kind for star in free for kind in kinds]
        yield from zip(outlook.gains(seat, hand, seat, 0.0), options, strict=True)


def lead_after_replies(world, seat):
    """Return by how many coins *seat* may expect to lead the mean of the others, once all have replied.

    Each of the others does what is best for it in this *world*, whose tokens it all knows: it is clairvoyant.
    What the seat gains by its own next token counts, too.
    """
    while not world.over and world.seat != seat:
        _, option = max(gains(world, world.seat, outlooks_of(world)))
        world.play(option)
    coins = expected_coins(world)
    lead = coins[seat] - (sum(coins) - coins[seat]) / (len(coins) - 1)
    if world.over:
        return lead
    return lead + max(gains(world, seat, outlooks_of(world)))[0]
