"""Fills four times the memory it may have, shared: in a file of memory, then without one.

It plays on only if it could have neither.
"""

import contextlib
import mmap
import os

from manners import answer, config, play_on, say, second_act, wait

act = second_act()
megabyte, wanted = b"x" * 2**20, 4 * config["memory_mb"]
with contextlib.suppress(OSError, AttributeError):
    file = os.memfd_create("hog")
    for _ in range(wanted):
        if os.write(file, megabyte) < len(megabyte):
            raise OSError
    wait()
with contextlib.suppress(OSError):
    shared = mmap.mmap(-1, wanted * 2**20)
    for _ in range(wanted):
        shared.write(megabyte)
    wait()
say(answer(act))
play_on()
