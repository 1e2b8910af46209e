"""Plays several matches at once; in some of them, always the same, its second move is not offered.

Or that of another number, which config["decision"] tells.
"""

from collections import Counter

from manners import answer, config, hear_until, say, shake_hands

shake_hands(parallel=8)
asked = Counter()
while True:
    act = hear_until("act")
    asked[act["match"]] += 1
    wrong = act["seed"] % 3 == 0 and asked[act["match"]] == config.get("decision", 2)
    say({"id": act["id"], "move": "take 99"} if wrong else answer(act))
