"""Fills as much memory as its config tells, of what it may have, before its first answer.  No sin."""

from manners import answer, config, hear_until, say, shake_hands

shake_hands()
held = []
while True:
    act = hear_until("act")
    held = held or [b"x" * 2**20 for _ in range(config["fill_mb"])]
    say(answer(act))
