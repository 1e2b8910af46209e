"""Stellar: every way to play the turn, then both seats play on to the end by greedy's moves."""

from math import exp

from halving import best_plan

from engines import GAMES, find_policy
from engines.stellar.cards import NEAR_OF
from engines.stellar.moves import CARD_IN, IS_DOWN, NO_SLOT, SLOT_IN

STELLAR = GAMES["stellar"]
GREEDY = find_policy(STELLAR, "greedy-1")
TRIALS = 150
SURE = 8.0  # a seat that leads by this many points after a playout wins three of four matches
ROOMY = 2  # how many slots for a card are tried, those with most free slots beside them
EVER = 99  # more rounds than a match has


def choose(view, rng, work):
    """Return the move of one decision."""
    seat = view["seat"]
    worlds = imagine(view, rng)
    world = next(worlds)
    plans = [*plans_of(world, seat)]

    def value(world, plan):
        """Return the chance to win after *plan*."""
        after = world.copy()
        for option in plan:
            after.play(option)
        mine, theirs = after.play_on(rng, GREEDY, EVER).points()
        lead = theirs - mine if seat else mine - theirs
        return 1 / (1 + exp(-lead / SURE))

    return world.move_of(best_plan(plans, worlds, value, TRIALS * work)[0])


def imagine(view, rng):
    """Yield worlds that look like the *view*, in which its seat chooses next."""
    while True:
        world = STELLAR.position(STELLAR.imagine(view, rng))
        if world.seat != view["seat"]:  # the other chooses at the same time
            world.play(GREEDY(world, world.seat, rng))
        yield world


def plans_of(world, seat):
    """Yield the options to try, each with what follows in the same turn; a card is played as it is taken."""
    for option in thinned(world, world.options_of(seat)):
        after = world.copy()
        after.play(option)
        if after.step == "play":
            yield from ((option, second) for second in thinned(after, after.options()))
        else:
            yield (option,)


def thinned(world, options):
    """Return *options* with only the roomiest slots of each card, face up where it may lie so."""
    slots, others = {}, []
    for option in options:
        if world.step not in ("play", "place") or SLOT_IN[option] == NO_SLOT:
            others.append(option)
        else:
            slots.setdefault(CARD_IN[option], []).append(option)
    for where in slots.values():
        face_up = [option for option in where if not IS_DOWN[option]]
        others += sorted(face_up or where, key=lambda option: -room(world, option))[:ROOMY]
    return others


def room(world, option):
    """Return how many free slots lie beside that of *option*; where it shows nothing, few are best."""
    free = (NEAR_OF[SLOT_IN[option]] & world.free[world.seat]).bit_count()
    return -free if IS_DOWN[option] else free
