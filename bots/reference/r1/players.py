"""What the bots of the reference set play by: a policy, with random moves among its own, or a search.

A player is a function of a view, a choice and a generator, and returns a move.
"""

from importlib import import_module

from engines import GAMES, decide, find_policy


def player(game, config):
    """Return the player of *game* with these settings.

    `work` makes it a search with this much of its usual work.  Else it plays by the `policy` in the `share`
    of its decisions that is named, or in all of them, and at random in the others.
    """
    if "work" in config:
        search, work = import_module(game.replace("-", "_")).choose, config["work"]
        return lambda view, choice, rng: search(view, rng, work)
    if "policy" not in config:
        return lambda view, choice, rng: pick(choice, rng)
    rules, share = GAMES[game], config.get("share", 1)
    policy = find_policy(rules, config["policy"])

    def choose(view, choice, rng):
        if share < 1 and rng.random() >= share:
            return pick(choice, rng)
        return decide(rules, policy, view, rng)

    return choose


def pick(choice, rng):
    """Return a random move: every option is equally likely; of several, first how many, then which."""
    if choice.kind == "some":
        return rng.sample(choice.options, rng.randint(choice.low, choice.high))
    return rng.choice(choice.options)
