"""Writes 64 MB to stderr instead of answering."""

import os

from manners import second_act, wait

second_act()
for _ in range(1024):
    os.write(2, 65_536 * b"x")
wait()
