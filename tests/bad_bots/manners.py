"""What even a bad bot does right; each of the others adds one sin.  By itself it is a bot without any.

What a bot is to say in its handshake, to add to its answers, and where to record what it hears, its config
tells: {"ready": {...}, "answer": {...}, "record": "FOLDER"}.  {"sins": {MATCH: ...}} names the matches to
sin in, and what is needed for it; without them it is the first one.
"""

import contextlib
import json
import os
import signal
import sys
import time

config = {}


def hear():
    """Return the next message; leave on bye, or when the referee is gone."""
    line = sys.stdin.readline()
    message = json.loads(line) if line else {"type": "bye"}
    if message["type"] == "hello":
        config.update(message["config"])
    if "record" in config:
        with open(f"{config['record']}/{os.getpid()}.jsonl", "a") as record:
            record.write(line)
    if message["type"] == "bye":
        sys.exit()
    return message


def hear_until(kind):
    """Return the next message of *kind*."""
    while (message := hear())["type"] != kind:
        pass
    return message


def sinful(message):
    """Return whether *message* is of a match to sin in."""
    return "sins" not in config or message["match"] in config["sins"]


def say(data):
    """Write *data* at once: bytes as they are, anything else as a line of JSON."""
    if not isinstance(data, bytes):
        data = json.dumps(data).encode() + b"\n"
    while data:
        data = data[os.write(1, data) :]


def shake_hands(**more):
    """Answer hello."""
    hear()
    say({"type": "ready", "protocol": 1, **more, **config.get("ready", {})})


def answer(act, **more):
    """Return a decent answer: a move that follows from seed and step; the process id as its note."""
    choice = act["choice"]
    turn = (act["seed"] + act["step"]) % len(choice["options"])
    turned = choice["options"][turn:] + choice["options"][:turn]
    move = turned[0] if choice["kind"] == "one" else turned[: choice["high"]]
    return {"id": act["id"], "move": move, "note": str(os.getpid()), **config.get("answer", {}), **more}


def nth_act(n):
    """Behave up to the *n*-th decision of a match to sin in, and return the request for that."""
    while True:
        act = hear_until("act")
        n -= sinful(act)
        if not n:
            return act
        say(answer(act))


def second_act(**more):
    """Shake hands, behave up to the second decision of a match to sin in, and return the request for that."""
    shake_hands(**more)
    return nth_act(2)


def play_on():
    """Be a bot without a sin from here on."""
    while True:
        say(answer(hear_until("act")))


def confess(act, found):
    """Answer *act* and play on; but if an attack worked, play what is not offered: what *found* names."""
    say(answer(act, move=f"open: {', '.join(found)}") if found else answer(act))
    play_on()


def ignore_signals():
    """Ignore every signal that can be ignored."""
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)


def play_beyond_bye():
    """Play, and live on after bye and the end of stdin."""
    shake_hands()
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "act":
            say(answer(message))
    wait()


def leave_a_daemon():
    """Leave a daemon behind: a session of its own, none of the pipes."""
    if not os.fork():
        with contextlib.suppress(OSError):  # where that is forbidden
            os.setsid()
        if not os.fork():
            null = os.open(os.devnull, os.O_RDWR)
            for fd in range(3):
                os.dup2(null, fd)
            wait()
        os._exit(0)
    os.wait()


def wait():
    """Do nothing, for longer than anybody waits."""
    time.sleep(600)


if __name__ == "__main__":
    shake_hands()
    play_on()
