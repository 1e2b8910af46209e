"""Has short-lived children compute, one after another, whose CPU time no parent is told; never answers."""

import os
import signal
import time

from manners import second_act

second_act()
signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # then they are reaped at once, and added to nothing
while True:
    if os.fork() == 0:
        end = time.monotonic() + 0.12
        while time.monotonic() < end:
            pass
        os._exit(0)
    time.sleep(0.06)
