"""A bot that chooses at random, until you write something better into choose."""

from typing import cast

from view import View

from protocol.client import Act, serve


def choose(act: Act, view: View) -> str | list[str]:
    """Return one of the options, or a list of several if several are asked for.

    *view* holds what your seat knows, act.events what has happened since you were last asked.  Draw random
    numbers from act.rng, and the bot plays a match again as it did before.  To store a note with the move, or
    to say what it cost, return protocol.client.Move(move, note="...", usage={"input_tokens": 412}).
    """
    options = act.choice.options
    if act.choice.kind == "one":
        return act.rng.choice(options)
    return act.rng.sample(options, act.rng.randint(act.choice.low, act.choice.high))


serve(lambda act: choose(act, cast("View", act.view)))
