"""Logs before each answer which match and step it is; exits instead of a third answer in its second match."""

import sys

from manners import answer, config, hear, say, shake_hands

print("loaded", file=sys.stderr, flush=True)
shake_hands()
matches = 0
steps = 0
while True:
    message = hear()
    if message["type"] == "start":
        matches, steps = matches + 1, 0
    elif message["type"] == "act":
        steps += 1
        print(f"match {matches}, step {message['step']}", file=sys.stderr, flush=True)
        if matches == config.get("matches", 2) and steps == 3:
            sys.exit(4)
        say(answer(message))
    elif message["type"] == "end":
        print("that was a match", file=sys.stderr, flush=True)
