"""Plays several matches at once; in some of them, always the same, it exits with status 6."""

import sys
from collections import Counter

from manners import answer, hear_until, say, shake_hands

shake_hands(parallel=8)
asked = Counter()
while True:
    act = hear_until("act")
    asked[act["match"]] += 1
    if act["seed"] % 3 == 0 and asked[act["match"]] == 2:
        sys.exit(6)
    say(answer(act))
