"""Answers what arrives together in reverse order, and notes how many that were.  No sin."""

import json
import os

from manners import answer, say

rest = b""
while data := os.read(0, 1 << 20):
    *lines, rest = (rest + data).split(b"\n")
    messages = [json.loads(line) for line in lines]
    acts = [message for message in messages if message["type"] == "act"]
    for act in reversed(acts):
        say(answer(act, note=str(len(acts))))
    for message in messages:
        if message["type"] == "hello":
            say({"type": "ready", "protocol": 1, **message["config"].get("ready", {})})
