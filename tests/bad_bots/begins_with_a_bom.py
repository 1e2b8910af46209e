"""Answers with a byte order mark."""

import json

from manners import answer, say, second_act, wait

say(b"\xef\xbb\xbf" + json.dumps(answer(second_act())).encode() + b"\n")
wait()
