"""Computes for config["ms"] about each of the first ten decisions of a match, and never else.  No sin."""

import time

from manners import answer, config, hear_until, say, shake_hands

shake_hands()
while True:
    act = hear_until("act")
    until = time.monotonic() + config["ms"] / 1000
    while act["step"] < 10 and time.monotonic() < until:
        pass
    say(answer(act))
