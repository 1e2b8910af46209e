"""Play any game at random with the client library, without views: the cost is the exchange of messages."""

import protocol.client


def choose(act: protocol.client.Act) -> object:
    choice = act.choice
    if choice.kind == "some":
        return act.rng.sample(choice.options, act.rng.randint(choice.low, choice.high))
    return act.rng.choice(
        [option for option in choice.options if not option.endswith(" down")] or choice.options
    )


protocol.client.serve(choose, view="none", parallel=32)
