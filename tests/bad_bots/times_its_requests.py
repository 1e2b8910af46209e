"""Notes at every request how many milliseconds ago it last answered.  No sin."""

import time

from manners import answer, hear_until, say, shake_hands

shake_hands()
said = time.monotonic()
while True:
    act = hear_until("act")
    say(answer(act, note=str(round(1000 * (time.monotonic() - said)))))
    said = time.monotonic()
