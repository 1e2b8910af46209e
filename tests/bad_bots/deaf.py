"""Asks for the smallest pipe there is, and reads nothing once it is ready: or after an answer."""

import contextlib
import fcntl

from manners import answer, config, nth_act, say, shake_hands, wait

with contextlib.suppress(AttributeError, OSError):  # not everywhere, and not in a sandbox
    fcntl.fcntl(0, fcntl.F_SETPIPE_SZ, 4096)
shake_hands()
if "sins" in config:
    say(answer(nth_act(1)))
wait()
