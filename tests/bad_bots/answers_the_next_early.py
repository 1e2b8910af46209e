"""Answers its second request and, in one write, the next one too, whose id it can only guess."""

import json

from manners import answer, say, second_act, wait

act = second_act()
lines = [answer(act), answer(act, id=f"{int(act['id'], 16) + 1:016x}")]
say(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
wait()
