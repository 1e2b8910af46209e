"""Find the best of several plans by sequential halving: the better half of them gets as many trials again.

Karnin, Koren, Somekh: Almost optimal exploration in multi-armed bandits (2013).  All plans that are left are
tried in the same worlds, so they differ by what they do and not by their luck.
"""


def best_plan(plans, worlds, value, trials, rounds=3):
    """Return the plan whose mean of *value(world, plan)* is the highest.

    *worlds* yields worlds; each of the *rounds* has about a like share of the *trials*.
    """
    total = dict.fromkeys(plans, 0.0)
    left = [*plans]
    for _ in range(rounds):
        if len(left) == 1:
            break
        for _ in range(max(1, round(trials / rounds / len(left)))):
            world = next(worlds)
            for plan in left:
                total[plan] += value(world, plan)
        left = sorted(left, key=total.__getitem__, reverse=True)[: (len(left) + 1) // 2]
    return left[0]
