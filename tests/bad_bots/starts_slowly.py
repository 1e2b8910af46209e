"""Needs 0.5 s to be ready, then plays.  With a file's whole path: only until that exists.  No sin."""

import sys
import time
from pathlib import Path

from manners import answer, hear_until, say, shake_hands

files = [Path(argument) for argument in sys.argv[1:] if argument.startswith("/")]
if not files or not files[0].exists():
    for file in files:
        file.touch()
    time.sleep(0.5)
shake_hands()
while True:
    say(answer(hear_until("act")))
