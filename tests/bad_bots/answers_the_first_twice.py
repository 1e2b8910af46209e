"""Answers its first request twice, in one write."""

import json

from manners import answer, nth_act, say, shake_hands, wait

shake_hands()
say(2 * (json.dumps(answer(nth_act(1))).encode() + b"\n"))
wait()
