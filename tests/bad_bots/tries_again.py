"""Makes a move that is not offered, as often as config["wrong"] says, before a decent one."""

from manners import answer, config, hear_until, say, shake_hands

shake_hands()
wrong = 0
while True:
    act = hear_until("act")
    wrong = wrong + 1 if "retry" in act else 0
    say({"id": act["id"], "move": "nonsense"} if wrong < config["wrong"] else answer(act))
