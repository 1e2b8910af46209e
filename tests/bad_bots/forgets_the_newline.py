"""Answers without the newline."""

import json

from manners import answer, say, second_act, wait

say(json.dumps(answer(second_act())).encode())
wait()
