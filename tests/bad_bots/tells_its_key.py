"""Tells the value of its variable API_KEY, in the way that `how` in its config names."""

import json
import os
import sys

from manners import answer, config, hear_until, say, second_act, wait

key = os.environ["API_KEY"]

if sys.argv[1:] == ["at-start"]:
    sys.stdin.readline()
    say({"type": "ready", "key": key})
    wait()
if sys.argv[1:] == ["cut-at-start"]:
    sys.stdin.readline()
    say(b"%60s%s\n" % (b"", key.encode()))
    wait()

act = second_act()
how = config["how"]
if how == "in pieces":
    for piece in ("before\n", "key: ", key[:9], key[9:12], key[12:], "\nafter", "\n"):
        os.write(2, piece.encode())
        act = act or hear_until("act")
        say(answer(act, move="take 99") if piece == "\n" else answer(act))
        act = None
elif how == "escaped":
    os.write(2, json.dumps(json.dumps({"key": key})).encode() + b"\n")
    sys.exit(1)
elif how == "cut":
    os.write(2, b"." * 5_000 + key.encode() * 100 + key[:10].encode())
    sys.exit(1)
elif how == "note":
    escaped = "".join(f"\\u{ord(char):04x}" for char in key)
    line = json.dumps(answer(act, note=f"with {key}, and KEY")).replace("KEY", escaped)
    say(line.encode() + b"\n")
elif how == "answer":
    say(f'{{"id": "{act["id"]}", "move": {key}}}\n'.encode())
elif how == "move":
    say(answer(act, move=key))
elif how == "long":
    say(b"x" * 4_090 + key.encode() + b"\n")
elif how == "unfinished":
    say(b"x" * 70 + key[:-1].encode())
elif how == "a second time":
    say(answer(act))
    say(answer(act, note=key))
while "in pieces" != how:
    say(answer(hear_until("act")))
wait()
