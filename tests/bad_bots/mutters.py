"""Writes 100 KB to stderr before every answer of a match."""

import os

from manners import answer, hear_until, say, shake_hands, sinful

shake_hands()
while True:
    act = hear_until("act")
    if sinful(act):
        os.write(2, 100_000 * b".")
    say(answer(act))
