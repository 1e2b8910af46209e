"""Thinks before a bid if its coin shows heads, for config["ms"].  Its notes are the coins.  No sin."""

import random
import time

from manners import answer, config, hear_until, say, shake_hands

shake_hands()
while True:
    act = hear_until("act")
    heads = act["choice"]["options"][0] == "bid 1" and random.random() < 0.5
    time.sleep(heads * config["ms"] / 1000)
    say(answer(act, note=str(int(heads))))
