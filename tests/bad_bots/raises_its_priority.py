"""Tries to be served before others: by priority, by real-time scheduling, by cores of its choice."""

import contextlib
import os

from manners import confess, second_act

act = second_act()
attempts = {
    "nice": lambda: os.nice(-1),
    "real time": lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)),
    "cores": lambda: os.sched_setaffinity(0, os.sched_getaffinity(0)),
}
found = []
for name, attempt in attempts.items():
    with contextlib.suppress(OSError, AttributeError):
        attempt()
        found.append(name)
confess(act, found)
