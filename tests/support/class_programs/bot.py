import json
import random
import sys

skill = int(sys.argv[1])
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready","protocol":1,"view":"none"}', flush=True)
    elif message["type"] == "act":
        rng = random.Random(f"{message['seed']}/{message['step']}")
        choice = message["choice"]
        options = choice["options"]
        if rng.randrange(10) < skill:
            options = [option for option in options if not option.endswith(" down")] or options
        move = rng.choice(options) if choice["kind"] == "one" else rng.sample(options, choice["low"])
        print(json.dumps({"id": message["id"], "move": move}), flush=True)
