"""Sends every process that it can reach a signal, SIGURG, which by itself does nothing, and plays on.

Linux reports success even if no process got the signal, so a process that gets it has to report it.
"""

import contextlib
import os
import signal

from manners import answer, play_on, say, second_act

act = second_act()
with contextlib.suppress(OSError):
    os.kill(-1, signal.SIGURG)
say(answer(act))
play_on()
