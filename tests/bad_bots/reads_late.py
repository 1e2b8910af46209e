"""Asks for the smallest pipe and reads its first request 0.3 s after it was sent.  No sin."""

import contextlib
import fcntl
import time

from manners import play_on, shake_hands

with contextlib.suppress(AttributeError, OSError):  # not everywhere, and not in a sandbox
    fcntl.fcntl(0, fcntl.F_SETPIPE_SZ, 4096)
shake_hands()
time.sleep(0.3)
play_on()
