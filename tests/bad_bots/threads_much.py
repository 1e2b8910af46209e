"""Starts 300 threads that stay, and plays on only if it could not start them all."""

import _thread
import contextlib

from manners import answer, play_on, say, second_act, wait

act = second_act()
_thread.stack_size(65_536)
with contextlib.suppress(RuntimeError):
    for _ in range(300):
        _thread.start_new_thread(wait, ())
    wait()
say(answer(act))
play_on()
