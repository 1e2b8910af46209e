"""Holds config["memory_mb"], shares it with config["children"] idle children, and plays; no sin.

With config["unshares"] the children write to all of it from the second decision on: then it is one.
"""

import os
import signal

from manners import answer, config, hear_until, play_on, say, shake_hands

shake_hands()
held = bytearray(os.urandom(4096)) * (256 * config["memory_mb"])
asked, ask = os.pipe()
for _ in range(config["children"]):
    if not os.fork():
        os.close(ask)
        os.read(asked, 1)
        for i in range(0, len(held), 4096):
            held[i] = 1
        signal.pause()
os.close(asked)
say(answer(hear_until("act")))
if config.get("unshares"):
    os.close(ask)
play_on()
