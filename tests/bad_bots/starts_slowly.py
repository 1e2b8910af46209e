"""Needs 0.5 s to be ready, then plays.  No sin."""

import time

from manners import answer, hear_until, say, shake_hands

time.sleep(0.5)
shake_hands()
while True:
    say(answer(hear_until("act")))
