"""Says that it plays several matches at once, and exits with status 8 at the third that begins meanwhile."""

import sys

from manners import answer, hear, say, shake_hands

shake_hands(parallel=8)
playing = 0
while playing < 3:
    message = hear()
    playing += (message["type"] == "start") - (message["type"] == "end")
    if message["type"] == "act":
        say(answer(message))
sys.exit(8)
