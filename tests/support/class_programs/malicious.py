"""Plays, and tries what it must not; it notes what it got through with."""

import json
import os
import pathlib
import random
import socket
import sys


def attempt(what):
    try:
        return what()
    except Exception:
        return None


def mischief():
    here = pathlib.Path(__file__).resolve()
    home = next((folder for folder in here.parents if (folder / "ladder.toml").exists()), pathlib.Path("/"))
    yield "settings", lambda: (home / "ladder.toml").read_text()
    yield "secrets", lambda: (home / "results" / "runs.parquet").read_bytes()
    yield "others", lambda: next(home.glob("bots/s0*/*/files/bot.*")).read_text()
    yield "results", lambda: (home / "results" / "mine.txt").write_text("mine")
    yield "itself", lambda: here.with_name("more.py").write_text("more")
    yield "network", lambda: socket.create_connection(("127.0.0.1", 22), 1)
    yield "environment", lambda: pathlib.Path(f"/proc/{os.getppid()}/environ").read_text() or None


done = [name for name, what in mischief() if attempt(what) is not None]
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready","protocol":1,"view":"none"}', flush=True)
    elif message["type"] == "act":
        rng = random.Random(f"{message['seed']}/{message['step']}")
        choice = message["choice"]
        options = choice["options"]
        move = rng.choice(options) if choice["kind"] == "one" else options[: choice["low"]]
        answer = {"id": message["id"], "move": move, "note": "done: " + " ".join(done)}
        print(json.dumps(answer), flush=True)
