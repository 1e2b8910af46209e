"""Notes digests of what it finds around it, in every match.  No sin."""

import binascii

from manners import answer, hear_until, say, shake_hands
from tells_all import surroundings

SAME = "environment arguments folder files host descriptors umask limits priority root"
"""What is the same for every process of a bot, also where each has a user of its own."""
shake_hands()
found = surroundings()
note = " ".join(f"{name}={binascii.crc32(repr(found[name]).encode()):x}" for name in SAME.split())
while True:
    say(answer(hear_until("act"), note=note))
