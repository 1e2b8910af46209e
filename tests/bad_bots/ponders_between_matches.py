"""Computes from the end of a match to the start of the next, and notes how long: CPU in ms."""

import os
import select
import sys
import time

from manners import answer, hear, say, shake_hands

sys.stdin = os.fdopen(0, "rb", buffering=0)  # so that select knows of all that was not read
shake_hands()
stolen = 0
while True:
    message = hear()
    if message["type"] == "act":
        say(answer(message, note=str(stolen)))
    elif message["type"] == "end":
        began = time.process_time()
        while not select.select([sys.stdin], [], [], 0)[0]:
            pass
        stolen = round(1000 * (time.process_time() - began))
