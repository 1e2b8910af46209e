"""Fills twice the memory it may have instead of answering, with eight children that have a share each."""

import os

from manners import config, second_act, wait

second_act()
for _ in range(8):
    if not os.fork():
        held = b"x" * (2**20 * config["memory_mb"] // 4)
        wait()
wait()
