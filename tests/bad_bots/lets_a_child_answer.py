"""Exits instead of answering; a child of it answers a little later."""

import os
import time

from manners import answer, say, second_act, wait

act = second_act()
if not os.fork():
    time.sleep(0.1)
    say(answer(act))
    wait()
os._exit(0)
