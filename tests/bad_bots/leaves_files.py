"""Looks for what it left in earlier matches, leaves it again, and tries to change its own program."""

import contextlib
import os
import sys

from manners import confess, second_act

act = second_act()
places = [f"{place}/{sys.argv[-1]}" for place in ("/tmp", "/var/tmp", "/dev/shm", os.getcwd())]
found = [path for path in places if os.path.exists(path)]
for path in places:
    with contextlib.suppress(OSError), open(path, "w") as file:
        file.write("I have been here")
with contextlib.suppress(OSError), open(__file__, "a"):
    found.append(__file__)
confess(act, found)
