"""Needs 0.5 s to be ready, then plays.  No sin."""

import time

from manners import play_on, shake_hands

time.sleep(0.5)
shake_hands()
play_on()
