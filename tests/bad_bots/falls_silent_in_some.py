"""Plays several matches at once; in some of them, always the same, its second request gets no answer."""

from collections import Counter

from manners import answer, hear_until, say, shake_hands

shake_hands(parallel=8)
asked = Counter()
while True:
    act = hear_until("act")
    asked[act["match"]] += 1
    if act["seed"] % 3 or asked[act["match"]] != 2:
        say(answer(act))
