"""Writes the id of its first request where others can read it, and answers a little later.

Where that is, config["file"] tells.  By itself no sin.
"""

import os
import time

from manners import answer, config, hear_until, say, shake_hands

shake_hands()
act = hear_until("act")
with open(config["file"] + ".new", "w") as file:
    file.write(act["id"])
os.rename(config["file"] + ".new", config["file"])
time.sleep(0.3)
say(answer(act))
hear_until("bye")
