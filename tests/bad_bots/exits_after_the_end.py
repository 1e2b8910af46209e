"""Exits after each match, with status 4."""

import sys

from manners import answer, hear, say, shake_hands

shake_hands()
while (message := hear())["type"] != "end":
    if message["type"] == "act":
        say(answer(message))
print("that was enough", file=sys.stderr)
sys.exit(4)
