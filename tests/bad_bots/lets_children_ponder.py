"""Plays, while two children compute without end, whoever's turn it is."""

import os

from manners import play_on, shake_hands

shake_hands()
for _ in range(2):
    if not os.fork():
        while os.getppid() != 1:
            pass
play_on()
