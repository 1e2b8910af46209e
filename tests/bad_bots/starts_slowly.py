"""Needs 0.5 s to be ready, then plays.  With a file as its argument: only until that exists.  No sin."""

import sys
import time
from pathlib import Path

from manners import answer, hear_until, say, shake_hands

if not sys.argv[1:] or not Path(sys.argv[1]).exists():
    for file in sys.argv[1:]:
        Path(file).touch()
    time.sleep(0.5)
shake_hands()
while True:
    say(answer(hear_until("act")))
