"""Play any game at random and sleep before every answer, as a bot does that asks another machine."""

import json
import random
import sys
import time
from typing import Any

SECONDS = 0.05


def pick(choice: dict[str, Any], rng: random.Random) -> object:
    """Return a random move."""
    options: list[str] = choice["options"]
    if choice["kind"] == "some":
        return rng.sample(options, rng.randint(choice["low"], choice["high"]))
    return rng.choice(options)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready","protocol":1,"view":"none"}', flush=True)
    elif message["type"] == "act":
        time.sleep(SECONDS)
        rng = random.Random(message["seed"] + message["step"])
        print(json.dumps({"id": message["id"], "move": pick(message["choice"], rng)}), flush=True)
