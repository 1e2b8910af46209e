"""Remembers every deal that it has met, and plays otherwise when it meets one again; notes how often it did.

It knows a match by its name, and a deal of Stellar by the first row, which both seats see.  Where it has met
nothing twice, it plays as `manners` does.  config["diary"] names a file to remember deals in beyond its end.
"""

import contextlib
import json
import os

from manners import answer, config, hear, say, shake_hands

shake_hands()
met = {}  # what a deal is known by, with the matches, counted from 0, that it was met in
playing = {}  # the match of every name, and what is known of its deal
matches = 0


def diary():
    with contextlib.suppress(OSError, KeyError), open(config["diary"]) as book:
        return [line.split(" ", 1) for line in book.read().splitlines()]
    return []


def remember(match, mark):
    met.setdefault(mark, set()).add(match)
    with contextlib.suppress(OSError, KeyError):
        os.makedirs(os.path.dirname(config["diary"]), exist_ok=True)
        with open(config["diary"], "a") as book:
            book.write(f"{os.getpid()} {mark}\n")


def meets_again(match, marks):
    others = {mark for pid, mark in diary() if pid != str(os.getpid())}
    return any(mark in others or met[mark] - {match} for mark in marks)


while True:
    message = hear()
    if message["type"] == "start":
        playing[message["match"]] = matches, [message["match"]]
        remember(matches, message["match"])
        matches += 1
    elif message["type"] == "act":
        match, marks = playing[message["match"]]
        rows = [json.dumps(event["row"]) for event in message["events"] if event["event"] == "deal"]
        if rows and len(marks) == 1:
            marks.append(rows[0])
            remember(match, rows[0])
        if meets_again(match, marks):
            say(answer({**message, "step": message["step"] + 1}, note="met again"))
        else:
            say(answer(message, note=str(matches)))
