"""Asks for the smallest pipe, reads each request a while after it was sent, and answers at once.  No sin."""

import fcntl
import time

from manners import answer, hear_until, say, shake_hands

if hasattr(fcntl, "F_SETPIPE_SZ"):
    fcntl.fcntl(0, fcntl.F_SETPIPE_SZ, 4096)
shake_hands()
while True:
    time.sleep(0.1)
    say(answer(hear_until("act")))
