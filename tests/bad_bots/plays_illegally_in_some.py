"""Plays several matches at once; in some of them, always the same, its second move is not offered."""

from collections import Counter

from manners import answer, hear_until, say, shake_hands

shake_hands(parallel=8)
asked = Counter()
while True:
    act = hear_until("act")
    asked[act["match"]] += 1
    wrong = act["seed"] % 3 == 0 and asked[act["match"]] == 2
    say({"id": act["id"], "move": "take 99"} if wrong else answer(act))
