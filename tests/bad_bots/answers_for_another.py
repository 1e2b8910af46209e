"""Answers with the id of another seat's request, which it finds in the file config["file"]."""

import os
import time

from manners import answer, config, hear_until, say, shake_hands, wait

shake_hands()
act = hear_until("act")
while not os.path.exists(config["file"]):
    time.sleep(0.005)
with open(config["file"]) as file:
    say(answer(act, id=file.read()))
wait()
