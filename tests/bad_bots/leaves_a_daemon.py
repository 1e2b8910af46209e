"""Exits instead of answering, and leaves a daemon behind: a session of its own, none of the pipes."""

import contextlib
import os

from manners import second_act, wait

second_act()
if not os.fork():
    with contextlib.suppress(OSError):  # where that is forbidden
        os.setsid()
    if not os.fork():
        null = os.open(os.devnull, os.O_RDWR)
        for fd in range(3):
            os.dup2(null, fd)
        wait()
    os._exit(0)
os.wait()
os._exit(0)
