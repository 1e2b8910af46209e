"""Answers its second request with the id of its first."""

from manners import answer, hear_until, say, shake_hands, wait

shake_hands()
first = hear_until("act")
say(answer(first))
say(answer(hear_until("act"), id=first["id"]))
wait()
