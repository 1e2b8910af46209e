"""Ignores bye, the end of its stdin and every signal that can be ignored; otherwise it plays."""

import json
import signal
import sys

from manners import answer, say, shake_hands, wait

for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
    signal.signal(number, signal.SIG_IGN)
shake_hands()
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "act":
        say(answer(message))
wait()
