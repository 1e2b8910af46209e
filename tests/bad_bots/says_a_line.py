"""Answers its third request of a match with the line that config["sins"] holds for the match.

A line comes in parts, each a text in Latin-1 and how often it comes; # stands for how often it has come.  In
the text, <id> and <move> are those of a decent answer, <earlier> is the id of the request before, <later> one
of a request to come, <other> that of the other seat in this step; <gone> is an option of the request before,
<unheld> a card that is not in hand.
"""

import re

from manners import answer, config, hear_until, say, shake_hands, sinful


def filled(text, act, before):
    sin = config["sins"][act["match"]]
    decent = answer(act)
    held = act["view"].get("hand", [])
    words = {
        "<id>": decent["id"],
        "<move>": decent["move"],
        "<earlier>": before["id"],
        "<later>": sin["later"],
        "<other>": sin["other"][act["step"]],
        "<gone>": before["choice"]["options"][0],
        "<unheld>": next(kind for kind in "ABCMP" if f"{kind}1.3" not in held) + "1.3@notebook",
    }
    return re.sub("|".join(words), lambda found: words[found[0]], text).encode("latin-1")


def line(parts, act, before):
    """Yield the line in pieces of at most 64 KiB or so."""
    for text, times in parts:
        if "#" in text:
            yield "".join(text.replace("#", str(number)) for number in range(times)).encode("latin-1")
            continue
        piece = filled(text, act, before)
        at_once = min(times, 65_536 // (len(piece) + 1) + 1)
        for _ in range(times // at_once):
            yield piece * at_once
        yield piece * (times % at_once)


shake_hands()
asked = {}
before = None
while True:
    act = hear_until("act")
    asked[act["match"]] = asked.get(act["match"], 0) + 1
    if sinful(act) and asked[act["match"]] == 3:
        for piece in line(config["sins"][act["match"]]["parts"], act, before):
            say(piece)
    else:
        say(answer(act))
    before = act
