"""Plays, with a daemon at its side from the start, and ignores bye, the end of its stdin and all signals."""

import contextlib
import json
import os
import signal
import sys

from manners import answer, say, shake_hands, wait

for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
    signal.signal(number, signal.SIG_IGN)
if not os.fork():
    with contextlib.suppress(OSError):  # where that is forbidden
        os.setsid()
    if not os.fork():
        null = os.open(os.devnull, os.O_RDWR)
        for fd in range(3):
            os.dup2(null, fd)
        wait()
    os._exit(0)
os.wait()
shake_hands()
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "act":
        say(answer(message))
wait()
