"""Plays several matches at once; in some of them, always the same, it exits with status 6 after a while.

At its second decision there, or that which config["decision"] tells.
"""

import sys
import time
from collections import Counter

from manners import answer, config, hear_until, say, shake_hands

shake_hands(parallel=8)
asked = Counter()
while True:
    act = hear_until("act")
    asked[act["match"]] += 1
    if act["seed"] % 3 == 0 and asked[act["match"]] == config.get("decision", 2):
        time.sleep(0.1)
        sys.exit(6)
    say(answer(act))
