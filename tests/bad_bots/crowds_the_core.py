"""Computes without end instead of answering, in processes that take the core from each other."""

import os

from manners import config, second_act

second_act()
for _ in range(config.get("processes", 6)):
    if os.fork() == 0:
        break
while True:
    pass
