"""Fills every folder it can think of, 32 MB each, and plays on."""

import contextlib
import os
import sys

from manners import answer, play_on, say, second_act

act = second_act()
places = ["/tmp", "/var/tmp", "/dev/shm", "/run", "/usr", "/etc", "/", os.getcwd(), os.path.expanduser("~")]
for place in places:
    with contextlib.suppress(OSError), open(f"{place}/{sys.argv[-1]}", "wb") as file:
        file.writelines(b"x" * 2**20 for _ in range(32))
say(answer(act))
play_on()
