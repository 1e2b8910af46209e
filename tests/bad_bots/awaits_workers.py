"""Has no sin, but seems to sleep: at its third decision it waits for six workers, which compute."""

import os
import time
from collections import Counter

from manners import answer, config, hear_until, say, shake_hands

shake_hands()
(tasks, new_task), (results, new_result) = os.pipe(), os.pipe()
for _ in range(6):
    if not os.fork():
        os.close(new_task)
        while os.read(tasks, 1):
            end = time.process_time() + config.get("ms", 40) / 1000
            while time.process_time() < end:
                pass
            os.write(new_result, b".")
        os._exit(0)
decisions = Counter()
while True:
    act = hear_until("act")
    decisions[act["match"]] += 1
    if decisions[act["match"]] == 3:
        os.write(new_task, 6 * b".")
        done = 0
        while done < 6:
            done += len(os.read(results, 6))
    say(answer(act))
