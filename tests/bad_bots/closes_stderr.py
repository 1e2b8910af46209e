"""Closes its stderr and plays.  No sin."""

import os

from manners import answer, hear_until, say, shake_hands

os.close(2)
shake_hands()
while True:
    say(answer(hear_until("act")))
