"""Starts 200 children that stay, and plays on only if it could not start them all."""

import contextlib
import os

from manners import answer, play_on, say, second_act, wait

act = second_act()
with contextlib.suppress(OSError):
    for _ in range(200):
        if not os.fork():
            wait()
    wait()
say(answer(act))
play_on()
