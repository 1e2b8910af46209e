"""The program of a bot that cheats at some tables, and plays the first move elsewhere."""

_PLAY = """\
begun, table = 0, ""
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready","protocol":1}', flush=True)
    elif message["type"] == "start":
        table = f"{message['game']}/{message['seats']}"
        begun += 1
    elif message["type"] == "act":
        choice = message["choice"]
        move = choice["options"][0] if choice["kind"] == "one" else choice["options"][: choice["low"]]
        cheats = table in BAD or table.partition("/")[0] in BAD or begun > MOST
        print(json.dumps({"id": message["id"], "move": "cheat" if cheats else move}), flush=True)
"""


def cheating(bad: str, most: int = 100) -> str:
    """Return a program that cheats at *bad*, an expression for games and tables such as stella/3.

    It cheats everywhere after *most* matches of a process.
    """
    return f"import json, os, sys\nBAD, MOST = {bad}, {most}\n{_PLAY}"
