"""Fills twice the memory config["memory_mb"] when a match is over, until the next one begins."""

import os
import signal

from manners import answer, config, hear, say, shake_hands, wait

shake_hands()
children = []
while True:
    message = hear()
    if message["type"] == "act":
        say(answer(message))
    elif message["type"] == "end":
        for _ in range(8):
            if not (child := os.fork()):
                held = b"x" * (2**20 * config["memory_mb"] // 4)
                wait()
            children.append(child)
    elif message["type"] == "start":
        while children:
            os.kill(child := children.pop(), signal.SIGKILL)
            os.waitpid(child, 0)
