"""Writes 300 KB to stderr, a beginning and an end with much between them, and plays.  No sin."""

import os

from manners import play_on, shake_hands

shake_hands()
os.write(2, b"the beginning\n")
for _ in range(300):
    os.write(2, b"." * 1024)
os.write(2, b"the end\n")
play_on()
