"""Takes the core from bots that are deciding, with many processes that compute between its own turns."""

import os
import signal

from manners import answer, config, hear_until, say, shake_hands

shake_hands()
crowd = []
while True:
    act = hear_until("act")
    for pid in crowd:
        os.kill(pid, signal.SIGSTOP)
    say(answer(act))
    for pid in crowd:
        os.kill(pid, signal.SIGCONT)
    while len(crowd) < config["processes"]:
        if (child := os.fork()) == 0:
            os.setsid()  # each gets a share of its own, where a system divides the core among them
            while True:
                pass
        crowd.append(child)
