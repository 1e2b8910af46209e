"""Closes its stderr and plays.  No sin."""

import os

from manners import play_on, shake_hands

os.close(2)
shake_hands()
play_on()
