"""Notes the time at which it heard each request, in nanoseconds of a clock that all share.  No sin."""

import time

from manners import answer, hear_until, say, shake_hands

shake_hands()
while True:
    act = hear_until("act")
    say(answer(act, note=str(time.monotonic_ns())))
