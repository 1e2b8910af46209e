"""Answers by one byte now and then, always just about to be done."""

import json
import time

from manners import answer, say, second_act

act = second_act()
for byte in json.dumps(answer(act)):
    say(byte.encode())
    time.sleep(0.02)
