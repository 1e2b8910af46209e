"""Thinks for config["ms"] about the decisions of the steps config["steps"], or about all.  No sin."""

import time

from manners import answer, config, hear_until, say, shake_hands, sinful

shake_hands()
while True:
    act = hear_until("act")
    if sinful(act) and act["step"] in config.get("steps", [act["step"]]):
        time.sleep(config["ms"] / 1000)
    say(answer(act))
