"""Thinks for config["ms"] about the decisions of the steps config["steps"].  No sin."""

import time

from manners import answer, config, hear_until, say, shake_hands

shake_hands()
while True:
    act = hear_until("act")
    if act["step"] in config["steps"]:
        time.sleep(config["ms"] / 1000)
    say(answer(act))
