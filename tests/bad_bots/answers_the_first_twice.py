"""Answers its first request twice, in one write."""

import json

from manners import answer, hear_until, say, shake_hands, wait

shake_hands()
say(2 * (json.dumps(answer(hear_until("act"))).encode() + b"\n"))
wait()
