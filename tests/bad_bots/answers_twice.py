"""Answers its second request twice, in one write."""

import json

from manners import answer, say, second_act, wait

say(2 * (json.dumps(answer(second_act())).encode() + b"\n"))
wait()
