"""Plays any game at random.  The standard library alone: everything a bot must do is on this page."""

import json
import random
import sys


def pick(choice, rng):
    """Return a random move: every option is equally likely; of several, first how many, then which."""
    options = choice["options"]
    if choice["kind"] == "some":
        return rng.sample(options, rng.randint(choice["low"], choice["high"]))
    return rng.choice(options)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready","protocol":1,"parallel":32}', flush=True)
    elif message["type"] == "act":
        rng = random.Random(f"{message['seed']}/{message['step']}")
        print(json.dumps({"id": message["id"], "move": pick(message["choice"], rng)}), flush=True)
